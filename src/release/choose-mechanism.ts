import { InputError } from '../domain/input-error.js';
import type { Mechanism } from './mechanism.js';
import type { Fit, PublicFacts } from './plan.js';
import { mechanisms as all } from './registry.js';

/** A mechanism with how well it is placed. */
export interface RankedMechanism extends Fit {
  readonly mechanism: Mechanism;
}

/** The mechanism that fits what is public, and why. */
export interface ChosenMechanism {
  readonly mechanism: Mechanism;
  /** Why, in one sentence for a person. */
  readonly why: string;
  /** All mechanisms, those that are able first, the best first. */
  readonly ranked: readonly RankedMechanism[];
}

/** How every mechanism is placed to make this release. */
export const rankMechanisms = (facts: PublicFacts, mechanisms: readonly Mechanism[] = all): RankedMechanism[] =>
  mechanisms
    .map((mechanism) => ({ mechanism, ...mechanism.fits(facts, mechanism.defaults) }))
    .sort((a, b) => Number(b.able) - Number(a.able) || b.score - a.score);

/**
 * Chooses a mechanism by what is public: the public table and whether it fits, the size of the domain, the budget. The private
 * table does not enter, so the choice reveals nothing about it.
 */
export const chooseMechanism = (facts: PublicFacts, mechanisms: readonly Mechanism[] = all): ChosenMechanism => {
  const ranked = rankMechanisms(facts, mechanisms);
  const [best] = ranked;
  if (best?.able !== true)
    throw new InputError(
      `mechanism: none can make this release: ${ranked.map(({ mechanism, why }) => `${mechanism.name}: ${why}`).join('; ')}; give a public table, or fewer attributes or coarser bins`,
    );
  return { mechanism: best.mechanism, why: `${best.mechanism.name}, because ${best.why}.`, ranked };
};
