import { askedOf } from '../asked-workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { dualQuery } from './dual-query.js';
import { planDualQuery } from './plan.js';
import {
  askedDualQueryWorkload,
  checkDualQueryWorkload,
  type DualQuerySettings,
  dualQueryChoices,
  dualQueryDefaults,
  parametersOf,
} from './settings.js';

export const dualQueryEntry = entry<DualQuerySettings>({
  name: 'dual-query',
  summary: 'draws queries that its records answer badly, round by round, and fits a model to what was drawn',
  needs: 'nothing',
  defaults: dualQueryDefaults,
  choices: dualQueryChoices,
  lighter: [
    { setting: 'iterations', least: 50, what: 'the fit may stop before it has converged' },
    { setting: 'modelMegabytes', least: 1, what: 'fewer pairs are asked' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not asked' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => checkDualQueryWorkload(facts, settings),
      () => ({ score: 0.1, why: `${publicFit(facts).why}, and it measures nothing but draws` }),
    ),
  plan: planDualQuery,
  release: async (session, _prior, run, settings) => {
    const { estimator, search, restarts, timeLimit, until, iterations, modelMegabytes } = settings;
    return dualQuery(session, {
      ...run,
      ...parametersOf(settings),
      workload: askedDualQueryWorkload(askedOf(session, run), settings),
      estimator,
      search,
      restarts,
      timeLimit,
      until,
      iterations,
      memory: 2e6 * modelMegabytes + 1e9,
    });
  },
});
