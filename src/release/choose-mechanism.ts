import { InputError } from '../domain/input-error.js';
import { atOnce, eachInTurn, type Turns } from '../domain/turns.js';
import type { AnyMechanism } from './mechanism.js';
import type { Fit, PublicFacts } from './plan.js';
import { householdMechanisms, mechanisms as rowMechanisms } from './registry.js';

/** A mechanism with how well it is placed. */
export interface RankedMechanism extends Fit {
  readonly mechanism: AnyMechanism;
}

/** The mechanism that fits what is public, and why. */
export interface ChosenMechanism {
  readonly mechanism: AnyMechanism;
  /** Why, in one sentence for a person. */
  readonly why: string;
  /** All mechanisms, those that are able first, the best first. */
  readonly ranked: readonly RankedMechanism[];
}

/** The mechanisms of the level that the domain has. */
const ofLevel = ({ domain }: PublicFacts): readonly AnyMechanism[] =>
  domain.households === undefined ? rowMechanisms : householdMechanisms;

/** How every mechanism is placed to make this release: all of the domain's level, unless told. */
export const rankMechanisms = (
  facts: PublicFacts,
  mechanisms: readonly AnyMechanism[] = ofLevel(facts),
): RankedMechanism[] => atOnce(ranking(facts, mechanisms));

/** The same in turns: of hundreds of attributes each mechanism has a great many pairs to look at. */
export function* ranking(
  facts: PublicFacts,
  mechanisms: readonly AnyMechanism[] = ofLevel(facts),
): Turns<RankedMechanism[]> {
  const placed = yield* eachInTurn(mechanisms, (mechanism) => ({
    mechanism,
    ...mechanism.fits(facts, mechanism.defaults),
  }));
  return placed.sort((a, b) => Number(b.able) - Number(a.able) || b.score - a.score);
}

/**
 * Chooses a mechanism by what is public: the public table and whether it fits, the size of the domain, the budget. The private
 * table does not enter, so the choice reveals nothing about it.
 */
export const chooseMechanism = (
  facts: PublicFacts,
  mechanisms: readonly AnyMechanism[] = ofLevel(facts),
): ChosenMechanism => chosenOf(rankMechanisms(facts, mechanisms));

/** The best of those that are able. */
export const chosenOf = (ranked: readonly RankedMechanism[]): ChosenMechanism => {
  const [best] = ranked;
  if (best?.able !== true)
    throw new InputError(
      `mechanism: none can make this release: ${ranked.map(({ mechanism, why }) => `${mechanism.name}: ${why}`).join('; ')}; give a public table, or fewer attributes or coarser bins`,
    );
  return { mechanism: best.mechanism, why: `${best.mechanism.name}, because ${best.why}.`, ranked };
};
