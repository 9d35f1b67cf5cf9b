import type { Region } from '../../../kernel/arena.js';

/** A loss of the marginals of all factors of an oracle, which lie in one vector of kernel memory. */
export interface MarginalLoss {
  /**
   * Overwrites `gradient` with the derivative of the loss by each proportion in `marginals`, and gives the loss (of a loss with
   * corners, a smoothed one). The figures below then tell about these marginals.
   */
  evaluate(marginals: Region<Float64Array>, gradient: Region<Float64Array>): number;
  /** The loss itself, without smoothing. */
  readonly value: number;
  /** Number of records. */
  readonly total: number;
  /** Sum over all answers of (expected - measured)^2 / variance. */
  readonly chi: number;
  /** Number of answers. */
  readonly answers: number;
  /** A step that is never too long for mirror descent: 1/K for a gradient that changes by at most K times the change of records' probabilities (in L1). */
  readonly unit: number;
  /** True where the curvature may be far less on the way than at first, so that steps should become longer again. */
  readonly varies?: boolean | undefined;
  /** Comes closer to a loss with corners; false when that is near enough. The next evaluation is of another function. */
  sharpen(): boolean;
}
