import { InputError } from '../../domain/input-error.js';
import { type Rational, rational, rationalNumber } from '../rational.js';

// Discrete Gaussian noise of parameter sigma^2 is what is left of a continuous variable of variance sigma^2 - c when discrete noise of parameter c, centred at
// it, is put in its place; and that variable is Gaussian but for a factor of at most 1 + eta on its density, eta = 2 (e^(-2 pi^2 c) + e^(-8 pi^2 c) + ...)
// (docs/gdp.md). So it costs what continuous Gaussian noise of variance sigma^2 - c costs, and the factor. With c = (b + 10)/28 and sigma^2 <= 2^b, eta is
// below 2^-9/sigma^2, so that the factors of all counts that a unit can change are together below exp(gdp/256).

const parts = 28n;

/** 28 c: b + 10 for the least whole b with sigma^2 <= 2^b. */
const smoothingParts = ({ numerator, denominator }: Rational): bigint => {
  let b = 0n;
  while (numerator > denominator << b) b++;
  return b + 10n;
};

/** sigma^2 - c; refuses a sigma^2 that is no larger than c. */
export const continuousPart = (sigmaSquared: Rational): Rational => {
  const { numerator, denominator } = sigmaSquared;
  const left = parts * numerator - smoothingParts(sigmaSquared) * denominator;
  if (left <= 0n)
    throw new InputError(
      `sigma squared: must be above ${rationalNumber(rational(smoothingParts(sigmaSquared), parts))} to be counted in gdp, got ${rationalNumber(sigmaSquared)}; use a ledger that counts rho`,
    );
  return { numerator: left, denominator: parts * denominator };
};

/** The least sigma^2 in what `rounded` makes of numbers, which is not below them, with sigma^2 - c of at least `least`. */
export const withSmoothing = (least: Rational, rounded: (value: Rational) => Rational): Rational => {
  for (let smoothing = smoothingParts(least); ; smoothing++) {
    const sigmaSquared = rounded(
      rational(parts * least.numerator + smoothing * least.denominator, parts * least.denominator),
    );
    // Where sigma^2 is past a power of two, c is that of the next one.
    if (smoothingParts(sigmaSquared) <= smoothing) return sigmaSquared;
  }
};
