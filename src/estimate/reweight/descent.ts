import type { Region } from '../../kernel/arena.js';
import type { KernelCall } from '../../kernel/kernels.js';
import type { Slice, WeightedRows } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import { adjoint } from '../../query/adjoint.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import type { Descending } from '../stopping/stepper.js';
import { varianceOf } from '../total/estimate-total.js';

/** What a descent fits: answers of a query seen through one of the rows' cell maps. */
export interface Target {
  readonly measurement: Measurement;
  readonly map: number;
  /** Variance of each noisy answer. */
  readonly variance: number;
}

/** Distinct marginals that the measurements need, and where each measurement finds its own. */
export const targetsOf = (measurements: readonly Measurement[]): { marginals: string[][]; targets: Target[] } => {
  const marginals: string[][] = [];
  const known = new Map<string, number>();
  const targets = measurements.map((measurement): Target => {
    const attributes = attributesOf(measurement.query);
    const key = JSON.stringify(attributes);
    if (!known.has(key)) known.set(key, marginals.push(attributes) - 1);
    return { measurement, map: known.get(key)!, variance: varianceOf(measurement) };
  });
  return { marginals, targets };
};

/**
 * One fit of the weights of rows to answers, by steps of entropic mirror descent (exponentiated gradient): an attempt tries
 * weights proportional to present * exp(-step * gradient of chi/2). Its chi is the sum over all answers of
 * (expected - measured)^2 / variance.
 */
export interface Descent extends Descending {
  /** Number of records at the present weights. */
  readonly total: number;
  /** Expected answers at the present weights, one array for each target. */
  readonly answers: readonly Float64Array[];
  /** The present weights, with sum 1; a new array. */
  distribution(): Promise<Float64Array>;
  /** Kullback-Leibler divergence of the present weights from those at the start. */
  divergence(): Promise<number>;
}

/**
 * Starts a descent at the support's own weights. `values` are the answers to fit, by default the measured ones. Without a given
 * `total`, each point has the number of records that fits the answers best there: least squares on the shape that the weights
 * give the answers is far more precise than the sums of noisy marginals, most of whose cells hold nothing but noise.
 */
