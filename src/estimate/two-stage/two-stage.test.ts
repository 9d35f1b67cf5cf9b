import loader from 'highs';
import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../../../test/support/plain-ide.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import { reweighted, type Support, supportOf } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { prefix, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { partialWorkloads } from '../ide/workloads.js';
import { estimateTwoStage } from './two-stage.js';

const total = 100;
const exactly = (query: Query, ...values: number[]): Measurement => ({
  query,
  values: Float64Array.from(values),
  noise: { kind: 'none', scale: 0 },
});

const domain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 2 },
  { name: 'b', type: 'integer', min: 0, max: 1 },
  { name: 'c', type: 'integer', min: 0, max: 2 },
]);
const coin = domainOf([{ name: 'a', type: 'integer', min: 0, max: 1 }]);
const coinOf = (heads: number): Support => ({
  domain: coin,
  length: 2,
  columns: [Uint8Array.of(0, 1)],
  weights: Float64Array.of(heads, 1 - heads),
});

/** The rows of W and the measured proportions, over all measurements. */
const system = (support: Support, measurements: readonly Measurement[]) => {
  const workloads = partialWorkloads(measurements, support.domain);
  return {
    w: workloads.flatMap((workload) => denseMatrix(support, workload)),
    y: workloads.flatMap(({ measurement, answers }) =>
      Array.from(answers, (answer) => measurements[measurement].values[answer] / total),
    ),
  };
};

/** The least value of gradient . z over distributions z whose answers are within `distance` of y in L1: a linear programme. */
const leastOn = async (gradient: number[], w: number[][], y: number[], distance: number): Promise<number> => {
  const highs = await (loader as unknown as typeof loader.default)();
  const [rows, size] = [gradient.length, y.length];
  const constraints = [
    ...w.map((row, i) => {
      const slack = y.map((_, k) => (k === i ? 1 : 0));
      return { entries: [...row, ...slack, ...slack.map((entry) => -entry)], low: y[i], high: y[i] };
    }),
    { entries: [...gradient.map(() => 1), ...y.map(() => 0), ...y.map(() => 0)], low: 1, high: 1 },
    { entries: [...gradient.map(() => 0), ...y.map(() => 1), ...y.map(() => 1)], low: 0, high: distance },
  ];
  const columns = rows + 2 * size;
  return highs.withModel(
    {
      numCols: columns,
      numRows: constraints.length,
      colCost: [...gradient, ...new Array<number>(2 * size).fill(0)],
      colLower: new Float64Array(columns),
      colUpper: new Float64Array(columns).fill(highs.infinity),
      rowLower: constraints.map(({ low }) => low),
      rowUpper: constraints.map(({ high }) => high),
      matrix: {
        format: 'csr',
        numRows: constraints.length,
        numCols: columns,
        starts: constraints.map((_, i) => i * columns).concat(constraints.length * columns),
        indices: constraints.flatMap(() => Array.from({ length: columns }, (_, j) => j)),
        values: constraints.flatMap(({ entries }) => entries),
      },
    },
    (model) => {
      model.options.set({ output_flag: false });
      model.run();
      return model.getObjectiveValue();
    },
  );
};

describe('the exact two-stage estimate', () => {
  it('is as near as can be and least divergent, by the certificate of convex optimality, on inconsistent answers', async () => {
    const random = seeded(31);
    for (let round = 0; round < 10; round++) {
      const length = 8 + 3 * round;
      const columns = domain.attributes.map(({ size }) =>
        Uint8Array.from({ length }, () => uniformInteger(random, size)),
      );
      const drawn = supportOf({ domain, length, columns });
      const support = reweighted(
        drawn,
        drawn.weights.map(() => 0.1 + uniform(random)),
      );
      const queries = [marginal('a', 'b'), marginal('b', 'c'), marginal('a', 'c'), prefix('a')];
      const sizes = [6, 6, 9, 3];
      const measurements = queries.map((query, i) =>
        exactly(query, ...Array.from({ length: sizes[i] }, () => uniformInteger(random, 60) - 10)),
      );
      const result = await estimateTwoStage(support, measurements, { total });
      const { w, y } = system(support, measurements);
      const q = [...result.support.weights];
      const distance = w.reduce(
        (sum, row, i) => sum + Math.abs(row.reduce((all, entry, j) => all + entry * q[j], 0) - y[i]),
        0,
      );
      expect(result.gap).toBeLessThan(1e-9);
      expect(distance).toBeCloseTo(result.residual, 7);
      // Of all that are as near, none lies downhill: the gradient of the divergence is least at q.
      const gradient = q.map((weight, j) => Math.log(Math.max(weight, 1e-9) / support.weights[j]) + 1);
      const here = gradient.reduce((sum, slope, j) => sum + slope * q[j], 0);
      const least = await leastOn(gradient, w, y, result.residual + 1e-9);
      expect(here - least).toBeLessThan(1e-6);
    }
  });

  it('chooses among several nearest answers by the prior, where the paper takes them for one', async () => {
    const torn = [exactly(marginal('a'), 70, 30), exactly(marginal('a'), 50, 50)];
    for (const [prior, posterior] of [
      [0.6, 0.6],
      [0.9, 0.7],
      [0.2, 0.5],
    ]) {
      const result = await estimateTwoStage(coinOf(prior), torn, { total });
      expect(result.support.weights[0]).toBeCloseTo(posterior, 9);
      expect(result.residual).toBeCloseTo(0.4, 9);
    }
  });

  it('gives nothing to cells that were measured empty, though no finite multiplier says so', async () => {
    const weights = Float64Array.of(0.25, 0.25, 0.25, 0.25);
    const support: Support = {
      domain: domainOf([
        { name: 'a', type: 'integer', min: 0, max: 1 },
        { name: 'b', type: 'integer', min: 0, max: 1 },
      ]),
      length: 4,
      columns: [Uint8Array.of(0, 0, 1, 1), Uint8Array.of(0, 1, 0, 1)],
      weights,
    };
    const result = await estimateTwoStage(support, [exactly(marginal('a'), 100, 0), exactly(marginal('b'), 30, 70)], {
      total,
    });
    expect([...result.support.weights].map((weight) => Math.round(weight * 1e9) / 1e9)).toEqual([0.3, 0.7, 0, 0]);
    expect(result.divergence).toBeCloseTo(Math.log(2) + Math.log(2) + 0.3 * Math.log(0.3) + 0.7 * Math.log(0.7), 9);
  });

  it('counts answers that no row can meet into the residual', async () => {
    const support: Support = { domain: coin, length: 1, columns: [Uint8Array.of(1)], weights: Float64Array.of(1) };
    const result = await estimateTwoStage(support, [exactly(marginal('a'), 25, 75)], { total });
    expect(result.residual).toBeCloseTo(0.5, 12);
    expect([...result.support.weights]).toEqual([1]);
  });

  it('says how large a problem is when it refuses it', async () => {
    const run = estimateTwoStage(coinOf(0.5), [exactly(marginal('a'), 60, 40)], { total, maxAnswers: 1 });
    await expect(run).rejects.toThrow(InputError);
    await expect(run).rejects.toThrow(/1 answers.*got 2 and 2/);
  });
});
