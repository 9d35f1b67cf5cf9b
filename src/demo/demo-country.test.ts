import { describe, expect, it } from 'vitest';
import type { AttributeSpec } from '../domain/attribute/attribute.js';
import { brokenRows } from '../domain/constraints/mended.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../domain/schema/parse-schema.js';
import { regions } from './country.js';
import { type DemoColumns, type DemoOptions, type DemoValue, demoCountry, flatDemo } from './demo-country.js';
import { demoSchema, flatDemoSchema } from './demo-schema.js';

const size = 12_000;
const make = (options: DemoOptions) => {
  const country = demoCountry(options);
  return { ...country, flat: flatDemo(country) };
};
const earlier = make({ seed: 1, households: size, year: 2018 });
/** The law of the earlier year once more: how far two samples of one law differ. */
const again = make({ seed: 99, households: size, year: 2018 });
const later = make({ seed: 1, households: size, year: 2023 });

/** Coarse cells for measuring dependence: numbers in eight parts of equal count, everything else as it is. */
const cellsOf = (values: readonly DemoValue[]): string[] => {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  if (numbers.length === 0 || new Set(numbers).size < 10) return values.map(String);
  const cuts = [1, 2, 3, 4, 5, 6, 7].map((eighth) => numbers[Math.floor((eighth * numbers.length) / 8)]);
  return values.map((value) =>
    typeof value === 'number' ? String(cuts.filter((cut) => value >= cut).length) : String(value),
  );
};

/** Plug-in mutual information in nats. */
const mutualInformation = (a: readonly DemoValue[], b: readonly DemoValue[]): number => {
  const [x, y] = [cellsOf(a), cellsOf(b)];
  const tally = (keys: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1 / keys.length);
    return counts;
  };
  const [px, py, pxy] = [tally(x), tally(y), tally(x.map((cell, i) => `${cell}|${y[i]}`))];
  return [...pxy].reduce((sum, [cell, p]) => {
    const [left, right] = cell.split('|');
    return sum + p * Math.log(p / (px.get(left)! * py.get(right)!));
  }, 0);
};

/** Half the L1 distance of the shares of two columns. */
const totalVariation = (a: readonly DemoValue[], b: readonly DemoValue[]): number => {
  const shares = new Map<string, number>();
  for (const value of a) shares.set(String(value), (shares.get(String(value)) ?? 0) + 1 / a.length);
  for (const value of b) shares.set(String(value), (shares.get(String(value)) ?? 0) - 1 / b.length);
  return [...shares.values()].reduce((sum, difference) => sum + Math.abs(difference), 0) / 2;
};

const within = (spec: AttributeSpec, value: DemoValue): boolean => {
  if (value === null) return spec.null === true;
  if (spec.type === 'category') return spec.values.includes(value as string);
  if (spec.type === 'boolean') return typeof value === 'boolean';
  if (spec.type === 'date')
    return /^\d{4}-\d\d-\d\d$/.test(value as string) && (value as string) >= spec.min && (value as string) <= spec.max;
  const whole = spec.type === 'number' || Number.isInteger(value);
  const [low, high] = spec.edges ? [spec.edges[0], spec.edges.at(-1)! - 1] : [spec.min!, spec.max!];
  return whole && (value as number) >= low && (value as number) <= high;
};

const specOf = (name: string) => demoSchema.attributes.find((spec) => spec.name === name);
const lengths = (columns: DemoColumns) => new Set(Object.values(columns).map((column) => column.length));

