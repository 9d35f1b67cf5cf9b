import type { Weighted } from '../../model/support/weighted.js';
import type { Descending } from '../stopping/stepper.js';
import { logWeights } from './log-weights.js';
import { inOneArray, squaredDistance, type Target } from './targets.js';

/**
 * One fit of weights, of rows or of households, to answers, by steps of entropic mirror descent (exponentiated gradient): an attempt tries
 * weights proportional to present * exp(-step * gradient of chi/2). Its chi is the sum over all answers of
 * (expected - measured)^2 / variance.
 */
export interface Descent extends Descending {
  /** Number of things that the weights share out, such as records, at the present weights. */
  readonly total: number;
  /** Expected answers of all targets at the present weights. */
  readonly answers: Float64Array;
  /** The present weights, with sum 1; a new array. */
  distribution(): Promise<Float64Array>;
  /** Kullback-Leibler divergence of the present weights from those at the start. */
  divergence(): Promise<number>;
}

/** A point as its answers show it. */
interface Seen {
  /** Expected answers of all targets. */
  readonly answers: Float64Array;
  readonly chi: number;
  readonly records: number;
  /** Sum of the weights, before they are normalised. */
  readonly mass: number;
}

/**
 * Starts a descent at the weights that there are. `values` are the answers to fit, by default the measured ones. Without a given
 * `total`, each point has the number of records that fits the answers best there: least squares on the shape that the weights
 * give the answers is far more precise than the sums of noisy marginals, most of whose cells hold nothing but noise.
 */
export const startDescent = async (
  weighted: Weighted,
  targets: readonly Target[],
  total: number | undefined,
  values: Float64Array = inOneArray(targets.map(({ measurement }) => measurement.values)),
): Promise<Descent> => {
  const { maps, sums, potentials } = weighted;
  const weights = logWeights(weighted);

  /** What the scattered weights, of this sum, say of the answers. */
  const look = (mass: number): Seen => {
    weighted.collect();
    const answers = sharesOf(mass);
    const records = total ?? fittedTotal(targets, answers, values);
    for (let i = 0; i < answers.length; i++) answers[i] *= records;
    return { answers, chi: squaredDistance(targets, answers, values), records, mass };
  };
  /** The answers expected of one record. There may be tens of thousands of targets of few answers each, so nothing is made for each of them. */
  const sharesOf = (mass: number): Float64Array => {
    const answers = new Float64Array(values.length);
    const cellSums = sums.view;
    for (const { map, linear, from } of targets) {
      const { from: first, cells } = maps[map];
      if (linear.isIdentity) for (let i = 0; i < cells; i++) answers[from + i] = cellSums[first + i] / mass;
      else answers.set(linear.apply(cellSums.slice(first, first + cells).map((sum) => sum / mass)), from);
    }
    return answers;
  };
  /** The gradient of chi/2 in each cell, over all targets of its map. */
  const fillPotentials = ({ answers, records }: Seen): void => {
    const all = potentials.view;
    all.fill(0);
    for (const { map, linear, variance, from, measurement } of targets) {
      const { from: first, cells } = maps[map];
      const factor = records / variance;
      if (linear.isIdentity) {
        for (let i = 0; i < cells; i++) all[first + i] += (answers[from + i] - values[from + i]) * factor;
        continue;
      }
      const residual = measurement.values.map((_, i) => (answers[from + i] - values[from + i]) * factor);
      const back = linear.transpose(residual);
      for (let cell = 0; cell < cells; cell++) all[first + cell] += back[cell];
    }
  };

  await weights.scatterStart();
  let present = look(1);
  let next = present;
  return {
    get total() {
      return present.records;
    },
    get chi() {
      return present.chi;
    },
    get answers() {
      return present.answers;
    },
    distribution: weights.distribution,
    divergence: weights.divergence,
    findDirection: () => {
      fillPotentials(present);
      return weights.findDirection();
    },
    attempt: async (step, momentum = 0) => {
      const { mass, slope } = await weights.attempt(step, momentum);
      if (!(mass > 0 && mass < Infinity)) return { chi: Infinity, slope: 0 };
      next = look(mass);
      return { chi: next.chi, slope };
    },
    accept: () => {
      present = next;
      return weights.accept(next.mass);
    },
  };
};

/** The number of records, at least 1, at which the answers expected of one record fit best. */
const fittedTotal = (targets: readonly Target[], shares: Float64Array, values: Float64Array): number => {
  let product = 0;
  let square = 0;
  for (const { variance, from, measurement } of targets) {
    let [products, squares] = [0, 0];
    for (let i = from, end = from + measurement.values.length; i < end; i++) {
      products += shares[i] * values[i];
      squares += shares[i] * shares[i];
    }
    product += products / variance;
    square += squares / variance;
  }
  return Math.max(1, product / square);
};
