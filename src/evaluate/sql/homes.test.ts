import { describe, expect, it } from 'vitest';
import { groupHouseholds } from '../../domain/households/group-households.js';
import { domainFromSchema, parseSchema } from '../../domain/schema/parse-schema.js';
import { householdHeads } from '../../model/households/household-heads.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { householdMixture } from '../../model/mixture/household-mixture.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { holding } from '../../query/holding.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { answerSql } from './answer-sql.js';

const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'region', type: 'category', values: ['north', 'south', 'west'], null: true },
    { name: 'rooms', type: 'integer', min: 1, max: 4 },
    { name: 'age', type: 'integer', edges: [0, 18, 40, 65, 100] },
    { name: 'sex', type: 'category', values: ['f', 'm'], null: true },
  ],
  twoLevel: { key: 'hhID', household: ['region', 'rooms'], maxSize: 4, size: 'persons' },
});
const domain = domainFromSchema(schema);

/** A household by its cells; of `sex` the last one is empty, of `region` too. */
interface Home {
  readonly region: number;
  readonly rooms: number;
  readonly people: readonly { readonly age: number; readonly sex: number }[];
}
const random = seeded(12);
const homes = Array.from(
  { length: 120 },
  (): Home => ({
    region: uniformInteger(random, 4),
    rooms: uniformInteger(random, 4),
    people: Array.from({ length: 1 + uniformInteger(random, 4) }, () => ({
      age: uniformInteger(random, 4),
      sex: uniformInteger(random, 3),
    })),
  }),
);
const rows = homes.flatMap(({ region, rooms, people }, h) =>
  people.map(({ age, sex }) => ({ h, codes: [region, rooms, age, sex, 0] })),
);
const table = groupHouseholds({
  table: {
    domain,
    length: rows.length,
    columns: domain.attributes.map((_, a) => Uint8Array.from(rows, ({ codes }) => codes[a])),
  },
  keys: rows.map(({ h }) => h),
});
const parts = homes.map(() => uniform(random));
const sum = parts.reduce((a, b) => a + b);
const weights = Float64Array.from(parts, (part) => part / sum);
const model = householdSupportModel({ table, weights }, 1000);

const asked = (text: string) => answerSql(text, { model, measurements: [] })[0].rows.map(({ values }) => values);
/** The expected number of households that pass. */
const expected = (passes: (home: Home) => boolean): number =>
  homes.reduce((all, home, h) => all + (passes(home) ? 1000 * weights[h] : 0), 0);

