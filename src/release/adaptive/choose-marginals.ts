import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Session } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import type { WeightedMarginal } from './candidates.js';

/** A candidate with what the model says of it and what measuring it would cost. */
export interface OpenCandidate extends WeightedMarginal {
  readonly reference: Float64Array;
  readonly offset: number;
}

/** How much a round does before the model is estimated anew. */
export interface RoundOptions {
  /** Marginals that a round selects; `marginalsARound` of the domain by default. */
  readonly together?: number | undefined;
  /** Candidates of more than one attribute that a round looks at, at most; `mostLooked` by default. */
  readonly looked?: number | undefined;
}

/** Refuses what is no number of things, before anything is spent. */
export const checkRounds = ({ together = 1, looked = 1 }: RoundOptions): void => {
  for (const [name, value] of Object.entries({ together, looked }))
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new InputError(`${name}: must be a positive whole number, got ${value}`);
};

/** Attributes for each marginal that a round measures. */
const attributesEach = 25;

/**
 * Marginals that a round selects before it estimates anew: one up to 49 attributes, as in the paper, and more beyond, where rounds are hundreds
 * and each teaches about few attributes.
 */
export const marginalsARound = ({ attributes }: Domain): number =>
  Math.max(1, Math.floor(attributes.length / attributesEach));

/**
 * Selects up to `count` marginals, each by an act of its own of this share, no two with an attribute in common: what one teaches says little
 * about the others, so that all may be chosen by the same model. `fits` says whether one may join those already chosen, by public things.
 */
export const chooseMarginals = async (
  session: Session,
  candidates: readonly OpenCandidate[],
  count: number,
  share: number,
  fits: (chosen: readonly Marginal[]) => boolean,
): Promise<OpenCandidate[]> => {
  const chosen: OpenCandidate[] = [];
  let open = candidates;
  while (chosen.length < count && open.length > 0) {
    const next = open[await session.select(open, share)];
    chosen.push(next);
    const taken = new Set(next.query.attributes);
    open = open.filter(({ query }) => !query.attributes.some((name) => taken.has(name)));
    if (!fits(chosen.map(({ query }) => query))) break;
  }
  return chosen;
};
