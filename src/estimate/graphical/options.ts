import type { Running } from '../../domain/running.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Random } from '../../random/random.js';
import type { Sharing } from '../sharing/sharing.js';
import type { FitApart } from './apart.js';
import type { CustomLoss } from './loss/custom-loss.js';
import type { GraphicalPrior } from './prior/prior.js';
import type { OnStep } from './step.js';

/** Sees an iteration; the model can be asked for as long as the call lasts. */
export type OnModelStep = (
  ...seen: [...Parameters<OnStep>, model: () => Promise<GraphicalModel>]
) => ReturnType<OnStep>;

/** How a graphical model is fitted: method, loss, prior, when to stop. */
export interface GraphicalOptions extends Threads, Running {
  /** Number of records, where it is public. Otherwise it is estimated from the measurements. */
  readonly total?: number | undefined;
  /** Squared or absolute residuals, in units of each measurement's noise (l2 by default); or a loss of its own, which the measurements do not enter. */
  readonly loss?: 'l2' | 'l1' | CustomLoss | undefined;
  /**
   * Mirror descent with momentum (default: the fastest to the same loss), as the paper has it (Algorithm 1, with a line search),
   * accelerated dual averaging (Algorithm 2; l2 only), or L-BFGS on the potentials (A.3). All end at the same loss.
   */
  readonly algorithm?: 'momentum' | 'mirror-descent' | 'accelerated' | 'lbfgs' | undefined;
  /**
   * Where to stop: before the noise is fitted (`validated`, the default for l2), where nothing is gained any more (`converged`, the
   * default for other losses), or at a normalised residual.
   */
  readonly until?: 'validated' | 'converged' | { readonly chi: number } | undefined;
  /**
   * Steps of momentum that are longer in cells of small shares, as far as these stand out from noise (`evenShares`): on nearly deterministic tables far fewer of
   * them lead to the same residual. They follow the noise a little sooner, so this is for replicates, of which there are many.
   */
  readonly even?: boolean | undefined;
  /** Takes the model's tables from the oracle's last run, in a fraction of the time: what is less likely than losses of a run is 0 in them. For models that are on the way to another, or one of many. */
  readonly quick?: boolean | undefined;
  /** Who carries the fit out, from plain data, in another thread: here by default. Steps and progress are not told then, and a loss of one's own is not taken. */
  readonly apart?: FitApart | undefined;
  /** Iterations at most: by default 1,000, and 3,000 where validation looks for a stop. */
  readonly iterations?: number | undefined;
  /** Converged is what gains less than this part of the loss in 20 iterations, 1e-6 by default; with 0 all iterations are made. */
  readonly tolerance?: number | undefined;
  /** Cells of a junction tree that is not too large to hold the prior's cliques, where an earlier fit had one of that size. */
  readonly priorCells?: number | undefined;
  /** For the probes of validated stopping: post-processing, so any generator will do; by default one of a fixed seed. */
  readonly random?: Random | undefined;
  /** Perturbed fits that estimate the degrees of freedom: 2 by default, more where there are few answers to average over. */
  readonly probes?: number | undefined;
  /** As many of them as there would be, but no more than this. */
  readonly mostProbes?: number | undefined;
  /** A model of public data: its cliques are added to the measured ones, as far as the junction tree stays small, and the fit starts at it. */
  readonly prior?: GraphicalPrior | undefined;
  /** A model, or factors, to go on from: their potentials are taken over where the fit has a clique for them. */
  readonly start?: Pick<GraphicalModel, 'factors'> | undefined;
  /** How steps are shared among neighbouring cells of ordered attributes (squared loss): as an earlier fit found, or found here (`validated`), or not at all. */
  readonly sharing?: Sharing | undefined;
  /** Bytes that the oracle's tables may take; 2e9 by default. */
  readonly memory?: number | undefined;
  /** Where the junction tree needs more memory, fit with an approximate oracle, and keep an exact model of some cliques. */
  readonly approximate?: boolean | undefined;
  /** Sees every iteration, with ways to get its point and the model there: for experiments. */
  readonly onStep?: OnModelStep | undefined;
}
