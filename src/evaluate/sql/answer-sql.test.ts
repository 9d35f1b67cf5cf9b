import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOfNumber, isoDay, periods } from '../../domain/attribute/calendar.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import type { Model } from '../../model/model.js';
import { supportModel } from '../../model/support/support-model.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { uniformSupport } from '../../release/mwem/uniform-support.js';
import { answerSql } from './answer-sql.js';
import type { SqlValue } from './sql-value.js';

const domain = domainOf([
  { name: 'Home Town', type: 'category', values: ['Ash', "O'Brien", 'Elm'], other: 'elsewhere', null: true },
  { name: 'works', type: 'boolean', null: true },
  { name: 'age', type: 'integer', edges: [0, 10, 20, 40] },
  { name: 'kids', type: 'integer', min: 0, max: 2, null: true },
  { name: 'income', type: 'number', edges: [0, 0.5, 2] },
  { name: 'born', type: 'date', by: 'quarter', min: '2020-02-01', max: '2020-12-31' },
  { name: 'school', type: 'category', values: ['none', 'some', 'all'], ordered: true, other: 'odd' },
]);
const random = seeded(9);
const whole = uniformSupport(domain);
const weights = whole.weights.map(() => (uniform(random) < 0.8 ? 0 : uniform(random)));
const sum = weights.reduce((total, weight) => total + weight, 0);
const full = supportModel({ ...whole, weights: weights.map((weight) => weight / sum) }, 5000);
/** A model that answers factored queries and nothing else: SQL may not look at marginals or draw rows. */
const model: Model = {
  domain,
  total: full.total,
  answer: (query) => {
    expect(query.kind).toBe('factored');
    return full.answer(query);
  },
  marginal: () => expect.fail('asked for a marginal'),
  sample: () => expect.fail('asked for rows'),
};
const ask = (text: string, withinBins = false) => answerSql(text, { model, measurements: [] }, { withinBins })[0];

/** A record as SQL would see it, with the weight that it stands for. */
type Record_ = Readonly<Record<string, SqlValue>>;
const quarter = (cell: number) =>
  isoDay(dayOfNumber(periods.quarter.start(periods.quarter.number({ year: 2020, month: 1, day: 1 }) + cell)));
const values: readonly ((cell: number) => SqlValue[])[] = [
  (cell) => [['Ash', "O'Brien", 'Elm', 'elsewhere', null][cell]],
  (cell) => [[false, true, null][cell]],
  (cell) => Array.from({ length: [10, 10, 20][cell] }, (_, i) => [0, 10, 20][cell] + i),
  (cell) => [[0, 1, 2, null][cell]],
  (cell) => [[0.25, 1.25][cell]],
  (cell) => [quarter(cell)],
  (cell) => [['none', 'some', 'all', 'odd'][cell]],
];
const labels: Readonly<Record<string, (value: SqlValue) => SqlValue>> = {
  age: (value) => (Number(value) < 10 ? '0-9' : Number(value) < 20 ? '10-19' : '20-39'),
  income: (value) => (Number(value) < 0.5 ? '[0, 0.5)' : '[0.5, 2]'),
  born: (value) => ({ '01': '2020-Q1', '04': '2020-Q2', '07': '2020-Q3', '10': '2020-Q4' })[String(value).slice(5, 7)]!,
};
const names = domain.attributes.map(({ name }) => name);
/** Every cell of the whole domain, written out from the model's full marginal, one record for each whole age in it. */
const records: { readonly record: Record_; readonly weight: number }[] = [];
full.marginal(names).forEach((weight, index) => {
  if (weight === 0) return;
  let rest = index;
  const cells = domain.attributes.map(() => 0);
  for (let a = names.length - 1; a >= 0; a--) {
    cells[a] = rest % domain.attributes[a].size;
    rest = Math.floor(rest / domain.attributes[a].size);
  }
  const ages = values[2](cells[2]);
  for (const age of ages) {
    const record = Object.fromEntries(names.map((name, a) => [name, a === 2 ? age : values[a](cells[a])[0]]));
    records.push({ record, weight: weight / ages.length });
  }
});

