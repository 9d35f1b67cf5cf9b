import { askedOf, askedOrPairs } from '../asked-workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { planResiduals } from './plan.js';
import { residualPlanner } from './residual-planner.js';
import {
  type ResidualPlannerSettings,
  residualPlannerChoices,
  residualPlannerDefaults,
  residualWork,
  usableEstimator,
} from './settings.js';

export const residualPlannerEntry = entry<ResidualPlannerSettings>({
  name: 'residual-planner',
  summary: 'measures what each set of attributes adds to smaller ones, once, at the best split; public table optional',
  needs: 'nothing',
  defaults: residualPlannerDefaults,
  mostlyGaussian: () => true,
  choices: residualPlannerChoices,
  replicates: 8,
  lighter: [
    { setting: 'iterations', least: 20, what: 'the fit may stop before it has used all that the noise leaves' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not measured' },
  ],
  fits: (facts, { maxCells, estimator, objective }) =>
    unlessRefused(
      () =>
        usableEstimator(
          estimator,
          facts.domain,
          residualWork(facts, askedOrPairs(facts, maxCells), objective),
          facts.prior,
        ),
      () => ({ score: 0.15, why: `${publicFit(facts).why}, and all marginals can be measured as their residuals` }),
    ),
  plan: planResiduals,
  release: async (session, prior, run, { maxCells, estimator, objective, iterations }) =>
    residualPlanner(session, {
      ...run,
      workload: askedOrPairs(askedOf(session, run), maxCells),
      prior,
      estimator,
      objective,
      iterations,
    }),
});