describe('the demo country', () => {
  it('is the same for the same seed and another for another seed', () => {
    expect(make({ seed: 7, households: 50, year: 2020 })).toEqual(make({ seed: 7, households: 50, year: 2020 }));
    expect(make({ seed: 7, households: 50, year: 2020 })).not.toEqual(make({ seed: 8, households: 50, year: 2020 }));
  });

  it('can be made in slices that join to the whole', () => {
    const whole = make({ seed: 3, households: 90, year: 2020 });
    const slices = [
      make({ seed: 3, households: 40, year: 2020 }),
      make({ seed: 3, households: 50, year: 2020, first: 40 }),
    ];
    for (const table of ['households', 'persons', 'flat'] as const)
      for (const [name, column] of Object.entries(whole[table]))
        expect(slices.flatMap((slice) => slice[table][name])).toEqual(column);
  });

  it('declares schemas that hold together', () => {
    expect(parseSchema(demoSchema)).toEqual(demoSchema);
    expect(parseSchema(flatDemoSchema)).toEqual(flatDemoSchema);
  });

  it('keeps every value inside the declared schema, in every year', () => {
    for (const year of [1990, 2018, 2023, 2039])
      for (const columns of Object.values(make({ seed: 2, households: 3000, year })))
        for (const [name, column] of Object.entries(columns)) {
          const spec = specOf(name);
          if (spec) expect(column.filter((value) => !within(spec, value)).slice(0, 3), `${name} ${year}`).toEqual([]);
          else expect(['person_id', 'household_id']).toContain(name);
        }
  });

  it('keeps every constraint of the declared schema', () => {
    expect(brokenRows(encodeTable(domainFromSchema(flatDemoSchema), earlier.flat))).toBe(0);
  });

  it('fills every column of the schema in both forms, with unique ids', () => {
    const named = new Set(demoSchema.attributes.map(({ name }) => name));
    const household = demoSchema.twoLevel!.household;
    expect(new Set(Object.keys(earlier.households))).toEqual(new Set(['household_id', ...household]));
    expect(new Set(Object.keys(earlier.flat))).toEqual(new Set(['household_id', 'person_id', ...named]));
    expect(new Set([...Object.keys(earlier.persons), ...household])).toEqual(new Set(Object.keys(earlier.flat)));
    for (const columns of Object.values(earlier)) expect(lengths(columns).size).toBe(1);
    expect(new Set(earlier.flat.person_id).size).toBe(earlier.flat.person_id.length);
    expect(new Set(earlier.households.household_id).size).toBe(size);
  });

  it('counts persons and children of a household as the household says', () => {
    const persons = new Map<DemoValue, number>();
    const children = new Map<DemoValue, number>();
    earlier.persons.household_id.forEach((id, row) => {
      persons.set(id, (persons.get(id) ?? 0) + 1);
      children.set(id, (children.get(id) ?? 0) + ((earlier.persons.age[row] as number) < 18 ? 1 : 0));
    });
    earlier.households.household_id.forEach((id, row) => {
      expect(persons.get(id)).toBe(earlier.households.household_size[row]);
      expect(children.get(id)).toBe(earlier.households.children[row]);
    });
  });

  it('puts a district in its own region only', () => {
    const home = new Map(regions.flatMap(({ name, districts }) => districts.map((district) => [district.name, name])));
    expect(earlier.households.district.map((district) => home.get(district as string))).toEqual(
      earlier.households.region,
    );
  });

  // The plug-in estimate of independent columns is about (cells of a - 1)(cells of b - 1) / 2n: below 0.003 for all of these.
  it.each([
    ['age', 'education', 0.2],
    ['education', 'occupation', 0.08],
    ['occupation', 'income', 0.2],
    ['education', 'income', 0.05],
    ['age', 'income', 0.1],
    ['age', 'disability', 0.02],
    ['age', 'activity', 0.3],
    ['region', 'settlement', 0.05],
    ['region', 'occupation', 0.02],
    ['settlement', 'dwelling', 0.1],
    ['tenure', 'dwelling', 0.02],
    ['tenure', 'age', 0.05],
    ['household_size', 'children', 0.3],
    ['insurance', 'activity', 0.1],
    ['district', 'commute', 0.03],
    ['sex', 'occupation', 0.02],
  ])('makes %s and %s depend on each other', (a, b, least) => {
    for (const { flat } of [earlier, later]) expect(mutualInformation(flat[a], flat[b])).toBeGreaterThan(least);
  });

  it.each(['region', 'tenure', 'education', 'occupation', 'insurance', 'dwelling'])(
    'lets the shares of %s drift moderately between the years',
    (name) => {
      const drift = totalVariation(earlier.flat[name], later.flat[name]);
      expect(drift).toBeGreaterThan(1.5 * totalVariation(earlier.flat[name], again.flat[name]));
      expect(drift).toBeGreaterThan(0.012);
      expect(drift).toBeLessThan(0.15);
    },
  );

  it('lets incomes grow, and more in some regions than in others', () => {
    const median = (flat: DemoColumns, region: string) => {
      const values = flat.income.filter((value, row) => value && flat.region[row] === region) as number[];
      return values.sort((a, b) => a - b)[values.length >> 1];
    };
    const growth = ['Ostrel', 'Brennick'].map((name) =>
      Math.log(median(later.flat, name) / median(earlier.flat, name)),
    );
    expect(growth[0]).toBeGreaterThan(0.12);
    expect(growth[0] - growth[1]).toBeGreaterThan(0.08);
  });

  it('lets a correlation move: home work spreads among desks only', () => {
    const atHome = ({ flat }: { flat: DemoColumns }, occupation: string) => {
      const rows = flat.commute.filter((_, row) => flat.occupation[row] === occupation);
      return rows.filter((minutes) => minutes === 0).length / rows.length;
    };
    expect(atHome(later, 'professional')).toBeGreaterThan(1.3 * atHome(earlier, 'professional'));
    expect(atHome(later, 'industry')).toBeLessThan(1.3 * atHome(earlier, 'industry'));
  });
});