/** A condition as text and as what it means: true, false, or undefined for unknown. */
interface Meaning {
  readonly text: string;
  readonly holds: (record: Record_) => boolean | undefined;
}
const order = ['none', 'some', 'all'];
const compared = (a: number, b: number): Record<string, boolean> => ({
  '=': a === b,
  '<>': a !== b,
  '<': a < b,
  '<=': a <= b,
  '>': a > b,
  '>=': a >= b,
});
const onNumber = (column: string, name: string, literals: readonly number[], operators: readonly string[]) =>
  fc.tuple(fc.constantFrom(...literals), fc.constantFrom(...operators)).map(
    ([literal, operator]): Meaning => ({
      text: `${column} ${operator} ${literal}`,
      holds: (record) => (record[name] === null ? undefined : compared(Number(record[name]), literal)[operator]),
    }),
  );
const all = ['=', '<>', '<', '<=', '>', '>='];
const simple = (ages: readonly number[]): fc.Arbitrary<Meaning> =>
  fc.oneof(
    onNumber('age', 'age', ages, ['<', '>=']),
    onNumber(
      'AGE',
      'age',
      ages.map((age) => age - 1),
      ['<=', '>'],
    ),
    onNumber('kids', 'kids', [-1, 0, 1, 2, 1.5, 3], all),
    onNumber('data.income', 'income', [0, 0.5], ['<', '>=']),
    fc.tuple(fc.constantFrom(...ages), fc.constantFrom(...ages), fc.boolean()).map(
      ([low, high, not]): Meaning => ({
        text: `age ${not ? 'NOT ' : ''}BETWEEN ${low} AND ${high - 1}`,
        holds: ({ age }) => (Number(age) >= low && Number(age) <= high - 1) !== not,
      }),
    ),
    fc.tuple(fc.subarray(['Ash', "O'Brien", 'Elm', 'elsewhere'], { minLength: 1 }), fc.boolean()).map(
      ([list, not]): Meaning => ({
        text: `"Home Town" ${not ? 'NOT ' : ''}IN (${list.map((text) => `'${text.replace("'", "''")}'`).join(', ')})`,
        holds: ({ 'Home Town': town }) => (town === null ? undefined : list.includes(String(town)) !== not),
      }),
    ),
    fc.tuple(fc.constantFrom('Home Town', 'works', 'kids', 'age'), fc.boolean()).map(
      ([name, not]): Meaning => ({
        text: `"${name}" IS ${not ? 'NOT ' : ''}NULL`,
        holds: (record) => (record[name] === null) !== not,
      }),
    ),
    fc.constant<Meaning>({ text: 'works', holds: ({ works }) => (works === null ? undefined : works === true) }),
    fc.constant<Meaning>({
      text: 'FALSE = works',
      holds: ({ works }) => (works === null ? undefined : works === false),
    }),
    fc.tuple(fc.constantFrom(...order), fc.constantFrom(...all)).map(
      ([literal, operator]): Meaning => ({
        text: `school ${operator} '${literal}'`,
        holds: ({ school }) => {
          const place = order.indexOf(String(school));
          if (place >= 0) return compared(place, order.indexOf(literal))[operator];
          return operator === '=' ? false : operator === '<>' ? true : undefined;
        },
      }),
    ),
    fc.tuple(fc.constantFrom('2020-04-01', '2020-07-01', '2020-10-01'), fc.constantFrom('<', '>=')).map(
      ([day, operator]): Meaning => ({
        text: `born ${operator} DATE '${day}'`,
        holds: ({ born }) => (operator === '<' ? String(born) < day : String(born) >= day),
      }),
    ),
    fc
      .constantFrom('2020-Q2', '2020-Q4')
      .map((label): Meaning => ({ text: `born = '${label}'`, holds: ({ born }) => labels.born(born) === label })),
  );
const conditions = (ages: readonly number[]): fc.Arbitrary<Meaning> =>
  fc.letrec<{ condition: Meaning }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      simple(ages),
      tie('condition').map(({ text, holds }) => ({
        text: `NOT (${text})`,
        holds: (record: Record_) => {
          const known = holds(record);
          return known === undefined ? undefined : !known;
        },
      })),
      fc.tuple(tie('condition'), tie('condition'), fc.boolean()).map(([a, b, or]) => ({
        text: `(${a.text} ${or ? 'OR' : 'AND'} ${b.text})`,
        holds: (record: Record_) => {
          const both = [a.holds(record), b.holds(record)];
          return both.includes(or) ? or : both.includes(undefined) ? undefined : !or;
        },
      })),
    ),
  })).condition;

