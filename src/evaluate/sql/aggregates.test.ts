import { describe, expect, it } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import { supportModel } from '../../model/support/support-model.js';
import { uniformSupport } from '../../release/mwem/uniform-support.js';
import { answerSql } from './answer-sql.js';

const domain = domainOf([
  { name: 'town', type: 'category', values: ['Ash', 'Elm'], other: 'elsewhere', null: true },
  { name: 'age', type: 'integer', edges: [0, 10, 20, 40] },
  { name: 'pay', type: 'number', edges: [0, 1, 5] },
  { name: 'born', type: 'date', by: 'month', min: '2020-01-01', max: '2020-03-31' },
]);
const whole = uniformSupport(domain);
/** So many records of each cell of one attribute, evenly over all others. */
const modelWith = (name: string, counts: readonly number[]) => {
  const a = domain.attributes.findIndex((attribute) => attribute.name === name);
  const total = counts.reduce((x, y) => x + y, 0);
  const { size } = domain.attributes[a];
  const each = whole.weights.length / size;
  const codes = whole.columns[a];
  return supportModel({ ...whole, weights: whole.weights.map((_, row) => counts[codes[row]] / total / each) }, total);
};
const one = (text: string, model: ReturnType<typeof modelWith>) =>
  answerSql(`SELECT ${text} FROM data`, { model, measurements: [] })[0];
const answered = (text: string, model: ReturnType<typeof modelWith>) => one(text, model).rows[0].values[0];

describe('percentiles of bins', () => {
  it('take the whole numbers of a bin for equally many', () => {
    const model = modelWith('age', [10, 20, 40]);
    // One record for each of 0-9, two for each of 10-19, two for each of 20-39: records 35 and 36 of 70 are those of 22.
    expect(answered('QUANTILE_DISC(age, 0.5)', model)).toBe(22);
    expect(answered('MEDIAN(age)', model)).toBe(22);
    expect(answered('QUANTILE_DISC(age, 0)', model)).toBe(0);
    expect(answered('PERCENTILE_DISC(1) WITHIN GROUP (ORDER BY age)', model)).toBe(39);
    expect(one('MEDIAN(age)', model).remarks).toEqual([expect.stringMatching(/"age" is known by bins/)]);
  });

  it('go along a bin of numbers, and give days of dates', () => {
    expect(answered('QUANTILE_DISC(pay, 0.5)', modelWith('pay', [100, 400]))).toBeCloseTo(1 + 4 * (150 / 400), 9);
    const { columns, rows } = one('MEDIAN(born), MIN(born), MAX(born)', modelWith('born', [31, 29, 0]));
    expect(columns.map(({ kind }) => kind)).toEqual(['date', 'date', 'date']);
    // Records 29 and 30 of 60, counted from 0: the 30th and the 31st of January.
    expect(rows[0].values).toEqual(['2020-01-30', '2020-01-01', '2020-02-29']);
  });
});

it('deviations and correlations say that bins are taken for their midpoints', () => {
  const model = modelWith('age', [10, 20, 40]);
  for (const text of ['STDDEV(age)', 'VAR_POP(age)', 'CORR(age, age)'])
    expect(one(text, model).remarks).toEqual([expect.stringMatching(/"age" is known by bins: .* midpoint/)]);
  expect(one('AVG(age)', model).remarks).toEqual([]);
});

describe('MIN and MAX', () => {
  it('are the ends of the first and the last cell up to which half a record is expected', () => {
    const model = modelWith('age', [0.4, 0.2, 100]);
    expect(answered('MIN(age)', model)).toBe(10);
    expect(answered('MAX(age)', model)).toBe(39);
    expect(answered('MAX(age)', modelWith('age', [0.4, 100, 0.4]))).toBe(19);
    expect(answered('MIN(age)', modelWith('age', [0.1, 0.1, 0.1]))).toBeNull();
    expect(one('MIN(age)', model).remarks[0]).toMatch(
      /MIN is the model's: the first value up to which .* half a record/,
    );
  });
});

