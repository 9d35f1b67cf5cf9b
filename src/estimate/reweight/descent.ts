import type { Weighted } from '../../model/support/weighted.js';
import type { Descending } from '../stopping/stepper.js';
import { logWeights } from './log-weights.js';
import { squaredDistance, type Target } from './targets.js';

/**
 * One fit of weights, of rows or of households, to answers, by steps of entropic mirror descent (exponentiated gradient): an attempt tries
 * weights proportional to present * exp(-step * gradient of chi/2). Its chi is the sum over all answers of
 * (expected - measured)^2 / variance.
 */
export interface Descent extends Descending {
  /** Number of things that the weights share out, such as records, at the present weights. */
  readonly total: number;
  /** Expected answers at the present weights, one array for each target. */
  readonly answers: readonly Float64Array[];
  /** The present weights, with sum 1; a new array. */
  distribution(): Promise<Float64Array>;
  /** Kullback-Leibler divergence of the present weights from those at the start. */
  divergence(): Promise<number>;
}

/** A point as its answers show it. */
interface Seen {
  /** Expected answers. */
  readonly answers: Float64Array[];
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
  values: readonly Float64Array[] = targets.map(({ measurement }) => measurement.values),
): Promise<Descent> => {
  const { maps } = weighted;
  const weights = logWeights(weighted);

  /** What the scattered weights, of this sum, say of the answers. */
  const look = (mass: number): Seen => {
    weighted.collect();
    const answers = targets.map(({ map, linear }) => linear.apply(maps[map].sums.view.map((sum) => sum / mass)));
    const records = total ?? fittedTotal(targets, answers, values);
    for (const shares of answers) for (let i = 0; i < shares.length; i++) shares[i] *= records;
    return { answers, chi: squaredDistance(targets, answers, values), records, mass };
  };
  /** The gradient of chi/2 in each cell, over all targets of its map. */
  const fillPotentials = ({ answers, records }: Seen): void => {
    for (const { potential } of maps) potential.view.fill(0);
    targets.forEach(({ map, linear, variance }, t) => {
      const residual = answers[t].map((answer, i) => ((answer - values[t][i]) * records) / variance);
      const back = linear.transpose(residual);
      const cells = maps[map].potential.view;
      for (let cell = 0; cell < cells.length; cell++) cells[cell] += back[cell];
    });
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
const fittedTotal = (
  targets: readonly Target[],
  shares: readonly Float64Array[],
  values: readonly Float64Array[],
): number => {
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
