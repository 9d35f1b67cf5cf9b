import { cellsOf, type Domain } from '../../domain/domain.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planRounds } from '../rounds/plan-rounds.js';
import { chosenFrom, type RoundsSettings, roundsOf } from '../rounds/rounds-settings.js';

/** Cells of the whole domain. */
export const wholeDomain = (domain: Domain): number =>
  cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );

export const planMwem = (facts: PublicFacts, settings: RoundsSettings): Plan =>
  planRounds(facts, chosenFrom(facts, settings, 'mwem'), {
    rows: wholeDomain(facts.domain),
    rounds: roundsOf(settings),
  });