/** An aggregate as text, and by hand. */
const aggregate = fc.constantFrom<{ text: string; of: (rows: typeof records) => number | null }>(
  { text: 'COUNT(*)', of: (rows) => total(rows) },
  { text: 'count(kids)', of: (rows) => total(filled(rows, 'kids')) },
  { text: 'SUM(kids)', of: (rows) => summed(rows, 'kids') },
  { text: 'AVG(kids)', of: (rows) => mean(rows, 'kids') },
  { text: 'AVG(age)', of: (rows) => mean(rows, 'age') },
  { text: 'SUM(income)', of: (rows) => summed(rows, 'income') },
  { text: 'AVG(works)', of: (rows) => mean(rows, 'works') },
  { text: 'SHARE()', of: (rows) => total(rows) / 5000 },
  { text: 'PERCENT(*)', of: (rows) => total(rows) / 50 },
  { text: 'COUNT(*) * 1.0 / (SELECT COUNT(*) FROM data)', of: (rows) => total(rows) / 5000 },
  {
    text: 'COUNT(*) FILTER (WHERE age >= 10 OR kids = 1)',
    of: (rows) => total(rows.filter(({ record: { age, kids } }) => Number(age) >= 10 || kids === 1)),
  },
  {
    text: 'SUM(CASE WHEN kids = 1 THEN age WHEN works THEN 2 END)',
    of: (rows) => {
      const own = rows.flatMap(({ record: { age, kids, works }, weight }) =>
        kids === 1 ? [weight * Number(age)] : works === true ? [2 * weight] : [],
      );
      return own.length === 0 ? null : own.reduce((a, b) => a + b);
    },
  },
  {
    text: 'STDDEV_POP(kids)',
    of: (rows) => {
      const [own, middle] = [filled(rows, 'kids'), mean(rows, 'kids')];
      const squares = own.reduce((a, { record, weight }) => a + weight * (Number(record.kids) - middle!) ** 2, 0);
      return middle === null ? null : Math.sqrt(squares / total(own));
    },
  },
  { text: '-(2 + COUNT(*)) / 4', of: (rows) => -(2 + total(rows)) / 4 },
  {
    text: 'SUM(age) - (SELECT SUM(age) FROM data WHERE kids > 0)',
    of: (rows) => {
      const own = summed(rows, 'age');
      return own === null
        ? null
        : own -
            summed(
              records.filter(({ record }) => Number(record.kids) > 0),
              'age',
            )!;
    },
  },
);
const total = (rows: typeof records) => rows.reduce((all_, { weight }) => all_ + weight, 0);
const filled = (rows: typeof records, name: string) => rows.filter(({ record }) => record[name] !== null);
const summed = (rows: typeof records, name: string) => {
  const own = filled(rows, name);
  return own.length === 0 ? null : own.reduce((all_, { record, weight }) => all_ + weight * Number(record[name]), 0);
};
const mean = (rows: typeof records, name: string) => {
  const own = filled(rows, name);
  return own.length === 0 ? null : summed(own, name)! / total(own);
};

const question = fc.boolean().chain((withinBins) =>
  fc.record({
    withinBins: fc.constant(withinBins),
    where: fc.option(conditions(withinBins ? [0, 3, 7, 10, 15, 20, 33, 40] : [0, 10, 20, 40]), { freq: 6 }),
    groups: fc.subarray(names, { maxLength: 2 }),
    columns: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
  }),
);

