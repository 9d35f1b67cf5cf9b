import { beforeAll, describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless } from '../../../test/support/replay.js';
import { regions } from '../../demo/country.js';
import { demoCountry, flatDemo } from '../../demo/demo-country.js';
import { flatDemoSchema } from '../../demo/demo-schema.js';
import { indexOf, project } from '../../domain/domain.js';
import { encodeTable } from '../../domain/encode/encode-table.js';
import { InputError } from '../../domain/input-error.js';
import { domainFromSchema } from '../../domain/schema/parse-schema.js';
import type { Table } from '../../domain/table.js';
import type { GroupedModel } from '../../model/grouped-model.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession, sessionOn } from '../../privacy/session/open-session.js';
import type { GroupKey, Session } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { memorySource } from '../../source/memory-source.js';
import { type GroupedOptions, grouped } from './grouped.js';

const keys = ['district', 'tenure'];
const attributes = [...keys, 'sex', 'education', 'activity', 'insurance', 'disability', 'dwelling'];
const demo = (year: number, households: number): Table => {
  const domain = project(domainFromSchema(flatDemoSchema), attributes);
  return encodeTable(domain, flatDemo(demoCountry({ seed: 1, year, households })));
};
/** The region of each district, as the country declares it. */
const regionOfDistrict: GroupKey = {
  attribute: 'district',
  groups: regions.flatMap(({ districts }, region) => districts.map(() => region)),
  size: regions.length,
};
const budget = { epsilon: 8 };

const open = async (table: Table, over: { entropy?: number | undefined } = {}): Promise<Session> =>
  openSession({
    source: await memorySource({ table, dataset: 'demo', threads: 1 }),
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'demo'),
    entropy: seededEntropy(over.entropy ?? 1),
  });

const options = (over: Partial<GroupedOptions> = {}): GroupedOptions => ({
  groups: keys,
  regions: [regionOfDistrict],
  random: seeded(1),
  pool: 512,
  draws: 256,
  threads: 1,
  ...over,
});

describe('grouped on the demo country', () => {
  const before = demo(2020, 1500);
  const after = demo(2024, 1500);
  const at = (name: string): number => indexOf(after.domain, name);
  const { size: tenures } = after.domain.attributes[at('tenure')];
  const { size: districts } = after.domain.attributes[at('district')];
  const trueTotals = new Float64Array(districts * tenures);
  for (let row = 0; row < after.length; row++)
    trueTotals[after.columns[at('district')][row] * tenures + after.columns[at('tenure')][row]]++;

  let session: Session;
  let released: Awaited<ReturnType<typeof grouped>>;
  let model: GroupedModel;
  beforeAll(async () => {
    session = await open(after);
    released = await grouped(session, before, options());
    model = released.model as GroupedModel;
  });

  it('models every group that the domain declares, under its own key', () => {
    expect(model.groups.map(({ key }) => key)).toEqual(
      Array.from({ length: districts * tenures }, (_, g) => [Math.floor(g / tenures), g % tenures]),
    );
    // A quarter of epsilon 8: the number of records of a group is off by a Laplace of scale 1/2; P(off by 15) < 1e-12.
    model.groups.forEach(({ total }, g) => {
      expect(Math.abs(total - trueTotals[g])).toBeLessThan(15);
    });
  });

  it('spends a quarter of the budget on each of its four acts, and no more than all of it', () => {
    const noise = (q: number) => released.measurements[q].noise;
    const { upper, lower } = released.notes as { upper: string[][]; lower: string[][] };
    expect(released.measurements.length).toBe(2 + upper.length + lower.length);
    expect(noise(0)).toEqual({ kind: 'laplace', scale: 1 / 2 });
    expect(noise(1).scale).toBeCloseTo(upper.length / 2, 4);
    expect(noise(1 + upper.length)).toEqual({ kind: 'laplace', scale: 1 / 2 });
    expect(noise(2 + upper.length).scale).toBeCloseTo(lower.length / 2, 4);
    const spent = Number(session.statement().spent);
    expect(spent).toBeLessThanOrEqual(8);
    expect(spent).toBeGreaterThan(8 * (1 - 1e-6));
  });

  it('states its measurements as queries of the whole table, in their cells', () => {
    const { upper } = released.notes as { upper: string[][] };
    const [states, first] = released.measurements;
    expect(states.values.length).toBe(regions.length);
    expect(first.query).toMatchObject({ kind: 'factored' });
    const total = released.measurements[1 + upper.length];
    expect(total.query).toEqual(marginal('district', 'tenure'));
    total.values.forEach((value, g) => {
      expect(Math.abs(value - trueTotals[g])).toBeLessThan(15);
    });
  });

  it('samples tables with the groups at their noisy totals, and comes nearer to the truth than the public table', () => {
    const table = model.sample(model.total, seeded(3));
    expect(table.length).toBe(model.total);
    const shares = (of: Table): Float64Array => {
      const names = ['district', 'insurance'].map((name) => indexOf(of.domain, name));
      const counts = new Float64Array(districts * of.domain.attributes[names[1]].size);
      for (let row = 0; row < of.length; row++)
        counts[of.columns[names[0]][row] * of.domain.attributes[names[1]].size + of.columns[names[1]][row]] +=
          1 / of.length;
      return counts;
    };
    const distance = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, i) => sum + Math.abs(x - b[i]), 0);
    expect(distance(shares(table), shares(after))).toBeLessThan(distance(shares(before), shares(after)));
  });

  it('is the same for the same randomness, with IDE too, and different noise makes another', async () => {
    const small = demo(2024, 300);
    const run = async (entropy: number, estimator: 'ide' | 'reweight') => {
      const { model: made } = await grouped(await open(small, { entropy }), before, options({ estimator, pool: 128 }));
      return made.sample(made.total, seeded(9)).columns.map((column) => column.join());
    };
    const [one, again, other] = [await run(1, 'ide'), await run(1, 'ide'), await run(2, 'ide')];
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(await run(1, 'reweight')).not.toEqual(one);
  });
});

