import { askedOf, askedOrPairs } from '../asked-workload.js';
import { unable, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import type { Fit, PublicFacts } from '../plan.js';
import { publicFit } from '../public-fit.js';
import { chosenFrom, roundsOf } from '../rounds/rounds-settings.js';
import { checkKept } from './hold-marginals.js';
import { mwem } from './mwem.js';
import { mwemByMarginals } from './mwem-by-marginals.js';
import { planMwem, wholeDomain } from './plan.js';
import { type MwemSettings, marginalsChosenFrom, mwemChoices, mwemDefaults } from './settings.js';
import { defaultDomainCells } from './uniform-support.js';

const name = 'mwem';

const fitsWeights = (facts: PublicFacts, settings: MwemSettings): Fit => {
  const cells = wholeDomain(facts.domain);
  const size = cells > 1e15 ? cells.toExponential(1) : cells.toLocaleString('en-US');
  if (cells > defaultDomainCells)
    return unable(
      `it lists the whole domain, at most ${defaultDomainCells.toLocaleString('en-US')} cells, and this one has ${size}; with estimator pgm or factored it needs not`,
    );
  return unlessRefused(
    () => chosenFrom(facts, settings, name),
    () => ({ score: 0.4, why: `${publicFit(facts).why}, and the ${size} cells of the domain can all be held` }),
  );
};

export const mwemEntry = entry<MwemSettings>({
  name,
  summary: 'the same rounds on every cell of a small domain, or by marginals on a model; needs no public table',
  needs: 'small-domain',
  defaults: mwemDefaults,
  choices: mwemChoices,
  lighter: [
    { setting: 'modelMegabytes', least: 1, what: 'the model holds fewer marginals together' },
    { setting: 'maxCells', least: 16, what: 'larger pairs are not chosen from' },
  ],
  fits: (facts, settings) =>
    settings.estimator === 'weights'
      ? fitsWeights(facts, settings)
      : unlessRefused(
          () => {
            checkKept(facts.domain, settings.estimator);
            return marginalsChosenFrom(facts, settings);
          },
          () => ({ score: 0.2, why: `${publicFit(facts).why}, and its model holds the chosen marginals only` }),
        ),
  plan: planMwem,
  release: async (session, _prior, run, settings) => {
    const { estimator, modelMegabytes, maxCells } = settings;
    const asked = askedOf(session, run);
    const how = { ...run, rounds: roundsOf(settings) };
    return estimator === 'weights'
      ? mwem(session, chosenFrom(asked, settings, name), how)
      : mwemByMarginals(session, askedOrPairs(asked, maxCells), {
          ...how,
          estimator,
          modelBytes: 1e6 * modelMegabytes,
        });
  },
});
