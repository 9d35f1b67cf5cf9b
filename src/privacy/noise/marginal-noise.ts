import type { Relation } from '../../query/relation.js';
import { amountShare } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { defaultNoise, noiseChargeFor, noiseIn, noiseKinds } from './noise-kinds.js';

/** What noise does to a marginal. */
export interface MarginalNoise {
  readonly marginals: number;
  readonly relation: Relation;
  readonly kind: string;
  /** What the noise is called in a sentence. */
  readonly name: string;
  /** Its scale as charges have it, a fraction, under the name that charges give it: `scale` or `sigmaSquared`. */
  readonly parameter: { readonly name: string; readonly value: string };
  /** Standard deviation of the noise on a count. */
  readonly deviation: number;
}

/** The noise on every count when a whole budget goes, in equal parts, to this many whole marginals of one row per unit. */
export const marginalNoise = ({ currency, total }: Budget, marginals: number, relation: Relation): MarginalNoise => {
  const share = amountShare(total, 1n, BigInt(marginals));
  // One row added changes one cell by 1; one row replaced changes two.
  const sensitivity = { numerator: relation === 'add-remove' ? 1n : 2n, denominator: 1n };
  const kind = defaultNoise[currency];
  const { name, members, scaleOf, deviation } = noiseKinds[kind];
  const { parameter } = noiseIn(noiseChargeFor(kind, share, sensitivity, currency));
  const value = `${parameter.numerator}/${parameter.denominator}`;
  return {
    marginals,
    relation,
    kind,
    name,
    parameter: { name: members[1], value },
    deviation: deviation(scaleOf(parameter)),
  };
};
