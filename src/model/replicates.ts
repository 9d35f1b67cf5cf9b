import type { Model } from './model.js';

/**
 * Models fitted anew to noisy answers of a model itself: how far they lie from it shows how far the noise may have
 * moved it from the truth. Made by `bootstrap`, kept beside the model in a bundle.
 */
export interface Replicates {
  /** At least two, over the domain of the model they belong to. */
  readonly models: readonly Model[];
  /**
   * By how much the model's error on its measurements exceeds that of the replicates, as a factor from 1: what fitting towards a
   * prior costs and re-fitting does not show.
   */
  readonly inflation: number;
}
