import { askedOf } from '../asked-workload.js';
import { unable, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { publicFit } from '../public-fit.js';
import { chosenFrom, type RoundsSettings, roundsDefaults, roundsOf } from '../rounds/rounds-settings.js';
import { mwem } from './mwem.js';
import { planMwem, wholeDomain } from './plan.js';
import { defaultDomainCells } from './uniform-support.js';

const name = 'mwem';

export const mwemEntry = entry<RoundsSettings>({
  name,
  summary: 'the same rounds on every cell of a small domain, from a uniform start; needs no public table',
  needs: 'small-domain',
  defaults: roundsDefaults,
  fits: (facts, settings) => {
    const cells = wholeDomain(facts.domain);
    const size = cells > 1e15 ? cells.toExponential(1) : cells.toLocaleString('en-US');
    if (cells > defaultDomainCells)
      return unable(
        `it lists the whole domain, at most ${defaultDomainCells.toLocaleString('en-US')} cells, and this one has ${size}`,
      );
    return unlessRefused(
      () => chosenFrom(facts, settings, name),
      () => ({ score: 0.4, why: `${publicFit(facts).why}, and the ${size} cells of the domain can all be held` }),
    );
  },
  plan: planMwem,
  release: async (session, _prior, run, settings) =>
    mwem(session, chosenFrom(askedOf(session, run), settings, name), { ...run, rounds: roundsOf(settings) }),
});