describe('SQL', () => {
  it('gives what every cell of the domain, taken one by one, gives: 200 statements', () => {
    const seen = { rows: 0, grouped: 0 };
    fc.assert(
      fc.property(question, ({ withinBins, where, groups, columns }) => {
        const list = [...groups.map((name) => `"${name}"`), ...columns.map(({ text }) => text)].join(', ');
        const grouping = groups.length === 0 ? '' : ` GROUP BY ${groups.map((name) => `"${name}"`).join(', ')}`;
        const text = `SELECT ${list} FROM data${where === null ? '' : ` WHERE ${where.text}`}${grouping}`;
        const chosen = where === null ? records : records.filter(({ record }) => where.holds(record) === true);
        const keyOf = (record: Record_) => groups.map((name) => labels[name]?.(record[name]) ?? record[name]);
        const expected = new Map<string, typeof records>(groups.length === 0 ? [['[]', chosen]] : []);
        if (groups.length > 0)
          for (const entry of chosen) {
            const key = JSON.stringify(keyOf(entry.record));
            if (!expected.has(key)) expected.set(key, []);
            expected.get(key)!.push(entry);
          }
        const { rows } = ask(text, withinBins);
        expect(rows.map(({ values: row }) => JSON.stringify(row.slice(0, groups.length))).sort()).toEqual(
          [...expected.keys()].sort(),
        );
        for (const { values: row } of rows) {
          const own = expected.get(JSON.stringify(row.slice(0, groups.length)))!;
          columns.forEach(({ of }, i) => {
            const right = of(own);
            const got = row[groups.length + i];
            if (right === null) expect(got, text).toBeNull();
            else expect(Math.abs(Number(got) - right), text).toBeLessThan(1e-7 * (1 + Math.abs(right)));
          });
        }
        seen.rows += rows.length;
        seen.grouped += groups.length > 0 ? 1 : 0;
      }),
      { numRuns: 200, seed: 20 },
    );
    expect(seen.rows).toBeGreaterThan(500);
    expect(seen.grouped).toBeGreaterThan(80);
  });

  it('is the model’s own factored answer where the question is one', () => {
    const { rows } = ask('SELECT works, COUNT(*) FROM data WHERE age >= 10 AND kids IN (0, 2) GROUP BY works');
    const answers = full.answer({
      kind: 'factored',
      factors: [
        { attribute: 'works', block: { kind: 'keep' } },
        { attribute: 'age', block: { kind: 'set', cells: [1, 2] } },
        { attribute: 'kids', block: { kind: 'set', cells: [0, 2] } },
      ],
    });
    expect(rows.map(({ values: row }) => row[1])).toEqual([...answers].map((answer) => expect.closeTo(answer, 8)));
  });

  it('orders, filters groups and cuts the list as asked', () => {
    const all_ = ask('SELECT kids, COUNT(*) AS n FROM data GROUP BY 1');
    expect(all_.columns).toEqual([
      { title: 'kids', kind: 'attribute' },
      { title: 'n', kind: 'number' },
    ]);
    const counts = new Map(all_.rows.map(({ values: [kids, n] }) => [kids, Number(n)]));
    const sorted = [...counts.entries()].sort((a, b) => b[1] - a[1]).map(([kids]) => kids);
    const down = ask('SELECT kids, COUNT(*) AS n FROM data GROUP BY kids ORDER BY n DESC LIMIT 2 OFFSET 1');
    expect(down.rows.map(({ values: [kids] }) => kids)).toEqual(sorted.slice(1, 3));
    const limit = [...counts.values()].sort((a, b) => a - b)[1];
    const kept = ask(
      `SELECT kids FROM data GROUP BY kids HAVING NOT (COUNT(*) < ${limit} OR 1 > 2) ORDER BY kids DESC`,
    );
    expect(kept.rows.map(({ values: [kids] }) => kids)).toEqual(
      [null, 2, 1, 0].filter((kids) => counts.get(kids)! >= limit),
    );
    expect(ask('SELECT 1, AVG(kids) FROM data WHERE kids > 7').rows).toEqual([
      { values: [1, null], low: [null, null], high: [null, null] },
    ]);
  });

  it('answers several statements of one text', () => {
    const text = 'SELECT COUNT(*) FROM data;\nSELECT SHARE() FROM data WHERE works = TRUE;';
    expect(answerSql(text, { model, measurements: [] })).toHaveLength(2);
  });

  it('gives bounds where noise or replicates know one', () => {
    const measurements = [
      {
        query: marginal('works', 'kids'),
        values: full.marginal(['works', 'kids']),
        noise: { kind: 'gaussian', scale: 4 } as const,
      },
    ];
    const other = (factor: number): Model => supportModel(full.support, 5000 * factor);
    const replicates = { models: [other(1.1), other(0.9)], truths: [full, full], seed: 0, clump: 1, inflation: 1 };
    const text = 'SELECT works, COUNT(*), SUM(kids), SHARE() FROM data WHERE kids < 2 GROUP BY works';
    const noise = answerSql(text, { model: full, measurements })[0].rows[0];
    expect(Number(noise.high[1]) - Number(noise.values[1])).toBeCloseTo(0.5 + 1.959964 * 4 * Math.SQRT2, 4);
    expect(noise.high.slice(2)).toEqual([null, null]);
    const both = answerSql(text, { model: full, measurements, replicates })[0].rows[0];
    expect(both.high[1]).toBeCloseTo(Number(noise.high[1]), 6);
    expect(both.low[2]!).toBeLessThan(Number(both.values[2]));
    // Shares do not move when the total does: nothing is known of them.
    expect(both.low[3]).toBeNull();
    const elsewhere = answerSql("SELECT COUNT(*) FROM data WHERE school = 'all'", {
      model: full,
      measurements,
      replicates,
    })[0];
    // Student-t of two degrees at 97%.
    expect(Number(elsewhere.rows[0].high[0]) / Number(elsewhere.rows[0].values[0])).toBeCloseTo(1 + 0.1 * 5.642778, 4);
  });

  it('does not fall into ever more products where its conditions repeat', () => {
    const clause = (i: number) => `(kids = ${i % 3} OR age < 10 OR works OR income < 0.5 OR school = 'all')`;
    const text = `SELECT COUNT(*) FROM data WHERE ${Array.from({ length: 30 }, (_, i) => clause(i)).join(' AND ')}`;
    expect(Number(ask(text).rows[0].values[0])).toBeGreaterThan(0);
  });
});