describe('SQL over households', () => {
  const child = ({ age }: { age: number }) => age === 0;
  it.each<[string, (home: Home) => boolean]>([
    ['', () => true],
    ["WHERE region = 'north'", ({ region }) => region === 0],
    ["WHERE region <> 'north'", ({ region }) => region === 1 || region === 2],
    ['WHERE region IS NULL OR rooms >= 3', ({ region, rooms }) => region === 3 || rooms >= 2],
    ['WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18)', ({ people }) => people.some(child)],
    [
      'WHERE EXISTS (SELECT * FROM persons p WHERE p.hhID = households.hhID AND p.age < 18)',
      ({ people }) => people.some(child),
    ],
    ['WHERE NOT EXISTS (SELECT 1 FROM persons WHERE age < 40)', ({ people }) => people.every(({ age }) => age >= 2)],
    [
      "WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18 AND sex = 'f')",
      ({ people }) => people.some(({ age, sex }) => age === 0 && sex === 0),
    ],
    [
      "WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18) AND EXISTS (SELECT 1 FROM persons WHERE sex = 'f')",
      ({ people }) => people.some(child) && people.some(({ sex }) => sex === 0),
    ],
    ["WHERE EXISTS (SELECT 1 FROM persons WHERE sex <> 'f')", ({ people }) => people.some(({ sex }) => sex === 1)],
    [
      "WHERE EXISTS (SELECT 1 FROM persons WHERE NOT (sex = 'f' OR age < 18))",
      ({ people }) => people.some(({ sex, age }) => sex === 1 && age > 0),
    ],
    [
      'WHERE hhID IN (SELECT hhID FROM persons WHERE age < 18 GROUP BY hhID HAVING COUNT(*) >= 2)',
      ({ people }) => people.filter(child).length >= 2,
    ],
    ['WHERE hhID NOT IN (SELECT hhID FROM persons WHERE age < 18)', ({ people }) => !people.some(child)],
    [
      'WHERE hhID IN (SELECT hhID FROM persons GROUP BY hhID HAVING COUNT(*) < 3 AND NOT 1 = COUNT(*))',
      ({ people }) => people.length === 2,
    ],
    [
      'WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18 GROUP BY hhID HAVING COUNT(*) < 2)',
      ({ people }) => people.filter(child).length === 1,
    ],
    [
      "WHERE rooms = 1 AND NOT (region = 'north' OR EXISTS (SELECT 1 FROM persons WHERE age >= 65))",
      ({ region, rooms, people }) =>
        rooms === 0 && (region === 1 || region === 2) && !people.some(({ age }) => age === 3),
    ],
    [
      "WHERE EXISTS (SELECT 1 FROM persons JOIN households USING (hhID) WHERE region = 'west' AND age < 18)",
      ({ region, people }) => region === 2 && people.some(child),
    ],
  ])('counts households as their definition says: %s', (where, passes) => {
    expect(asked(`SELECT COUNT(*), PERCENT() FROM households ${where}`)[0]).toEqual([
      expect.closeTo(expected(passes), 8),
      expect.closeTo(expected(passes) / 10, 8),
    ]);
  });

  it('groups them, averages what is said of them, and takes numbers of SELECTs within', () => {
    const text =
      'SELECT region, COUNT(*) AS n, AVG(persons), AVG(rooms) FROM households WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18) GROUP BY region ORDER BY n DESC';
    const byHand = [0, 1, 2, 3]
      .map((region) => {
        const own = homes
          .map((home, h) => ({ ...home, weight: 1000 * weights[h] }))
          .filter((home) => home.region === region && home.people.some(child));
        const n = own.reduce((all, { weight }) => all + weight, 0);
        const mean = (of: (home: Home) => number) => own.reduce((all, home) => all + home.weight * of(home), 0) / n;
        const name = ['north', 'south', 'west', null][region];
        return [name, n, mean(({ people }) => people.length), mean(({ rooms }) => rooms + 1)] as const;
      })
      .sort((a, b) => b[1] - a[1]);
    expect(asked(text)).toEqual(
      byHand.map(([name, ...numbers]) => [name, ...numbers.map((number) => expect.closeTo(number, 8))]),
    );
    const [[share]] = asked('SELECT COUNT(*) / (SELECT COUNT(*) FROM persons) FROM households');
    expect(share).toBeCloseTo(1000 / model.total, 10);
  });

  it('groups households by a CASE and filters aggregates by who lives in them', () => {
    const holds = 'EXISTS (SELECT 1 FROM persons WHERE age < 18)';
    const text = `SELECT CASE WHEN ${holds} THEN 'children' WHEN rooms > 2 THEN region ELSE 'none' END AS kind, COUNT(*),
      SUM(rooms) FILTER (WHERE ${holds} AND rooms < 4), AVG(CASE WHEN region = 'north' THEN rooms END), MAX(rooms)
      FROM households GROUP BY kind`;
    const names = ['north', 'south', 'west', null];
    const keyOf = ({ people, rooms, region }: Home) =>
      people.some(child) ? 'children' : rooms > 1 ? names[region] : 'none';
    const weighed = homes.map((home, h) => ({ ...home, weight: 1000 * weights[h] }));
    const answers = asked(text);
    expect(answers.map(([key]) => key)).toEqual(['children', 'none', 'north', 'south', 'west', null]);
    for (const [key, count, sum, mean, most] of answers) {
      const own = weighed.filter((home) => keyOf(home) === key);
      const add = (list: typeof own, of: (home: Home) => number) =>
        list.reduce((all, home) => all + home.weight * of(home), 0);
      expect(count).toBeCloseTo(
        add(own, () => 1),
        8,
      );
      const few = own.filter((home) => home.people.some(child) && home.rooms < 3);
      if (few.length === 0) expect(sum).toBeNull();
      else
        expect(sum).toBeCloseTo(
          add(few, ({ rooms }) => rooms + 1),
          8,
        );
      const north = own.filter(({ region }) => region === 0);
      if (north.length === 0) expect(mean).toBeNull();
      else expect(mean).toBeCloseTo(add(north, ({ rooms }) => rooms + 1) / add(north, () => 1), 8);
      const upwards = [4, 3, 2, 1].find(
        (rooms) =>
          add(
            own.filter((home) => home.rooms + 1 >= rooms),
            () => 1,
          ) >= 0.5,
      );
      expect(most).toBe(upwards);
    }
  });

  it('counts persons with what is said of their households, joined or not', () => {
    const by = "WHERE age < 18 AND region = 'north' GROUP BY sex";
    const plain = asked(`SELECT sex, COUNT(*) FROM data ${by}`);
    expect(plain).toHaveLength(3);
    for (const from of [
      'persons',
      'persons JOIN households USING (hhID)',
      'households h INNER JOIN persons AS p ON h.hhID = p.hhID',
    ])
      expect(asked(`SELECT sex, COUNT(*) FROM ${from} ${by}`)).toEqual(plain);
  });

  it('agrees with the queries that count households where a model draws them, to within chance', () => {
    const own = seeded(3);
    const probabilities = Float32Array.from(
      Array.from({ length: 4 }, () =>
        householdHeads(domain).sizes.flatMap((size) => {
          const shares = Array.from({ length: size }, () => uniform(own) + 0.05);
          const all = shares.reduce((a, b) => a + b);
          return shares.map((share) => share / all);
        }),
      ).flat(),
    );
    const drawn = householdMixture(domain, probabilities, 1000);
    const [{ rows: found }] = answerSql(
      "SELECT region, COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons WHERE age BETWEEN 0 AND 17 AND sex = 'f') GROUP BY region",
      { model: drawn, measurements: [] },
    );
    // 100,000 drawn households: a share is off by less than 5 standard deviations, 0.8 points, but for one in two million.
    const cells = drawn.answer(holding('region', 'age', 'sex'));
    found.forEach(({ values }, region) => {
      expect(Math.abs((values[1] as number) - cells[region * 12])).toBeLessThan(8);
    });
  });

  it('has bounds from replicates, and from the noise where the number itself was measured', () => {
    const other = (factor: number) => householdSupportModel({ table, weights }, 1000 * factor);
    const replicates = { models: [other(1.1), other(0.9)], truths: [model, model], seed: 1, clump: 1, inflation: 1 };
    const source = { model, measurements: [], replicates };
    const [{ rows: bounded }] = answerSql('SELECT COUNT(*) FROM households WHERE rooms = 1', source);
    expect(bounded[0].low[0]).toBeLessThan(bounded[0].values[0] as number);
    expect(bounded[0].high[0]).toBeGreaterThan(bounded[0].values[0] as number);
    const measured = {
      query: holding(),
      noise: { kind: 'gaussian', scale: 10 } as const,
      values: Float64Array.of(1010),
    };
    const [{ rows: noisy }] = answerSql('SELECT COUNT(*) FROM households', { model, measurements: [measured] });
    expect([noisy[0].low[0], noisy[0].high[0]]).toEqual([
      expect.closeTo(1010 - 20.1, 0),
      expect.closeTo(1010 + 20.1, 0),
    ]);
  });

  it.each<[string, RegExp]>([
    ['SELECT COUNT(*) FROM homes', /FROM must name data, persons or households, got "homes"/],
    [
      'SELECT COUNT(*) FROM households WHERE age < 18',
      /"age" is said of persons, and households are counted here; ask for it within EXISTS/,
    ],
    ['SELECT age, COUNT(*) FROM households GROUP BY age', /"age" is said of persons/],
    ['SELECT AVG(age) FROM households', /"age" is said of persons/],
    [
      'SELECT COUNT(*) FROM persons JOIN persons USING (hhID)',
      /must be of persons and households, got one of them twice/,
    ],
    ['SELECT COUNT(*) FROM persons JOIN households USING (region)', /must be joined on their key, got "region"/],
    [
      'SELECT COUNT(*) FROM persons JOIN households ON persons.a = households.b',
      /must be joined on their key, got "a" and "b"/,
    ],
    ['SELECT COUNT(*) FROM households WHERE region IN (SELECT region FROM persons)', /must be joined on their key/],
    [
      'SELECT COUNT(*) FROM households WHERE hhID IN (SELECT hhID, age FROM persons)',
      /SELECT within another must give one number|IN with a SELECT must be of a key/,
    ],
    ['SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM households)', /must be asked of persons/],
    ['SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons LIMIT 1)', /no order and no end/],
    [
      'SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons GROUP BY age HAVING COUNT(*) > 1)',
      /must be joined on their key, got "age"/,
    ],
    [
      'SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons GROUP BY hhID HAVING AVG(age) > 1)',
      /must compare COUNT\(\*\) with a number/,
    ],
    [
      'SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons WHERE age < 20)',
      /"age" is not known more finely than by its bins/,
    ],
    [
      'SELECT COUNT(*) FROM persons WHERE EXISTS (SELECT 1 FROM persons)',
      /must be a condition that a model can answer/,
    ],
  ])('refuses %s', (text, sentence) => {
    expect(() => asked(text)).toThrow(sentence);
    expect(() => asked(text)).toThrow(/^SQL 1:\d+: /);
  });

  it('are no table of a flat release', () => {
    const flat = supportModel(supportOf({ ...table, domain: { attributes: domain.attributes } }), 10);
    for (const text of ['SELECT COUNT(*) FROM households', 'SELECT COUNT(*) FROM persons JOIN households USING (hhID)'])
      expect(() => answerSql(text, { model: flat, measurements: [] })).toThrow(/FROM must name the one table there is/);
  });
});
