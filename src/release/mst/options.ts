import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Share } from '../../privacy/session/session.js';
import type { Random } from '../../random/random.js';

/** What MST is told where nobody says otherwise, from a program and from the command line alike. */
export const mstDefaults = {
  /** Cells of a pair at most: larger ones are no edges of the tree. */
  maxCells: 1_000_000,
  /** Pairs that a choice looks at, at most. */
  candidates: 4000,
  /** Iterations of the fit at most. */
  iterations: 1000,
};

export type MstSettings = typeof mstDefaults;

/** Which pairs may be edges, and how the answers become a model. */
export interface MstOptions extends Threads, Running {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** Cells of a pair at most, a million by default: larger ones are no edges of the tree. */
  readonly maxCells?: number | undefined;
  /** Pairs that a choice looks at, at most, 4,000 by default. Where there are more, others for each choice. */
  readonly candidates?: number | undefined;
  /** Iterations of the fit at most; 1,000 by default. */
  readonly iterations?: number | undefined;
  /** Where the fit stops; by validation by default, in the paper at convergence. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Share of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
}

/** Refuses before anything is spent what could not work. */
export const checkMstOptions = (options: Pick<MstOptions, keyof MstSettings | 'share'>): void => {
  for (const name of ['maxCells', 'candidates', 'iterations'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InputError(`${name}: must be a positive whole number, got ${value}`);
  }
  if (options.share !== undefined && !(options.share > 0))
    throw new InputError(`share: must be above 0, got ${options.share}`);
};
