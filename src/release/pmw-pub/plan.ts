import type { Running } from '../../domain/running.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Tuned } from '../mechanism.js';
import { assumption, type Plan, type PublicFacts } from '../plan.js';
import { planRounds, roundsKnown } from '../rounds/plan-rounds.js';
import { chosenFrom, type RoundsSettings, roundsOf } from '../rounds/rounds-settings.js';
import { rehearseRounds } from './rehearse-rounds.js';

export const planPmwPub = (facts: PublicFacts, settings: RoundsSettings): Plan =>
  planRounds(facts, chosenFrom(facts, settings, 'pmw-pub'), {
    rows: facts.prior!.length,
    rounds: roundsOf(settings),
    rehearsed: facts.publicTable !== undefined,
  });

/** The number of rounds that a release would find, where it is left to it and there is a public table to find it on. */
export const tunePmwPub = async (
  facts: PublicFacts,
  settings: RoundsSettings,
  running: Running & Threads,
): Promise<Tuned<RoundsSettings> | undefined> => {
  const { publicTable, prior } = facts;
  if (roundsOf(settings) !== undefined || publicTable === undefined) return undefined;
  const workload = chosenFrom(facts, settings, 'pmw-pub');
  const rounds = await rehearseRounds(publicTable, workload, roundsKnown(facts, workload, prior!.length), running);
  return {
    settings: { ...settings, rounds },
    remarks: [
      'The number of rounds is found by rehearsals on the public table, for the noisy number of records.',
      ...assumption(facts),
    ],
  };
};
