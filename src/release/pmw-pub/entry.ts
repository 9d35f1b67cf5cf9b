import { askedOf } from '../asked-workload.js';
import { needsPublic, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { chosenFrom, type RoundsSettings, roundsDefaults, roundsOf } from '../rounds/rounds-settings.js';
import { planPmwPub } from './plan.js';
import { pmwPub } from './pmw-pub.js';

const name = 'pmw-pub';

export const pmwPubEntry = entry<RoundsSettings>({
  name,
  summary: 'picks, round by round, a cell that the public rows serve badly, measures it, and reweights',
  needs: 'public-table',
  defaults: roundsDefaults,
  fits: (facts, settings) =>
    facts.prior === undefined
      ? needsPublic
      : unlessRefused(
          () => chosenFrom(facts, settings, name),
          () => ({ score: 0.2, why: 'it runs on the public table, in less memory than reweight' }),
        ),
  plan: planPmwPub,
  release: async (session, prior, run, settings) =>
    pmwPub(session, prior!, chosenFrom(askedOf(session, run), settings, name), { ...run, rounds: roundsOf(settings) }),
});
