import type { Domain } from '../../domain/domain.js';
import { createEngine } from '../../kernel/engine.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { estimateGraphical, type GraphicalEstimate } from '../graphical/estimate.js';
import type { GraphicalOptions } from '../graphical/options.js';
import type { DualQueryGame } from './game.js';
import { type DualQueryLosses, dualQueryLosses } from './likelihood.js';

/** How the model of DualQuery's draws is fitted. */
export interface DualQueryEstimateOptions
  extends Omit<GraphicalOptions, 'loss' | 'total' | 'until' | 'prior' | 'start' | 'random' | 'probes'> {
  /**
   * After as many iterations as serve draws best that were left out of a first fit (`validated`, the default), or where nothing is gained
   * any more (`converged`, as the paper has it).
   */
  readonly until?: 'converged' | 'validated' | undefined;
}

/** Of every round each fifth draw is left out to see how long a fit gains. */
const heldOut = (index: number): boolean => index % 5 === 4;
/** Validation ends when it has gained nothing for this many iterations and as many again as the best one took. */
const patience = 50;

/** Thrown where validation has seen enough. */
const enough = Symbol('enough');

/** How many iterations of a fit to four fifths of the draws make the others most likely. */
const bestIterations = async (domain: Domain, losses: DualQueryLosses, options: GraphicalOptions): Promise<number> => {
  const [kept, others] = [losses.of((index) => !heldOut(index)), losses.of(heldOut)];
  let present = Infinity;
  let best = { iteration: 0, loss: Infinity };
  const loss = {
    ...kept,
    value(marginals: readonly Float64Array[]) {
      present = others.value(marginals);
      return kept.value(marginals);
    },
  };
  const onStep = ({ iteration }: { readonly iteration: number }): void => {
    if (present < best.loss) best = { iteration, loss: present };
    if (iteration > 2 * best.iteration + patience) throw enough;
  };
  try {
    await estimateGraphical(domain, [], { ...options, loss, onStep });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return best.iteration;
};

/**
 * The graphical model under which DualQuery's draws are most likely (Private-PGM, section 4 and Algorithm 5), fitted by mirror descent.
 * Draws and records are public once they are drawn: post-processing, at no privacy cost.
 */
export const estimateDualQuery = async (
  domain: Domain,
  game: DualQueryGame,
  { until = 'validated', ...options }: DualQueryEstimateOptions = {},
): Promise<GraphicalEstimate> => {
  const losses = dualQueryLosses(await createEngine(), domain, game);
  const fitting: GraphicalOptions = { ...options, total: game.total, until: 'converged' };
  const how =
    until === 'converged'
      ? fitting
      : { ...fitting, iterations: await bestIterations(domain, losses, fitting), tolerance: 0 };
  return estimateGraphical(domain, [], { ...how, loss: losses.of() });
};

/** Both models of one game: the fit that ends converged has been at the validated one on its way. */
export const estimateDualQueryBoth = async (
  domain: Domain,
  game: DualQueryGame,
  options: Omit<DualQueryEstimateOptions, 'until' | 'onStep'>,
): Promise<{ readonly validated: GraphicalModel; readonly converged: GraphicalModel }> => {
  const losses = dualQueryLosses(await createEngine(), domain, game);
  const fitting: GraphicalOptions = { ...options, total: game.total, until: 'converged' };
  const best = await bestIterations(domain, losses, fitting);
  let validated: GraphicalModel | undefined;
  const { model: converged } = await estimateGraphical(domain, [], {
    ...fitting,
    loss: losses.of(),
    onStep: async ({ iteration }, _point, model) => {
      if (iteration === best) validated = await model();
    },
  });
  // The fit may have converged before, with nothing more to gain.
  return { validated: validated ?? converged, converged };
};