describe('SQL that cannot be answered', () => {
  it.each([
    ['SELEC works FROM data', '1:1', /did you mean SELECT\?/],
    ['SELECT COUNT(*) FORM data', '1:22', /did you mean FROM\?/],
    ['SELECT COUNT(*) FROM data WERE works', '1:32', /did you mean WHERE\?/],
    ['SELECT COUNT(*)\nFROM data\nWHERE', '3:6', /got its end; write SELECT/],
    ["SELECT COUNT(*) FROM data WHERE school = 'all", '1:42', /quotation begins here/],
    ['SELECT COUNT(*) FROM people', '1:22', /write FROM data/],
    ['SELECT COUNT(*)', '1:1', /must say FROM data/],
    ['SELECT * FROM data', '1:8', /no single records/],
    ['SELECT DISTINCT works FROM data', '1:8', /use GROUP BY/],
    ['DELETE FROM data', '1:1', /must be a SELECT/],
    ['SELECT COUNT(*) FROM data UNION SELECT COUNT(*) FROM data', '1:1', /must be a SELECT, got UNION/],
    ['SELECT COUNT(*) FROM data JOIN data', '1:22', /joins/],
    ['SELECT works, COUNT(*) FROM data', '1:8', /add GROUP BY works/],
    ['SELECT wroks, COUNT(*)\nFROM data\nGROUP BY wroks', '3:10', /did you mean works\?/],
    ['SELECT COUNT(*) FROM data WHERE zzz = 1', '1:33', /it has Home Town, works, age/],
    ['SELECT FIRST(age) FROM data', '1:8', /there are COUNT, SUM, AVG, SHARE, PERCENT, MIN, MAX, MEDIAN/],
    ['SELECT CUONT(*) FROM data', '1:8', /did you mean COUNT\?/],
    ['SELECT COUNT(DISTINCT age) FROM data', '1:14', /has no answer: a model knows how many records each cell holds/],
    ['SELECT MIN(school) FROM data', '1:12', /MIN must be of numbers or dates, and "school" is a category/],
    ['SELECT STDDEV(born) FROM data', '1:15', /STDDEV_SAMP must be of numbers, and "born" is a date/],
    ['SELECT MIN(born) + 1 FROM data', '1:12', /is a date and no number/],
    ['SELECT CORR(age) FROM data', '1:8', /two attributes.*CORR\(income, age\)/],
    ['SELECT QUANTILE(age) FROM data', '1:8', /QUANTILE\(age, 0\.25\)/],
    ['SELECT QUANTILE(age, 25) FROM data', '1:22', /one share from 0 to 1/],
    ['SELECT PERCENTILE_CONT(0.5) FROM data', '1:8', /WITHIN GROUP \(ORDER BY age\)/],
    ['SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY age DESC) FROM data', '1:52', /leave DESC out/],
    ['SELECT SUM(age) WITHIN GROUP (ORDER BY age) FROM data', '1:40', /without an order or OVER/],
    ['SELECT COUNT(*) OVER () FROM data', '1:17', /without an order or OVER/],
    ['SELECT CASE WHEN works THEN 1 END FROM data', '1:8', /grouped by or stand within an aggregate/],
    ['SELECT 1 + CASE WHEN works THEN 1 END FROM data', '1:12', /within an aggregate: SUM\(CASE/],
    ['SELECT SUM(CASE WHEN works THEN age + 1 END) FROM data', '1:33', /a CASE must give attributes, values/],
    ["SELECT SUM(CASE WHEN works THEN 'a' END) FROM data", '1:33', /must be of numbers, got a text/],
    ['SELECT MEDIAN(CASE WHEN works THEN age ELSE 0 END) FROM data', '1:15', /one attribute, or of numbers alone/],
    ['SELECT CASE WHEN works END, COUNT(*) FROM data GROUP BY 1', '1:24', /must be SQL that can be read/],
    ['SELECT COUNT(*) FILTER (works) FROM data', '1:25', /must be SQL that can be read/],
    ['SELECT SUM(*) FROM data', '1:8', /for example SUM\(age\)/],
    ['SELECT SUM(school) FROM data', '1:12', /a category; count it with GROUP BY school/],
    ['SELECT age + 1 FROM data GROUP BY age', '1:8', /use SUM\(age\) or AVG\(age\)/],
    ['SELECT COUNT(*) FROM data WHERE age = 33', '1:39', /the bin 20-39, from 20 to 39, or say `withinBins`/],
    ['SELECT COUNT(*) FROM data WHERE age BETWEEN 10 AND 25', '1:52', /25 divides one/],
    ['SELECT COUNT(*) FROM data WHERE income <= 0.5', '1:43', /write < 0\.5/],
    ['SELECT COUNT(*) FROM data WHERE income < 2', '1:42', /write <= 2/],
    ['SELECT COUNT(*) FROM data WHERE income < 0.7', '1:42', /from 0\.5 to below 2/],
    ['SELECT COUNT(*) FROM data WHERE income = 0.5', '1:42', /ask for a range/],
    ["SELECT COUNT(*) FROM data WHERE born >= '2020-05-01'", '1:41', /the period 2020-Q2/],
    [
      "SELECT COUNT(*) FROM data WHERE born = 'May'",
      '1:40',
      /write a day such as '2020-01-01' or a period such as '2020-Q1'/,
    ],
    [
      'SELECT COUNT(*) FROM data WHERE "Home Town" = \'Elmm\'',
      '1:47',
      /"Home Town" has no such value, got 'Elmm'; did you mean Elm\?; values that are not listed share "elsewhere"/,
    ],
    ['SELECT COUNT(*) FROM data WHERE "Home Town" < \'Elm\'', '1:47', /no order/],
    ["SELECT COUNT(*) FROM data WHERE age = 'old'", '1:39', /it goes from 0-9 to 20-39/],
    ['SELECT COUNT(*) FROM data WHERE kids = NULL', '1:40', /write IS NULL/],
    ['SELECT COUNT(*) FROM data WHERE kids = age', '1:40', /not with each other/],
    [
      "SELECT COUNT(*) FROM data WHERE age LIKE '1%'",
      '1:33',
      /LIKE must be of a category, and "age" is of type integer/,
    ],
    ['SELECT COUNT(*) FROM data WHERE school LIKE 1', '1:45', /LIKE must have a text/],
    ["SELECT COUNT(*) FROM data WHERE school LIKE 'a!' ESCAPE '!'", '1:45', /must not end with its sign of escape/],
    ["SELECT COUNT(*) FROM data WHERE school LIKE 'a' ESCAPE '!!'", '1:56', /ESCAPE must be one sign/],
    ['SELECT COUNT(*) FROM data WHERE age', '1:33', /no boolean/],
    ['SELECT COUNT(*) FROM data WHERE works = 3', '1:41', /TRUE or FALSE/],
    ['SELECT COUNT(*) FROM data GROUP BY works HAVING works', '1:49', /HAVING must compare numbers/],
    ['SELECT COUNT(*) FROM data ORDER BY 3', '1:36', /from 1 to 1/],
    ['SELECT COUNT(*) FROM data LIMIT works', '1:33', /whole numbers/],
    ['SELECT COUNT(*) / (SELECT kids FROM data GROUP BY kids) FROM data', '1:20', /must give one number/],
    ['SELECT SHARE(age) FROM data', '1:14', /nothing in its parentheses/],
    ['WITH x AS (SELECT 1) SELECT COUNT(*) FROM data', '1:1', /must have no WITH/],
  ])('%s is refused at %s with a hint', (text, place, hint) => {
    const told = () => ask(text);
    expect(told).toThrow(InputError);
    expect(told).toThrow(new RegExp(`^SQL ${place}: `));
    expect(told).toThrow(hint);
  });
});
