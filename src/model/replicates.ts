import type { Running } from '../domain/running.js';
import type { Answering } from './model.js';

/**
 * Tables drawn from a model, and models fitted to noisy answers of each: how far the one lies from the other shows how far the model may lie
 * from the truth. Made by `bootstrap`, kept beside the model in a bundle.
 */
export interface Replicates {
  /** The drawn tables, `redraw(model, seeded(seed + k), clump)` for the k-th: at least two. */
  readonly truths: readonly Answering[];
  readonly seed: number;
  /** Equal records that come together in the drawn tables, from 1: what the model has not measured is off by as much as such clumps are. */
  readonly clump: number;
  /** What the estimator made of noisy answers of each. */
  readonly models: readonly Answering[];
  /**
   * By how much the model's error on its measurements exceeds that of the replicates on theirs, as a factor from 1: what starting from
   * a prior costs and fitting anew does not show.
   */
  readonly inflation: number;
  /** Draws the tables before they are looked at, so that events are heard meanwhile; absent where they are there. */
  open?(running: Pick<Running, 'signal'>): Promise<void>;
}