describe('bounds', () => {
  const model = modelWith('age', [100, 200, 100]);
  const others = [
    [120, 190, 90],
    [80, 210, 110],
    [110, 180, 110],
    [95, 215, 90],
  ];
  const replicates = {
    models: others.map((counts) => modelWith('age', counts)),
    truths: others.map(() => model),
    seed: 0,
    clump: 1,
    inflation: 1,
  };
  const source = { model, measurements: [], replicates };
  const bounded = (text: string) => answerSql(`SELECT ${text} FROM data`, source)[0].rows[0];

  it('of percentiles hold the values whose shares below have the share within their bounds, and reach to the ends of cells', () => {
    const { values, low, high } = bounded('MEDIAN(age)');
    expect(values).toEqual([expect.closeTo(14.5, 9)]);
    // Shares below 10 are 0.25 +- 0.11, below 20 are 0.75 +- 0.07: the median is in the second bin for certain.
    expect([low, high]).toEqual([[10], [19]]);
    const quarter = bounded('QUANTILE_DISC(age, 0.25)');
    expect([quarter.low, quarter.high]).toEqual([[0], [19]]);
  });

  it('of extremes say up to where the records may begin', () => {
    const few = modelWith('age', [3, 200, 100]);
    const uncertain = {
      model: few,
      measurements: [],
      replicates: {
        ...replicates,
        models: [0, 7, 1, 5].map((n) => modelWith('age', [n, 200, 100])),
        truths: others.map(() => few),
      },
    };
    const [{ rows }] = answerSql('SELECT MIN(age) FROM data', uncertain);
    expect(rows[0]).toEqual({ values: [0], low: [0], high: [19] });
  });

  it('of deviations are not below 0, and those of correlations not beyond 1', () => {
    const { values, low, high } = bounded('STDDEV(age), VARIANCE(age), CORR(age, age)');
    expect(low[0]).toBeLessThan(Number(values[0]));
    expect(high[1]).toBeGreaterThan(Number(values[1]));
    expect(Number(low[1])).toBeGreaterThanOrEqual(0);
    expect([values[2], low[2]]).toEqual([expect.closeTo(1, 12), null]);
  });

  it('of a filtered count come from the noise where its cells were measured', () => {
    const measurements = [
      {
        query: { kind: 'marginal' as const, attributes: ['age'] },
        values: Float64Array.of(100, 200, 100),
        noise: { kind: 'gaussian' as const, scale: 2 },
      },
    ];
    const plain = answerSql('SELECT COUNT(*) FROM data WHERE age < 10', { model, measurements })[0].rows[0];
    const filtered = answerSql('SELECT COUNT(*) FILTER (WHERE age < 10) FROM data', { model, measurements })[0].rows[0];
    expect(filtered).toEqual(plain);
    expect(plain.low[0]).not.toBeNull();
  });
});

describe('remarks', () => {
  const model = modelWith('age', [1, 1, 1]);
  const told = (where: string) =>
    answerSql(`SELECT COUNT(*) FROM data WHERE ${where}`, { model, measurements: [] })[0].remarks;

  it.each([
    ['age = 40', /"age" goes from 0-9 to 20-39 in the schema of the release, and = 40 lies beyond/],
    ['age > 39', /> 39 lies beyond/],
    ['age < 0', /< 0 lies beyond/],
    ['age <= 99', /<= 99 reaches beyond/],
    ['age BETWEEN -5 AND 19', />= -5 reaches beyond/],
    ['pay > 5', /> 5 lies beyond/],
    ["born = '2021-01-01'", /from 2020-01 to 2020-03 in the schema .* = '2021-01-01' lies beyond/],
    ["born >= '2019-06-01'", /reaches beyond/],
    ['NOT (age <> 77)', /= 77 lies beyond/],
    ["town LIKE 'z%'", /values of "town" that share "elsewhere" are left out/],
  ])('%s is told with its answer', (where, sentence) => {
    expect(told(where)).toEqual([expect.stringMatching(sentence)]);
  });

  it.each([
    'age >= 0',
    'age < 40',
    'age <= 39',
    'pay <= 5',
    'pay >= 0',
    "born <= '2020-03-31'",
    "town LIKE 'Ash'",
    "town LIKE '%'",
  ])('%s needs none', (where) => {
    expect(told(where)).toEqual([]);
  });

  it('LIKE is neither true nor false of texts that nobody kept', () => {
    const towns = modelWith('town', [1, 2, 4, 8]);
    const count = (where: string) => answered(`COUNT(*) FILTER (WHERE ${where})`, towns);
    expect(count("town LIKE 'A%'")).toBeCloseTo(1, 9);
    expect(count("town NOT LIKE 'A%'")).toBeCloseTo(2, 9);
    expect(count("town LIKE 'else%'")).toBeCloseTo(4, 9);
    expect(count("town NOT LIKE 'Ash'")).toBeCloseTo(6, 9);
    expect(count("town LIKE '%'")).toBeCloseTo(7, 9);
  });
});