export const startDescent = async (
  rows: WeightedRows,
  targets: readonly Target[],
  total: number | undefined,
  values: readonly Float64Array[] = targets.map(({ measurement }) => measurement.values),
): Promise<Descent> => {
  const { support, maps } = rows;
  const { domain } = support;
  const log = rows.vector();
  const start = rows.vector();
  const direction = rows.vector();
  /** The last point before momentum moved it on, and the one under trial. */
  const anchor = rows.vector();
  const landed = rows.vector();
  const attempted = rows.vector();
  const weights = rows.vector();
  const ones = rows.vector();
  ones.view.fill(1);
  weights.view.set(support.weights);
  const at = (vector: Region<Float64Array>, { from }: Slice): number => vector.address + 8 * from;

  let answers: Float64Array[] = [];
  let chi = 0;
  let records = 1;
  let next = { answers, chi, records, mass: 1 };

  /** Expected answers for one record, from the collected sums of weights with this mass. */
  const expect = (of: number): Float64Array[] =>
    targets.map(({ measurement: { query }, map }) => {
      const shares = maps[map].sums.view.map((sum) => sum / of);
      return query.kind === 'marginal' ? shares : answerFrom(query, domain, shares);
    });

  /** The number of records, at least 1, at which the expected answers fit best. */
  const fittedTotal = (shares: readonly Float64Array[]): number => {
    let product = 0;
    let square = 0;
    targets.forEach(({ variance }, t) => {
      const [mine, theirs] = [shares[t], values[t]];
      for (let i = 0; i < mine.length; i++) {
        product += (mine[i] * theirs[i]) / variance;
        square += mine[i] ** 2 / variance;
      }
    });
    return Math.max(1, product / square);
  };

  const chiOf = (expected: readonly Float64Array[]): number => {
    let sum = 0;
    targets.forEach(({ variance }, t) => {
      const [mine, theirs] = [expected[t], values[t]];
      let squares = 0;
      for (let i = 0; i < mine.length; i++) squares += (mine[i] - theirs[i]) ** 2;
      sum += squares / variance;
    });
    return sum;
  };

  const settle = (of: number): void => {
    rows.collect();
    const expected = expect(of);
    const counted = total ?? fittedTotal(expected);
    for (const shares of expected) for (let i = 0; i < shares.length; i++) shares[i] *= counted;
    next = { answers: expected, chi: chiOf(expected), records: counted, mass: of };
  };

  const totalOf = (results: readonly number[][], call: number): number =>
    results.reduce((sum, lane) => sum + lane[call], 0);

  await rows.run((slice) => [
    ['log', at(weights, slice), at(log, slice), slice.length],
    ['log', at(weights, slice), at(start, slice), slice.length],
    ['log', at(weights, slice), at(anchor, slice), slice.length],
    ...rows.scatter(weights, slice),
  ]);
  settle(1);
  ({ answers, chi, records } = next);

  /** The gradient of chi/2 in each cell, over all targets of its map. */
  const fillPotentials = (): void => {
    for (const { potential } of maps) potential.view.fill(0);
    targets.forEach(({ measurement: { query }, map, variance }, t) => {
      const residual = answers[t].map((answer, i) => ((answer - values[t][i]) * records) / variance);
      const back = query.kind === 'marginal' ? residual : adjoint(query, domain, residual);
      const cells = maps[map].potential.view;
      for (let cell = 0; cell < cells.length; cell++) cells[cell] += back[cell];
    });
  };
  let before = 0;

  return {
    get total() {
      return records;
    },
    get chi() {
      return chi;
    },
    get answers() {
      return answers;
    },
    async distribution() {
      await rows.run((slice) => [['exp', at(log, slice), at(attempted, slice), slice.length]]);
      const present = attempted.view.slice();
      const sum = present.reduce((total_, weight) => total_ + weight, 0);
      return present.map((weight) => weight / sum);
    },
    async findDirection() {
      fillPotentials();
      const results = await rows.run((slice): KernelCall[] => [
        ...rows.gather(direction, slice),
        ['exp', at(log, slice), at(weights, slice), slice.length],
        ['dot', at(weights, slice), at(direction, slice), slice.length],
        ['sum', at(weights, slice), slice.length],
      ]);
      const calls = results[0].length;
      before = totalOf(results, calls - 2) / totalOf(results, calls - 1);
    },
    async attempt(step, momentum = 0) {
      const results = await rows.run((slice): KernelCall[] => [
        ['multiply', at(log, slice), at(ones, slice), at(landed, slice), slice.length],
        ['axpy', -step, at(direction, slice), at(landed, slice), slice.length],
        ['multiply', at(landed, slice), at(ones, slice), at(attempted, slice), slice.length],
        ['scale', at(attempted, slice), 1 + momentum, slice.length],
        ['axpy', -momentum, at(anchor, slice), at(attempted, slice), slice.length],
        ['exp', at(attempted, slice), at(weights, slice), slice.length],
        ['sum', at(weights, slice), slice.length],
        ['dot', at(weights, slice), at(direction, slice), slice.length],
        ...rows.scatter(weights, slice),
      ]);
      const of = totalOf(results, 6);
      if (!(of > 0 && of < Infinity)) return { chi: Infinity, slope: 0 };
      settle(of);
      return { chi: next.chi, slope: totalOf(results, 7) / of - before };
    },
    async accept() {
      ({ answers, chi, records } = next);
      // Keeps the logarithms normalised, so that exp neither overflows nor drifts towards zero.
      const shift = -Math.log(next.mass);
      await rows.run((slice): KernelCall[] => [
        ['multiply', at(attempted, slice), at(ones, slice), at(log, slice), slice.length],
        ['axpy', shift, at(ones, slice), at(log, slice), slice.length],
        ['multiply', at(landed, slice), at(ones, slice), at(anchor, slice), slice.length],
        ['axpy', shift, at(ones, slice), at(anchor, slice), slice.length],
      ]);
    },
    async divergence() {
      const results = await rows.run((slice): KernelCall[] => [
        ['exp', at(log, slice), at(attempted, slice), slice.length],
        ['dot', at(attempted, slice), at(log, slice), slice.length],
        ['dot', at(attempted, slice), at(start, slice), slice.length],
      ]);
      return Math.max(0, totalOf(results, 1) - totalOf(results, 2));
    },
  };
};
