import { checkTables } from '../adaptive/options.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { candidatePairs } from './candidates.js';
import { checkPairsOptions, type PairsSettings, pairsDefaults } from './options.js';
import { pairs } from './pairs.js';
import { planPairs } from './plan.js';

export const pairsEntry = entry<PairsSettings>({
  name: 'pairs',
  summary: 'looks at all pairs at once, measures those closer that show more than noise, and fits one graphical model',
  needs: 'nothing',
  replicates: 8,
  defaults: pairsDefaults,
  lighter: [
    { setting: 'modelMegabytes', least: 0.1, what: 'smaller junction trees hold fewer pairs together' },
    { setting: 'iterations', least: 50, what: 'the fit may stop before it has used all that the noise leaves' },
    { setting: 'maxCells', least: 64, what: 'larger pairs are not looked at' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => {
        checkPairsOptions(settings);
        checkTables(facts.domain, modelBytesOf(settings), 'pairs');
        candidatePairs(facts.domain, facts.workload, settings.maxCells);
      },
      () => ({ score: 0.45, why: `${publicFit(facts).why}, and all pairs can be looked at together` }),
    ),
  plan: planPairs,
  release: (session, _prior, { random, threads, workers, onProgress, signal, workload }, settings) =>
    pairs(session, { random, threads, workers, onProgress, signal, workload, ...settings }),
});
