import { describe, expect, it } from 'vitest';
import {
  denseAnswers,
  denseLoss,
  entropyOf,
  leastAbsolute,
  leastSquares,
  proportionalFitting,
} from '../../../test/support/dense-fit.js';
import { denseMarginal, denseOracle, denseTable, denseWalk } from '../../../test/support/dense-oracle.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { addFrom } from '../../model/graphical/cell-walk.js';
import { graphicalModel } from '../../model/graphical/graphical-model.js';
import { openOracle } from '../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { type FitOptions, fitOn } from './fit-on.js';
import { logFactors } from './log-factors.js';
import type { CustomLoss } from './loss/custom-loss.js';
import type { GraphicalOptions } from './options.js';
import { distinctCliques } from './targets.js';

const domain = plainDomain([3, 2, 2, 2]);
const total = 1000;
const cells = 24;

/** A table over the whole domain with dependences of every order; row-major in the tree's order. */
const truth = (seed: number): Float64Array => {
  const random = seeded(seed);
  const weights = Float64Array.from({ length: cells }, () => Math.exp(1.2 * normal(random)));
  const sum = weights.reduce((all, value) => all + value, 0);
  return weights.map((value) => value / sum);
};

const graphs: Record<string, Query[]> = {
  tree: [marginal('a', 'b'), marginal('b', 'c'), marginal('d', 'c')],
  cyclic: [marginal('a', 'b'), marginal('c', 'b'), marginal('a', 'c'), marginal('c', 'd'), marginal('a', 'd')],
  disconnected: [marginal('b', 'a'), marginal('c', 'd')],
  'single clique': [marginal('a', 'b', 'c', 'd')],
  nested: [marginal('a', 'b'), marginal('a'), marginal('b'), marginal('c', 'a'), marginal()],
  empty: [marginal()],
};

const measure = (
  table: Float64Array,
  queries: readonly Query[],
  noise: number,
  seed: number,
  scale = 5,
): Measurement[] => {
  const random = seeded(seed);
  return queries.map((query, q) => {
    const own = scale * (1 + (q % 3));
    const values = denseAnswers(domain, table, { query }, total).map((value) => value + noise * own * normal(random));
    return { query, values, noise: { kind: 'gaussian', scale: own } };
  });
};

const fitted = async (measurements: readonly Measurement[], options: FitOptions, dense = false) => {
  const cliques = distinctCliques([
    ...measurements.map(({ query }) => attributesOf(query)),
    ...(typeof options.loss === 'object' ? options.loss.cliques : []),
    ...(options.prior?.cliques ?? []),
  ]);
  const oracle = await (dense ? denseOracle : openOracle)(domain, cliques);
  const result = await fitOn(oracle, measurements, { total, ...options });
  const { table } = denseTable(domain, logFactors(oracle, result.potentials));
  return { ...result, table, oracle };
};

const algorithms = ['momentum', 'mirror-descent', 'accelerated', 'lbfgs'] as const;
const converged = { until: 'converged', tolerance: 0 } as const;

const furthest = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

