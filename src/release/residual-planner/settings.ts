import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { limits } from '../../domain/limits.js';
import { defaultIterations } from '../../estimate/reweight/fit-weights.js';
import { checkJointRows } from '../../model/support/joint-rows.js';
import type { Support } from '../../model/support/support.js';
import type { Session } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import { optimalParts, type PlannedResidual, residualPlan } from '../../query/workload/residual-plan.js';
import type { Workload } from '../../query/workload/workload.js';
import { givenMarginals } from '../marginals-of.js';

/** How marginals become one model: a graphical model, or the public rows reweighted; `auto` is the second where there are public rows. */
export type ResidualEstimator = 'auto' | 'pgm' | 'reweight';

/**
 * What the split of the budget makes least: the sum of the variances of all cells (`cells`, as in the paper), the sum over marginals of the
 * mean variance of a cell (`marginals`), or, between both, the sum over residuals of the root of what each adds to the variances (`roots`).
 */
export type ResidualObjective = 'cells' | 'marginals' | 'roots';

interface Objective {
  /** The power of its number of cells by which the variances of a marginal's cells count. */
  readonly power: number;
  readonly of: 'squares' | 'roots';
}

const objectives: Readonly<Record<ResidualObjective, Objective>> = {
  cells: { power: 0, of: 'squares' },
  marginals: { power: -1, of: 'squares' },
  roots: { power: -1 / 2, of: 'roots' },
};

/** What the planner is told where nobody says otherwise. */
export const residualPlannerDefaults = {
  maxCells: mostPairCells,
  estimator: 'auto' as ResidualEstimator,
  objective: 'cells' as ResidualObjective,
  iterations: defaultIterations,
};

export type ResidualPlannerSettings = typeof residualPlannerDefaults;

export const residualPlannerChoices = {
  estimator: ['auto', 'pgm', 'reweight'] satisfies ResidualEstimator[],
  objective: Object.keys(objectives),
};

/** What is measured: residuals, and each one's part of the budget. */
export interface ResidualWork {
  readonly residuals: readonly PlannedResidual[];
  readonly parts: readonly number[];
}

/** The residuals of a workload of marginals and their parts of the budget, for whoever such a door protects. */
export const residualWork = (
  { domain, relation, unit, budget }: Pick<Session, 'domain' | 'relation' | 'unit' | 'budget'>,
  given: Workload,
  objective: ResidualObjective,
): ResidualWork => {
  if (budget.currency === 'pure')
    throw new InputError(
      'residual-planner: must have a budget with a delta, since it measures with Gaussian noise, got a pure epsilon; give a delta',
    );
  const { power, of } = objectives[objective];
  const { queries } = givenMarginals(given, 'residual-planner');
  const weighted = queries.map(({ query, weight }) => ({
    query,
    weight: weight * cellsOf(domain, attributesOf(query)) ** power,
  }));
  const residuals = residualPlan({ queries: weighted }, domain, relation, unit);
  if (residuals.every(({ attributes }) => attributes.length === 0))
    throw new InputError('workload: must ask more than the number of records, got attributes of one cell alone');
  return { residuals, parts: optimalParts(residuals, of) };
};

/** Bytes for each cell of a residual while a graphical model is fitted. */
const bytesOfCell = 64;

/** Which estimator it will be, once it is known that it can hold the residuals: nothing may be spent before that. */
export const usableEstimator = (
  wished: ResidualEstimator,
  domain: Domain,
  { residuals }: ResidualWork,
  prior: Support | undefined,
): Exclude<ResidualEstimator, 'auto'> => {
  const estimator = wished === 'auto' ? (prior === undefined ? 'pgm' : 'reweight') : wished;
  const marginals = residuals.map(({ attributes }) => attributes);
  if (estimator === 'reweight') {
    if (prior === undefined)
      throw new InputError('estimator: reweight needs a public table, got none; use pgm, or give one');
    checkJointRows(prior, marginals);
    return estimator;
  }
  const cells = marginals.reduce((sum, attributes) => sum + cellsOf(domain, attributes), 0);
  if (bytesOfCell * cells > limits.modelBytes)
    throw new InputError(
      `workload: its residuals may have ${Math.floor(limits.modelBytes / bytesOfCell)} cells together for estimator pgm, got ${cells}; ask for fewer or smaller marginals`,
    );
  return estimator;
};
