import { describe, expect, it } from 'vitest';
import { readMeasurements, writeMeasurements } from '../src/bundle/codec/measurements-file.js';
import { matchCharges } from '../src/bundle/match-charges.js';
import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import { partialWorkloads } from '../src/estimate/ide/workloads.js';
import { estimateReweighted } from '../src/estimate/reweight/reweight.js';
import { estimateTotal } from '../src/estimate/total/estimate-total.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import { marginal } from '../src/query/marginal.js';
import { parseQuery } from '../src/query/parse-query.js';
import { factored, type Query } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { plainDomain, plainSource, plainTable, type Row } from './support/plain-source.js';
import { countRows } from './support/row-answers.js';

// A query that is no product, its attributes against the order of the domain, and products with a matrix of both signs.
const domain = plainDomain([3, 2, 4]);
const random = seeded(1);
const rows: Row[] = Array.from({ length: 400 }, () => {
  const a = uniformInteger(random, 3);
  return [a, Math.min(1, uniformInteger(random, 3)), Math.min(3, a + uniformInteger(random, 3))];
});
const dense: Query = {
  kind: 'dense',
  attributes: ['c', 'a'],
  rows: [...Array(12).keys()].map((r) => [...Array(12).keys()].map((cell) => (r === cell ? 5 : r < cell ? -2 : 1))),
};
const product = factored({
  c: {
    kind: 'matrix',
    rows: [
      [1, 1, 1, 1],
      [3, -1, -1, -1],
      [0, 2, -1, -1],
      [0, 0, 1, -1],
    ],
  },
  b: {
    kind: 'matrix',
    rows: [
      [2, 1],
      [-1, 2],
    ],
  },
});
const queries = [dense, product, marginal('a')];

const exact = (query: Query): Float64Array => answerFrom(query, domain, countRows(domain, attributesOf(query), rows));

const noiseless: Measurement[] = queries.map((query) => ({
  query,
  values: exact(query),
  noise: { kind: 'gaussian', scale: 0.01 },
}));

const furthest = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

describe('queries of any integers', () => {
  it.each<[Relation, { epsilon: number; delta?: number }]>([
    ['add-remove', { epsilon: 1e6 }],
    ['add-remove', { epsilon: 1e6, delta: 1e-9 }],
    ['replace-one', { epsilon: 1e6 }],
    ['replace-one', { epsilon: 1e6, delta: 1e-9 }],
  ])('are measured under %s with %j, written, read and matched with their charges', async (relation, budget) => {
    const source = plainSource(domain, rows);
    const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
    const session = openSession({ source, ledger, budget, relation });
    const measured = await session.measure(queries, 1, { weights: [3, 2, 1] });
    // With so large a budget the noise is nearly always 0.
    measured.forEach(({ values }, i) => {
      expect(furthest(values, exact(queries[i]))).toBeLessThan(3);
    });
    const plain = measured.map(({ query, noise }) => ({
      query: parseQuery(JSON.parse(JSON.stringify(query)), domain),
      noise,
    }));
    expect(readMeasurements(writeMeasurements(measured), plain, domain, 'values')).toEqual(measured);
    const charges = session.acts().flatMap((act) => act.charges);
    const setting = { domain, relation, unit: session.unit };
    expect(matchCharges(plain, charges, setting)).toEqual([]);
    const other: Query = { ...dense, rows: dense.rows.map((row) => row.map((entry) => 2 * entry)) };
    const [, ...rest] = plain;
    expect(matchCharges([{ ...plain[0], query: other }, ...rest], charges, setting).length).toBeGreaterThan(0);
    await session.close();
  });

  it.each(['l2', 'l1'] as const)('are fitted by a graphical model with %s loss', async (loss) => {
    const { model } = await estimateGraphical(domain, noiseless, { loss, until: 'converged', iterations: 3000 });
    for (const query of queries) expect(furthest(model.answer(query), exact(query))).toBeLessThan(1.5);
    expect(furthest(model.marginal(['a', 'c']), exact(marginal('a', 'c')))).toBeLessThan(1);
  });

  it('are fitted by weights of rows', async () => {
    const support = supportOf(plainTable(domain, rows.slice(0, 300)));
    const fitted = await estimateReweighted(support, noiseless, { random, until: 'converged', iterations: 3000 });
    const model = supportModel(fitted.support, fitted.total);
    for (const query of queries) expect(furthest(model.answer(query), exact(query))).toBeLessThan(4);
  });

  it('tell the number of records where their rows span it', () => {
    expect(estimateTotal([noiseless[0]], domain)).toBeCloseTo(400, 6);
    expect(estimateTotal([noiseless[1]], domain)).toBeCloseTo(400, 6);
    const contrast = factored({ a: { kind: 'matrix', rows: [[1, -1, 0]] } });
    expect(() => estimateTotal([{ ...noiseless[0], query: contrast, values: exact(contrast) }], domain)).toThrow(
      'total',
    );
  });

  it('are refused by IDE, which only takes counts', () => {
    expect(() => partialWorkloads([noiseless[0]], domain)).toThrow(
      'IDE: measured queries must count rows (entries 0 or 1), got 12 linear combinations of c x a',
    );
  });
});
