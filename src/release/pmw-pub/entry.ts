import { askedOf } from '../asked-workload.js';
import { needsPublic, unlessRefused } from '../fit.js';
import { entry } from '../mechanism.js';
import { chosenFrom, type RoundsSettings, roundsDefaults } from '../rounds/rounds-settings.js';
import { planPmwPub, tunePmwPub } from './plan.js';
import { pmwPub } from './pmw-pub.js';
import { roundsFor } from './rounds-for.js';

const name = 'pmw-pub';

export const pmwPubEntry = entry<RoundsSettings>({
  name,
  summary: 'picks, round by round, a cell that the public rows serve badly, measures it, and reweights',
  needs: 'public-table',
  defaults: roundsDefaults,
  lighter: [{ setting: 'maxCells', least: 16, what: 'cells of larger pairs are not chosen from' }],
  fits: (facts, settings) =>
    facts.prior === undefined
      ? needsPublic
      : unlessRefused(
          () => chosenFrom(facts, settings, name),
          () => ({ score: 0.2, why: 'it runs on the public table, in less memory than reweight' }),
        ),
  tune: tunePmwPub,
  plan: planPmwPub,
  release: async (session, prior, run, settings) => {
    const workload = chosenFrom(askedOf(session, run), settings, name);
    return pmwPub(session, prior!, workload, { ...run, rounds: roundsFor(settings, run.publicTable, workload, run) });
  },
});
