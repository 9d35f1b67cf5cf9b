import type { Judged } from '../stopping/stopping-rule.js';

/** One iteration of a fit. */
export interface GraphicalStep extends Judged {
  readonly iteration: number;
  /** How far the fit has gone: the sum of its movements in units of the shortest step, or the iteration. */
  readonly time: number;
  /** The loss: half the sum of squared residuals in variances (l2), the sum of residuals in scales (l1), or the custom one. */
  readonly loss: number;
  /** Length of the gradient in the geometry of the algorithm; 0 at the minimum. */
  readonly gradient: number;
  /** The normalised residual: mean over all answers of (expected - measured)^2 / variance. Noise alone would leave about 1. */
  readonly chi: number;
  /** Kullback-Leibler divergence from the start, in nats. */
  readonly divergence: number;
  /** Number of records that goes with the fit. */
  readonly total: number;
}

/** A point of a fit: log potentials and marginals (proportions) of all factors of the oracle, one after the other. */
export interface Fitted {
  readonly potentials: Float64Array;
  readonly marginals: Float64Array;
  readonly total: number;
}

/** What a fit leaves: the point that was taken, and how it came there. */
export interface FitResult extends Fitted {
  readonly trace: readonly GraphicalStep[];
  /** The step whose point was taken. */
  readonly chosen: GraphicalStep;
}

/** Sees every iteration, with a way to get its point: for experiments. */
export type OnStep = (step: GraphicalStep, point: () => Promise<Fitted>) => Promise<void> | void;
