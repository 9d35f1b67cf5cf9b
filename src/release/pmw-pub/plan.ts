import type { Plan, PublicFacts } from '../plan.js';
import { planRounds } from '../rounds/plan-rounds.js';
import { chosenFrom, type RoundsSettings, roundsOf } from '../rounds/rounds-settings.js';

export const planPmwPub = (facts: PublicFacts, settings: RoundsSettings): Plan =>
  planRounds(facts, chosenFrom(facts, settings, 'pmw-pub'), { rows: facts.prior!.length, rounds: roundsOf(settings) });
