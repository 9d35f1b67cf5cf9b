import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { countRows } from '../../../test/support/row-answers.js';
import { estimateGraphical } from '../../estimate/graphical/estimate.js';
import { estimateLls } from '../../estimate/local/estimate-lls.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import type { Session } from '../../privacy/session/session.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { type Workload, workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { hdmm, measureHdmm } from './hdmm.js';
import { planHdmm } from './hdmm-plan.js';

const domain = plainDomain([12, 3, 2]);
const random = seeded(5);
const rows: Row[] = Array.from({ length: 500 }, () => {
  const b = uniformInteger(random, 3);
  return [Math.min(11, b * 3 + uniformInteger(random, 6)), b, uniformInteger(random, 2)];
});
const exact = (query: Query): Float64Array => answerFrom(query, domain, countRows(domain, attributesOf(query), rows));

const workload = workloadOf([
  factored({ a: { kind: 'prefix' }, b: { kind: 'keep' } }),
  factored({ c: { kind: 'keep' }, a: { kind: 'prefix' } }),
  marginal('b', 'c'),
]);
const marginals = workloadOf([marginal('a', 'b'), marginal('b', 'c'), marginal('c')]);

interface Setting {
  readonly relation?: Relation;
  readonly delta?: number;
  readonly epsilon?: number;
}

const open = async ({ relation = 'add-remove', delta, epsilon = 1 }: Setting, seed: number): Promise<Session> => {
  const budget = delta === undefined ? { epsilon } : { epsilon, delta };
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return openSession({ source: plainSource(domain, rows), ledger, budget, relation, entropy: seededEntropy(seed) });
};

const settings: [string, Setting, Workload][] = [
  ['products under a pure budget', {}, workload],
  ['products under zCDP', { delta: 1e-6 }, workload],
  ['products, the number of rows being public', { relation: 'replace-one' }, workload],
  ['marginals under a pure budget', {}, marginals],
  ['marginals under zCDP, the number of rows being public', { delta: 1e-6, relation: 'replace-one' }, marginals],
];

describe.each(settings)('HDMM with %s', (_, setting, asked) => {
  it('answers without bias, and with the squared error that its plan says', async () => {
    const runs = 150;
    const sums = asked.queries.map(({ query }) => new Float64Array(exact(query).length));
    const squares: number[] = [];
    const plan = planHdmm(await open(setting, 0), asked);
    const predicted = plan.error;
    for (let run = 0; run < runs; run++) {
      const session = await open(setting, run);
      const { model } = await hdmm(session, { workload: asked, plan, estimator: 'lls', random });
      squares[run] = 0;
      for (const [i, { query }] of asked.queries.entries())
        for (const [j, value] of model.answer(query).entries()) {
          const error = value - exact(query)[j];
          sums[i][j] += error;
          squares[run] += error ** 2;
        }
      expect(session.remaining).toBeLessThan(1e-5);
    }
    const mean = squares.reduce((sum, square) => sum + square, 0) / runs;
    const spread = Math.sqrt(squares.reduce((sum, square) => sum + (square - mean) ** 2, 0) / runs / runs);
    // Five standard errors of a fixed stream of noise: it can only fail when something changed.
    expect(Math.abs(mean - predicted)).toBeLessThan(5 * spread + 0.01 * predicted);
    const deviation = Math.sqrt(mean / sums.reduce((all, { length }) => all + length, 0) / runs);
    for (const sum of sums) for (const each of sum) expect(Math.abs(each / runs)).toBeLessThan(8 * deviation);
  });

  it('never plans a larger error than by the cells of the marginals', async () => {
    const { notes } = await hdmm(await open(setting, 1), { workload: asked, estimator: 'lls', random });
    expect(notes.error).toBeLessThanOrEqual(notes.identityError as number);
  });

  it('has the same measurements for both estimators, and a graphical model that fits them', async () => {
    const { measurements } = await measureHdmm(await open({ ...setting, epsilon: 100 }, 2), { workload: asked });
    const local = estimateLls(domain, measurements, { joint: asked === marginals });
    const { model } = await estimateGraphical(domain, measurements, { until: 'converged' });
    for (const { query } of asked.queries)
      model.answer(query).forEach((value, i) => {
        expect(Math.abs(value - exact(query)[i])).toBeLessThan(15);
        expect(Math.abs(local.answer(query)[i] - exact(query)[i])).toBeLessThan(15);
      });
  });
});

describe('HDMM', () => {
  it('gives a distribution by default', async () => {
    const { model, refit, measurements } = await hdmm(await open({ epsilon: 10 }, 3), { workload, random });
    expect(model.sample(100, random).length).toBe(100);
    expect(model.total).toBeGreaterThan(300);
    const again = await refit!(measurements);
    expect(Math.abs(again.total - model.total)).toBeLessThan(1);
  });

  it('measures all pairs unless told, by marginals', async () => {
    const { notes, measurements } = await hdmm(await open({}, 3), { random, estimator: 'lls' });
    expect(notes.template).toBe('marginals');
    expect(measurements.every(({ query }) => query.kind === 'marginal')).toBe(true);
  });

  it('measures the number of records where nothing else tells it', async () => {
    const some = workloadOf([factored({ b: { kind: 'set', cells: [0, 2] } })]);
    for (const estimator of ['lls', 'pgm'] as const) {
      const { model, measurements } = await hdmm(await open({ epsilon: 100 }, 3), {
        workload: some,
        random,
        estimator,
      });
      expect(measurements).toHaveLength(2);
      expect(Math.abs(model.total - 500)).toBeLessThan(5);
      expect(Math.abs(model.answer(some.queries[0].query)[0] - exact(some.queries[0].query)[0])).toBeLessThan(5);
    }
  });

  it('says what separate estimates cannot answer, and that they have no rows', async () => {
    const { model } = await hdmm(await open({}, 4), { workload, random, estimator: 'lls' });
    expect(() => model.answer(marginal('a', 'b', 'c'))).toThrow('must lie within what was measured together');
    expect(() => model.sample(1, random)).toThrow('rows: need a model that is a distribution');
    expect(model.marginal(['b']).length).toBe(3);
    expect(model.answer(prefix('a')).length).toBe(12);
  });

  it('refuses what cannot work before anything is spent', async () => {
    const session = await open({}, 1);
    const refused = async (options: Partial<Parameters<typeof hdmm>[1]>, message: string) => {
      await expect(hdmm(session, { random, ...options })).rejects.toThrow(message);
      expect(session.remaining).toBe(1);
    };
    await refused({ workload, memory: 100 }, 'graphical model: must fit in');
    await refused({ workload, template: 'marginals' }, 'template: marginals is for workloads of marginals');
    await refused({ workload: workloadOf([marginal()]) }, 'workload: must ask of some attribute');
    await refused({ workload, noise: 'gaussian' }, 'Gaussian noise has no pure epsilon');
  });
});
