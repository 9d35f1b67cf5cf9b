import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import type { Running } from '../../domain/running.js';
import type { GraphicalOptions } from '../../estimate/graphical/estimate.js';
import type { GraphicalPrior } from '../../estimate/graphical/prior/prior.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { candidatesIn, type WeightedMarginal } from './candidates.js';
import { defaultRounds } from './shares.js';
import { aimDefaults, aimWorkload, modelBytesOf } from './workload.js';

/** What AIM answers, how large its model may grow, and where it starts. */
export interface AimOptions extends Threads, Running {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** What the release should answer well; `aimWorkload` of the domain by default: triples where they can all be looked at, else pairs. */
  readonly workload?: Workload | undefined;
  /** A model of public data to start from. */
  readonly prior?: GraphicalPrior | undefined;
  /** Bytes that the junction tree's tables may take when all of the budget is spent; `aimDefaults` has the default. */
  readonly modelBytes?: number | undefined;
  /** Number of rounds T that the budget is first divided for; 4 for each attribute by default. */
  readonly rounds?: number | undefined;
  /** Iterations of each round's estimate at most; `aimDefaults` has the default. */
  readonly iterations?: number | undefined;
  /** Perturbed fits that judge where the last estimate stops, at most. */
  readonly mostProbes?: number | undefined;
  /** Where the last estimate stops; by validation by default, in the paper at convergence. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Share of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
}

/** The options as AIM uses them. */
export interface AimWork {
  readonly candidates: readonly WeightedMarginal[];
  readonly modelBytes: number;
  readonly rounds: number;
  readonly until: 'validated' | 'converged';
  /** How every estimate is made. */
  readonly fitting: GraphicalOptions & { readonly iterations: number };
}

/** Refuses before anything is spent what could not work, or could not be read back from a bundle. */
export const aimWork = (domain: Domain, options: AimOptions, mechanism = 'aim'): AimWork => {
  const { modelBytes = modelBytesOf(aimDefaults), rounds = defaultRounds(domain), until = 'validated' } = options;
  if (!(Number.isSafeInteger(rounds) && rounds >= 1))
    throw new InputError(`rounds: must be a positive whole number, got ${rounds}`);
  checkTables(domain, modelBytes, mechanism);
  const candidates = candidatesIn(domain, options.workload ?? aimWorkload(domain));
  if (candidates.length === 0)
    throw new InputError(`workload: must name an attribute for ${mechanism}, got the total alone`);
  const { threads, workers, signal, random, iterations = aimDefaults.iterations, mostProbes } = options;
  return {
    candidates,
    modelBytes,
    rounds,
    until,
    fitting: { threads, workers, signal, random, iterations, mostProbes, memory: 2 * modelBytes + 1e9 },
  };
};

/** Refuses a model of tables that no reader would take. */
export const checkTables = (domain: Domain, modelBytes: number, mechanism: string): void => {
  const least = treeSize(junctionTree(domain, [])).bytes;
  const need = Math.max(modelBytes, least);
  if (need > limits.modelBytes)
    throw new InputError(
      `${mechanism}: the model's tables must fit in ${bytesText(limits.modelBytes)}, got ${need === least ? 'attributes that alone need' : 'leave for'} ${bytesText(need)}; use ${need === least ? 'coarser bins' : 'a smaller model'}`,
    );
};
