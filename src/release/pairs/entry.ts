import { checkTables } from '../adaptive/options.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { assumedRows, type PublicFacts } from '../plan.js';
import { publicFit } from '../public-fit.js';
import { candidatePairs } from './candidates.js';
import { checkPairsOptions, type PairsSettings, pairsDefaults } from './options.js';
import { pairs } from './pairs.js';
import { planPairs } from './plan.js';
import { drowned, isPreferred, noiseOfAll } from './worth-measuring.js';

const percent = (part: number): string => `${part < 0.1 ? (100 * part).toPrecision(1) : Math.round(100 * part)}%`;

/** How it is placed: before AIM where most pairs are small, so that all of them are soon looked at, and noisy, or drown in noise, and behind it elsewhere. */
const placed = (facts: PublicFacts, { maxCells }: PairsSettings): { readonly score: number; readonly why: string } => {
  const { verdict, why } = publicFit(facts);
  const all = candidatePairs(facts.domain, facts.workload, maxCells);
  if (verdict !== 'none') return { score: 0.4, why: `${why}, and all pairs can be looked at without it` };
  const noise = all.length === 0 ? 0 : noiseOfAll(facts, all, 1, assumedRows(facts));
  const told = `noise would misplace about ${percent(noise)} of the records in half of the pairs if all ${all.length} were measured at once`;
  return isPreferred(facts.domain, all, noise)
    ? {
        score: 0.55,
        why: `${why}, ${noise >= drowned.noise ? '' : 'most pairs have few cells, '}and ${told}: a look at all of them costs less than rounds of private choices`,
      }
    : { score: 0.45, why: `${why}, and ${told}` };
};

export const pairsEntry = entry<PairsSettings>({
  name: 'pairs',
  summary: 'looks at all pairs at once, measures those closer that show more than noise, and fits one graphical model',
  needs: 'nothing',
  replicates: 8,
  defaults: pairsDefaults,
  gaussianOnly: () => true,
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
      () => placed(facts, settings),
    ),
  plan: planPairs,
  release: (session, _prior, { random, threads, workers, onProgress, signal, workload }, settings) =>
    pairs(session, { random, threads, workers, onProgress, signal, workload, ...settings }),
});
