import { describe, expect, it } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import { supportModel } from '../../model/support/support-model.js';
import { uniformSupport } from '../../release/mwem/uniform-support.js';
import { answerSql, type SqlOptions } from './answer-sql.js';

const domain = domainOf([
  { name: 'age', type: 'integer', min: 0, max: 3, open: 'both' },
  { name: 'pay', type: 'number', edges: [0, 1, 5], open: 'above' },
  { name: 'moved', type: 'date', by: 'year', min: '2017-01-01', max: '2018-12-31', open: 'both' },
]);
const whole = uniformSupport(domain);

/** So many records of each cell of one attribute, evenly over all others. */
const modelWith = (name: string, counts: readonly number[]) => {
  const a = domain.attributes.findIndex((attribute) => attribute.name === name);
  const total = counts.reduce((x, y) => x + y, 0);
  const each = whole.weights.length / domain.attributes[a].size;
  const codes = whole.columns[a];
  return supportModel({ ...whole, weights: whole.weights.map((_, row) => counts[codes[row]] / total / each) }, total);
};
const ask = (text: string, model: ReturnType<typeof modelWith>, options: SqlOptions = {}) =>
  answerSql(`SELECT ${text} FROM data`, { model, measurements: [] }, options)[0];
const counted = (where: string, model: ReturnType<typeof modelWith>, options: SqlOptions = {}) =>
  answerSql(`SELECT COUNT(*) FROM data WHERE ${where}`, { model, measurements: [] }, options)[0];

const ages = modelWith('age', [5, 10, 20, 30, 20, 15]);
const pays = modelWith('pay', [50, 30, 20]);
const moves = modelWith('moved', [10, 20, 30, 40]);

describe('conditions on open ends', () => {
  it.each([
    ['age < 0', ages, 5],
    ['age >= 4', ages, 15],
    ['age > 3', ages, 15],
    ['age <= 3', ages, 85],
    ["age = '4 or more'", ages, 15],
    ["age = 'below 0'", ages, 5],
    ['age <> 2', ages, 70],
    ['pay > 5', pays, 20],
    ['pay <= 5', pays, 80],
    ["pay = 'above 5'", pays, 20],
    ["moved >= '2019-01-01'", moves, 40],
    ["moved > '2018'", moves, 40],
    ["moved < '2017'", moves, 10],
    ["moved = '2019 or later'", moves, 40],
    ["NOT moved = 'before 2017'", moves, 90],
  ] as const)('count what lies there: %s', (where, model, records) => {
    const { rows, remarks } = counted(where, model);
    expect(rows[0].values[0]).toBeCloseTo(records, 9);
    expect(remarks).toEqual([]);
  });

  it.each([
    ['age < 40', ages, /what is 4 or more/],
    ['age = -3', ages, /what is below 0/],
    ['pay < 5', pays, /pay" < 5 would divide the bin that ends with 5/],
    ['pay >= 100', pays, /what is above 5/],
    ["moved >= '2021-01-01'", moves, /what is 2019 or later/],
  ] as const)('are refused where they would divide one, with the way out: %s', (where, model, message) => {
    expect(() => counted(where, model)).toThrow(message);
  });

  it('take values there for evenly spread as far as the cell beside is wide, where bins may be divided, and say so', () => {
    const told = counted("moved < '2019-07-02'", moves, { withinBins: true });
    expect(told.rows[0].values[0]).toBeCloseTo(60 + (40 * 182) / 365, 9);
    expect(told.remarks).toEqual([expect.stringMatching(/"moved" nothing more is known than 2019 or later/)]);
    expect(counted('pay >= 9', pays, { withinBins: true }).rows[0].values[0]).toBe(0);
    expect(counted('pay < 7', pays, { withinBins: true }).rows[0].values[0]).toBeCloseTo(90, 9);
  });
});

describe('aggregates of open ends', () => {
  it('take an end for as long as the cell beside it, and tell how much lies there', () => {
    expect(ask('AVG(age)', ages).rows[0].values[0]).toBeCloseTo((-5 + 0 + 20 + 60 + 60 + 60) / 100, 9);
    expect(ask('AVG(pay)', pays).rows[0].values[0]).toBeCloseTo((25 + 90 + 140) / 100, 9);
    const { rows, remarks } = ask('MEDIAN(moved), MIN(moved), MAX(moved)', moves);
    expect(rows[0].values.slice(1)).toEqual(['2016-01-01', '2019-12-31']);
    expect(remarks).toContainEqual(
      '"moved" has open ends (10.0% of all records before 2017, taken to reach down to 2016-01-01; 40.0% of all records 2019 or later, taken to reach up to 2019-12-31): how far values really go there is not known, and the answer depends on it',
    );
    expect(ask('AVG(pay)', pays).remarks).toEqual([
      expect.stringMatching(/20.0% of all records above 5, taken to reach up to 9/),
    ]);
    expect(ask('COUNT(age)', ages).remarks).toEqual([]);
  });

  it('keep numbers as numbers in groups, and call open ends by their names', () => {
    const [{ rows }] = answerSql('SELECT age, COUNT(*) FROM data GROUP BY age', { model: ages, measurements: [] });
    expect(rows.map(({ values }) => values[0])).toEqual(['below 0', 0, 1, 2, 3, '4 or more']);
  });
});