describe('grouped without noise', () => {
  // Places 0 and 1 are of region 0, place 2 of region 1; nobody lives in place 1.
  const domain = plainDomain([3, 2, 2, 3], ['place', 'year', 'x', 'y']);
  const rows: Row[] = [];
  for (let i = 0; i < 600; i++)
    rows.push([i % 2 === 0 ? 0 : 2, i % 3 === 0 ? 1 : 0, i % 5 === 0 ? 1 : 0, i % 7 === 0 ? 2 : i % 2]);
  const table: Table = {
    domain,
    length: 36,
    columns: [3, 2, 2, 3].map((size, a) =>
      Uint8Array.from({ length: 36 }, (_, i) => Math.floor(i / [12, 6, 3, 1][a]) % size),
    ),
  };
  const noNoise = async (): Promise<Session> =>
    sessionOn(
      { source: plainSource(domain, rows), budget, ledger: await memoryLedger(budgetOf(budget), 'plain') },
      noiseless,
      true,
    );
  const given = (over: Partial<GroupedOptions> = {}): GroupedOptions => ({
    groups: ['place', 'year'],
    regions: [{ attribute: 'place', groups: [0, 0, 1], size: 2 }],
    random: seeded(1),
    workloads: { upper: [marginal('x', 'y')], lower: [marginal('x'), marginal('y')] },
    threads: 1,
    estimator: 'ide',
    ...over,
  });

  it('gives every group its own totals and marginals, the empty ones none', async () => {
    const session = await noNoise();
    const { model } = await grouped(session, table, given({ pool: 6000, draws: 6000 }));
    for (const names of [
      ['place', 'year'],
      ['place', 'year', 'x'],
      ['year', 'place', 'y'],
    ]) {
      const expected = new Float64Array(
        names.reduce((cells, name) => cells * domain.attributes[indexOf(domain, name)].size, 1),
      );
      for (const row of rows)
        expected[
          names.reduce(
            (cell, name) => cell * domain.attributes[indexOf(domain, name)].size + row[indexOf(domain, name)],
            0,
          )
        ]++;
      // 6,000 draws stand for the distribution of up to 200 records: each cell within a record or so.
      model.marginal(names).forEach((count, cell) => {
        expect(Math.abs(count - expected[cell])).toBeLessThan(names.length === 2 ? 1e-9 : 1.5);
      });
    }
    const empty = (model as GroupedModel).groups.filter(({ key }) => key[0] === 1);
    expect(empty.map(({ total }) => total)).toEqual([0, 0]);
    const sample = model.sample(600, seeded(2));
    expect([...sample.columns[0]].includes(1)).toBe(false);
  });

  it('protects everything that an id contributes to all groups together', async () => {
    const source = plainSource(domain, rows, { unit: { kind: 'id', column: 'person', maxRecords: 3 } });
    const ledger = await memoryLedger(budgetOf(budget), 'plain', { unit: source.unit });
    const session = openSession({ source, budget, ledger, entropy: seededEntropy(1) });
    const { measurements } = await grouped(session, table, given({ pool: 64, draws: 64 }));
    // Three records at a quarter of epsilon 8, one marginal above and two below.
    expect(measurements.map(({ noise }) => noise.scale)).toEqual([1.5, 1.5, 1.5, 3, 3]);
    expect(session.statement()).toMatchObject({ spent: '8' });
  });

  it('refuses what cannot work before it spends anything', async () => {
    const session = await noNoise();
    const wrong: Partial<GroupedOptions>[] = [
      { groups: [] },
      { regions: [{ attribute: 'x', groups: [0, 1], size: 2 }] },
      { regions: [{ attribute: 'place', groups: [0, 1], size: 2 }] },
      { regions: [{ attribute: 'place', groups: [0, 1, 2], size: 2 }] },
      { workloads: { upper: [marginal('place')], lower: [marginal('x')] } },
      { workloads: { upper: [marginal('x')], lower: [] } },
      { pool: 0 },
      { draws: 1.5 },
    ];
    for (const over of wrong) await expect(grouped(session, table, given(over))).rejects.toThrow(InputError);
    const other = { ...table, domain: plainDomain([3, 2, 2, 4], ['place', 'year', 'x', 'y']) };
    await expect(grouped(session, other, given())).rejects.toThrow('public table');
    expect(session.remaining).toBe(1);
  });
});
