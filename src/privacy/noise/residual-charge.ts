import type { Amount } from '../accounting/amount.js';
import type { Currency } from '../accounting/currency.js';
import { type Rational, rational } from '../rational.js';
import { sigmaSquaredFor } from './gaussian.js';
import type { NoiseCharge } from './noise-kinds.js';

/**
 * The charge for the least Gaussian noise that `share` buys on a residual of this squared sensitivity, in records; undefined where neighbours
 * cannot differ in it. Noise is drawn on the grid of 1/cells record, so it is there that its parameter is rounded to small terms.
 */
export const residualCharge = (
  share: Amount,
  sensitivitySquared: Rational | undefined,
  sizes: readonly number[],
  currency: Currency,
): NoiseCharge<'gaussian'> | undefined => {
  if (sensitivitySquared === undefined) return undefined;
  const grid = rational(sizes.reduce((product, size) => product * BigInt(size), 1n) ** 2n);
  return {
    kind: 'gaussian',
    sensitivitySquared: rational(sensitivitySquared.numerator, sensitivitySquared.denominator),
    sigmaSquared: sigmaSquaredFor(share, sensitivitySquared, currency, grid),
  };
};