describe.each(Object.entries(graphs))('on a graph that is %s', (_, queries) => {
  it.each(algorithms)(
    '%s finds answers that a distribution has (1e-9; 1e-5 by averaging), and the one of most entropy (1e-6)',
    async (algorithm) => {
      const table = truth(1);
      const measurements = measure(table, queries, 0, 1);
      const iterations = { momentum: 300, 'mirror-descent': 1500, accelerated: 2000, lbfgs: 400 }[algorithm];
      const found = await fitted(measurements, { ...converged, algorithm, iterations });
      for (const { query } of measurements) {
        const names = attributesOf(query);
        expect(furthest(denseMarginal(domain, found.table, names), denseMarginal(domain, table, names))).toBeLessThan(
          algorithm === 'accelerated' ? 1e-5 : 1e-9,
        );
      }
      const uniform = new Float64Array(cells).fill(1 / cells);
      const projected = proportionalFitting(
        domain,
        uniform,
        measurements.map(({ query }) => ({
          attributes: attributesOf(query),
          shares: denseMarginal(domain, table, attributesOf(query)),
        })),
      );
      expect(furthest(found.table, projected)).toBeLessThan(1e-6);
    },
  );

  it.each(algorithms)(
    "%s reaches the least loss that any distribution has when answers disagree (1e-8 of it; the paper's own 1e-4)",
    async (algorithm) => {
      const measurements = measure(truth(2), queries, 3, 3);
      const least = leastSquares(domain, measurements, total);
      const iterations = { momentum: 1200, 'mirror-descent': 1500, accelerated: 1500, lbfgs: 400 }[algorithm];
      const found = await fitted(measurements, { ...converged, algorithm, iterations });
      const { loss } = found.trace[found.trace.length - 1];
      expect(loss).toBeGreaterThanOrEqual(least.loss * (1 - 1e-9));
      const slow = algorithm === 'mirror-descent' || algorithm === 'accelerated';
      expect(loss).toBeLessThanOrEqual(least.loss * (1 + (slow ? 1e-4 : 1e-8)) + 1e-9);
      if (algorithm !== 'accelerated') expect(denseLoss(domain, found.table, measurements, total)).toBeCloseTo(loss, 6);
    },
  );

  it('of all tables with the same measured marginals, none has more entropy than the model', async () => {
    const { table } = await fitted(measure(truth(4), queries, 0, 5), { ...converged, iterations: 500 });
    const random = seeded(6);
    const most = entropyOf(table);
    for (let tries = 0; tries < 5; tries++) {
      // A change that no measured marginal sees: noise, less what the marginals see of it.
      let change = table.map((value) => value * normal(random));
      for (let sweep = 0; sweep < 100; sweep++)
        for (const query of queries) {
          const names = attributesOf(query);
          const seen = denseMarginal(domain, change, names);
          const own = cells / seen.length;
          const spread = new Float64Array(cells);
          addFrom(denseWalk(domain, names), spread, seen);
          change = change.map((value, i) => value - spread[i] / own);
        }
      const scale = 0.5 / change.reduce((largest, value, i) => Math.max(largest, Math.abs(value) / table[i]), 1e-12);
      const other = table.map((value, i) => value + Math.min(1, scale) * change[i]);
      expect(entropyOf(other)).toBeLessThanOrEqual(most + 1e-9);
    }
  });
});

