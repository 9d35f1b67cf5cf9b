import type { Relation } from '../../query/relation.js';
import { type Rational, rationalNumber } from '../rational.js';
import { amountShare } from './amount.js';
import type { Budget } from './budget.js';
import { laplaceScaleFor, sigmaSquaredFor } from './noise-for.js';

export interface MarginalNoise {
  readonly marginals: number;
  readonly relation: Relation;
  readonly kind: 'laplace' | 'gaussian';
  /** A fraction, of Laplace noise. */
  readonly scale?: string | undefined;
  /** A fraction, of Gaussian noise. */
  readonly sigmaSquared?: string | undefined;
  /** Standard deviation of the noise on a count. */
  readonly deviation: number;
}

const text = ({ numerator, denominator }: Rational): string => `${numerator}/${denominator}`;

/** The noise on every count when a whole budget goes, in equal parts, to this many whole marginals of one row per unit. */
export const marginalNoise = ({ currency, total }: Budget, marginals: number, relation: Relation): MarginalNoise => {
  const share = amountShare(total, 1n, BigInt(marginals));
  // One row added changes one cell by 1; one row replaced changes two.
  const sensitivity = { numerator: relation === 'add-remove' ? 1n : 2n, denominator: 1n };
  if (currency === 'pure') {
    const scale = laplaceScaleFor(share, sensitivity, currency);
    return { marginals, relation, kind: 'laplace', scale: text(scale), deviation: Math.SQRT2 * rationalNumber(scale) };
  }
  const sigmaSquared = sigmaSquaredFor(share, sensitivity);
  const deviation = Math.sqrt(rationalNumber(sigmaSquared));
  return { marginals, relation, kind: 'gaussian', sigmaSquared: text(sigmaSquared), deviation };
};
