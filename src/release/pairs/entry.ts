import { checkTables } from '../adaptive/options.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { assumedRows, type PublicFacts } from '../plan.js';
import { publicFit } from '../public-fit.js';
import { candidatePairs, roundCandidates } from './candidates.js';
import { checkPairsOptions, type PairsSettings, pairsDefaults } from './options.js';
import { pairs } from './pairs.js';
import { planPairs } from './plan.js';
import { noiseOfAll } from './worth-measuring.js';

/** Pairs up to which it is preferred to AIM: as many as it was tried with, about. */
const mostPreferred = 400;
/** Noise (`noiseOfAll`) from which on it is preferred for up to so many. */
const drowned = { noise: 0.5, pairs: 500 };

/** How it is placed: before AIM where there is no public table and its pairs are few, or drown in noise. */
const placed = (facts: PublicFacts, { maxCells }: PairsSettings): { readonly score: number; readonly why: string } => {
  const { verdict, why } = publicFit(facts);
  const all = candidatePairs(facts.domain, facts.workload, maxCells);
  if (verdict !== 'none') return { score: 0.4, why: `${why}, and all pairs can be looked at without it` };
  if (all.length <= mostPreferred)
    return { score: 0.55, why: `${why}, and all ${all.length} pairs can be looked at before anything is chosen` };
  const drowns = all.length <= drowned.pairs && noiseOfAll(facts, all, 1, assumedRows(facts)) >= drowned.noise;
  return drowns
    ? {
        score: 0.55,
        why: `${why}, and most of ${all.length} pairs drown in noise: rounds of private choices would choose by noise as well, and pay for it`,
      }
    : { score: 0.45, why: `${why}, and all ${all.length} pairs can be looked at` };
};

export const pairsEntry = entry<PairsSettings>({
  name: 'pairs',
  summary: 'looks at all pairs at once, then measures what a graphical model of them gets wrong, and fits one to all',
  needs: 'nothing',
  replicates: 8,
  defaults: pairsDefaults,
  mostlyGaussian: () => true,
  lighter: [
    { setting: 'modelMegabytes', least: 0.1, what: 'smaller junction trees hold fewer pairs together' },
    { setting: 'degree', least: 2, what: 'rounds choose among pairs alone' },
    { setting: 'iterations', least: 50, what: 'the fit may stop before it has used all that the noise leaves' },
    { setting: 'maxCells', least: 64, what: 'larger pairs are not looked at' },
  ],
  fits: (facts, settings) =>
    unlessRefused(
      () => {
        checkPairsOptions(settings);
        checkTables(facts.domain, modelBytesOf(settings), 'pairs');
        candidatePairs(facts.domain, facts.workload, settings.maxCells);
        roundCandidates(facts.domain, facts.workload, settings);
      },
      () => placed(facts, settings),
    ),
  plan: planPairs,
  release: (session, _prior, { random, threads, workers, onProgress, signal, workload }, settings) =>
    pairs(session, { random, threads, workers, onProgress, signal, workload, ...settings }),
});