describe('a fit', () => {
  const queries = graphs.cyclic;

  it('takes any linear queries: prefixes, ranges, regroupings and their products, beside marginals of the same clique', async () => {
    const mixed: Query[] = [
      prefix('a'),
      factored({ c: { kind: 'prefix' }, b: { kind: 'keep' } }),
      factored({
        d: { kind: 'keep' },
        a: {
          kind: 'ranges',
          ranges: [
            [0, 1],
            [1, 2],
            [2, 2],
          ],
        },
      }),
      factored({ a: { kind: 'regroup', groups: [0, 1, 0], size: 2 }, c: { kind: 'moments', count: 2 } }),
      factored({ b: { kind: 'sum' }, c: { kind: 'value', cell: 1 }, d: { kind: 'prefix' } }),
      marginal('a', 'd'),
    ];
    for (const noise of [0, 2]) {
      const measurements = measure(truth(7), mixed, noise, 8, 20);
      const least = leastSquares(domain, measurements, total);
      for (const algorithm of ['momentum', 'lbfgs'] as const) {
        const { trace, table } = await fitted(measurements, { ...converged, algorithm, iterations: 1200 });
        const { loss } = trace[trace.length - 1];
        expect(loss).toBeLessThanOrEqual(least.loss * (1 + 1e-8) + 1e-8);
        expect(loss).toBeGreaterThanOrEqual(least.loss * (1 - 1e-9) - 1e-9);
        expect(denseLoss(domain, table, measurements, total)).toBeCloseTo(loss, 5);
      }
    }
  });

  it('is the same on the oracle by definition, to the last digits', async () => {
    const measurements = measure(truth(7), queries, 2, 8);
    const [plain, tree] = [true, false].map((dense) => fitted(measurements, { ...converged, iterations: 50 }, dense));
    expect(furthest((await plain).table, (await tree).table)).toBeLessThan(1e-9);
  });

  it('gives the same model when a marginal is measured twice as when its mean is measured once', async () => {
    const [first, ...others] = measure(truth(9), queries, 2, 10);
    const again: Measurement = {
      ...first,
      query: marginal('b', 'a'),
      values: swap(first.values),
      noise: { kind: 'gaussian', scale: 10 },
    };
    const moved = { ...again, values: again.values.map((value, i) => value + 7 * Math.sin(i)) };
    const [u, v] = [first.noise.scale ** 2, 100];
    const back = swap(moved.values, 2, 3);
    const once: Measurement = {
      ...first,
      values: first.values.map((value, i) => (value / u + back[i] / v) / (1 / u + 1 / v)),
      noise: { kind: 'gaussian', scale: Math.sqrt(1 / (1 / u + 1 / v)) },
    };
    const twice = await fitted([first, moved, ...others], { ...converged, iterations: 800 });
    const merged = await fitted([once, ...others], { ...converged, iterations: 800 });
    expect(furthest(twice.table, merged.table)).toBeLessThan(1e-7);
    // The loss speaks of all measurements as they are.
    expect(twice.chosen.loss).toBeCloseTo(denseLoss(domain, twice.table, [first, moved, ...others], total), 6);
  });

  it('ends where it would have ended, wherever it is started', async () => {
    const measurements = measure(truth(11), queries, 0, 12);
    const cold = await fitted(measurements, { ...converged, iterations: 800 });
    const before = await fitted(measurements.slice(0, 3), { ...converged, iterations: 30 });
    const start = graphicalModel(before.oracle.tree, logFactors(before.oracle, before.potentials), total);
    const warm = await fitted(measurements, { ...converged, iterations: 800, start });
    expect(warm.trace[0].loss).toBeLessThan(cold.trace[0].loss);
    expect(furthest(warm.table, cold.table)).toBeLessThan(1e-9);
  });

  it('goes on exactly where a model with the same cliques stands', async () => {
    const measurements = measure(truth(11), queries, 2, 12);
    const half = await fitted(measurements, { ...converged, iterations: 40 });
    const start = graphicalModel(half.oracle.tree, logFactors(half.oracle, half.potentials), total);
    const { trace } = await fitted(measurements, { ...converged, iterations: 0, start });
    expect(trace[0].loss / half.chosen.loss).toBeCloseTo(1, 10);
  });

  it('survives marginals with zeros, negative counts and impossible cells', async () => {
    const table = truth(13).map((value, i) => (i % 4 === 0 ? 0 : value));
    const sum = table.reduce((all, value) => all + value, 0);
    const measurements = measure(
      table.map((value) => value / sum),
      queries,
      0,
      14,
    );
    for (const algorithm of algorithms) {
      const { chosen, table: found } = await fitted(measurements, { ...converged, algorithm, iterations: 1500 });
      expect(chosen.loss).toBeLessThan(1e-3);
      expect(found.every((value) => value >= 0)).toBe(true);
    }
    const below = measurements.map((measurement) => ({
      ...measurement,
      values: measurement.values.map((value) => value - 60),
    }));
    expect((await fitted(below, { until: 'converged' })).chosen.loss).toBeGreaterThan(1);
  });

  it('stops at the normalised residual that is asked for, at the iterations, or when it has converged', async () => {
    const measurements = measure(truth(15), queries, 1, 16);
    const { chosen, trace } = await fitted(measurements, { until: { chi: 5 } });
    expect(chosen.chi).toBeLessThanOrEqual(5);
    expect(trace[trace.length - 2].chi).toBeGreaterThan(5);
    expect((await fitted(measurements, { until: 'converged', iterations: 7 })).trace).toHaveLength(8);
    const whole = await fitted(measurements, { until: 'converged' });
    expect(whole.trace.length).toBeLessThan(500);
    const long = await fitted(measurements, { ...converged, iterations: 3000 });
    expect(whole.chosen.loss).toBeLessThan(long.chosen.loss * (1 + 1e-5));
  });

  it('minimises the absolute loss: within a thousandth scale an answer of the linear programme', async () => {
    const measurements = measure(truth(17), queries, 3, 18);
    const least = await leastAbsolute(domain, measurements, total);
    for (const algorithm of ['momentum', 'mirror-descent', 'lbfgs'] as const) {
      const { chosen } = await fitted(measurements, { loss: 'l1', algorithm, iterations: 2000 });
      const answers = measurements.reduce((sum, { values }) => sum + values.length, 0);
      expect(chosen.loss).toBeGreaterThanOrEqual(least - 1e-6);
      expect(chosen.loss).toBeLessThanOrEqual(least + 1e-3 * answers);
    }
  });

  it('minimises a loss of its own: a squared one through its functions ends where the built-in one does', async () => {
    const measurements = measure(truth(19), queries, 2, 20);
    const cliques = measurements.map(({ query }) => attributesOf(query));
    const residuals = (marginals: readonly Float64Array[]) =>
      measurements.map(({ values, noise }, m) =>
        values.map((value, i) => (total * marginals[m][i] - value) / noise.scale),
      );
    const loss: CustomLoss = {
      cliques,
      value: (marginals) =>
        residuals(marginals).reduce((sum, part) => sum + part.reduce((all, r) => all + r * r, 0) / 2, 0),
      gradient: (marginals) =>
        residuals(marginals).map((part, m) => part.map((r) => (r * total) / measurements[m].noise.scale)),
    };
    const built = await fitted(measurements, { ...converged, iterations: 1500 });
    for (const algorithm of ['momentum', 'mirror-descent', 'lbfgs'] as const) {
      const own = await fitted([], { ...converged, loss, algorithm, iterations: 1500 });
      expect(own.chosen.loss / built.chosen.loss).toBeCloseTo(1, algorithm === 'mirror-descent' ? 5 : 8);
    }
  });

  it('reports the divergence from its start, and it is what the tables say', async () => {
    const measurements = measure(truth(21), queries, 1, 22);
    for (const algorithm of ['momentum', 'mirror-descent', 'lbfgs'] as const) {
      const { table, chosen } = await fitted(measurements, { ...converged, algorithm, iterations: 60 });
      expect(chosen.divergence).toBeCloseTo(Math.log(cells) - entropyOf(table), 8);
    }
  });

  it('lets its point be seen at every step, tells its progress, and stops when it is told', async () => {
    const measurements = measure(truth(23), queries, 1, 24);
    for (const until of ['converged', 'validated'] as const) {
      const seen: number[] = [];
      const progress: number[] = [];
      await fitted(measurements, {
        until,
        iterations: 5,
        onStep: async ({ iteration }, point) => {
          const { marginals } = await point();
          expect(marginals.reduce((sum, value) => sum + value, 0)).toBeCloseTo(queries.length, 9);
          seen.push(iteration);
        },
        onProgress: ({ done }) => progress.push(done),
      });
      expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
      expect(progress).toEqual([1, 2, 3, 4, 5]);
      const control = new AbortController();
      const stopped = fitted(measurements, {
        ...converged,
        until,
        iterations: 1e9,
        tolerance: 0,
        signal: control.signal,
      });
      setTimeout(() => control.abort(new Error('enough')), 10);
      // A validated fit may end by itself before.
      if (until === 'converged') await expect(stopped).rejects.toThrow('enough');
      else await stopped.catch((error: Error) => expect(error.message).toBe('enough'));
    }
  });

  it.each([
    [{ until: 'validated', loss: 'l1' }, /validated/],
    [{ until: 'validated', algorithm: 'lbfgs' }, /validated/],
    [{ loss: 'l1', algorithm: 'accelerated' }, /accelerated/],
    [{ iterations: -1 }, /iterations/],
    [{ total: 0 }, /total/],
  ] satisfies [GraphicalOptions, RegExp][])('refuses what makes no sense: %o', async (options, message) => {
    await expect(fitted(measure(truth(1), queries, 1, 1), options)).rejects.toThrow(message);
  });

  it('refuses a measurement of the wrong length or with values that are no numbers', async () => {
    const [first] = measure(truth(1), queries, 1, 1);
    await expect(fitted([{ ...first, values: first.values.slice(1) }], {})).rejects.toThrow(
      /must have 6 finite values/,
    );
    await expect(fitted([{ ...first, values: first.values.fill(Number.NaN) }], {})).rejects.toThrow(/finite/);
  });
});

/** A 3 x 2 table (or of the given sizes) with its axes swapped. */
const swap = (values: Float64Array, rows = 3, columns = 2): Float64Array =>
  Float64Array.from({ length: rows * columns }, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
