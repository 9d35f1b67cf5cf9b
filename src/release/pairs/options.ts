import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';

/** What `pairs` is told where nobody says otherwise, from a program and from the command line alike. */
export const pairsDefaults = {
  /** Cells of a pair at most: larger ones are not looked at. */
  maxCells: 10_000,
  /** Attributes of a marginal that rounds choose at most. */
  degree: 3,
  /** What the tables of the model may take. */
  modelMegabytes: 40,
  /** Iterations of the fit at most. */
  iterations: 1000,
};

export type PairsSettings = typeof pairsDefaults;

/** What is looked at, and how the answers become a model. */
export interface PairsOptions extends Threads, Running {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** The marginals that are to be answered well; all pairs and triples of attributes by default. The look is at their pairs. */
  readonly workload?: Workload | undefined;
  /** Cells of a pair, and of a marginal that rounds choose, at most, 10,000 by default: larger ones are not looked at. */
  readonly maxCells?: number | undefined;
  /** Attributes of a marginal that rounds choose at most, 3 by default. */
  readonly degree?: number | undefined;
  /** What the tables of the model may take, 40 by default: a pair of little signal stays out where there is no room. */
  readonly modelMegabytes?: number | undefined;
  /** Iterations of the fit at most; 1,000 by default. */
  readonly iterations?: number | undefined;
  /** Where the fit stops; by validation by default. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Share of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
}

/** Refuses before anything is spent what could not work. */
export const checkPairsOptions = (options: Pick<PairsOptions, keyof PairsSettings | 'share'>): void => {
  for (const name of ['maxCells', 'iterations', 'degree'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InputError(`${name}: must be a positive whole number, got ${value}`);
  }
  for (const name of ['modelMegabytes', 'share'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw new InputError(`${name}: must be above 0, got ${value}`);
  }
};
