import { InputError } from '../../domain/input-error.js';
import { normal } from '../../random/normal.js';
import { type Amount, amountScale } from '../accounting/amount.js';
import type { Currency } from '../accounting/currency.js';
import { costOfRatio, paid, positive, roundUp } from '../accounting/pricing.js';
import { divideRational, multiplyRational, type Rational, rational, rationalNumber } from '../rational.js';
import { addBigNoise, addNoise, wholeCounts } from './add-noise.js';
import type { Law } from './block-sampler.js';
import type { NoiseKind } from './noise-kind.js';
import { referenceGaussian } from './reference.js';
import { cachedSampler } from './sampler-cache.js';
import { continuousPart, withSmoothing } from './smoothing.js';

/** Discrete Gaussian noise of parameter sigma^2 on a vector of counts with this squared L2 sensitivity. */
export interface GaussianTerms {
  readonly sensitivitySquared: Rational;
  readonly sigmaSquared: Rational;
  /** Where answers move by no more than a sum of so many whole vectors, each of at most sensitivity^2/records^2: the rows of a unit, if it may have several. */
  readonly records?: Rational | undefined;
  /** Where noise and what moves are multiples of 1/grid of a record: whole multiples, by whole vectors. */
  readonly grid?: Rational | undefined;
}

/** The law of discrete Gaussian noise: exp(-x^2 d / (2 n)) for sigma^2 = n / d. */
export const gaussianLaw = (sigmaSquared: Rational): Law => {
  const { numerator, denominator } = rational(sigmaSquared.numerator, sigmaSquared.denominator);
  return { square: denominator, linear: 0n, over: 2n * numerator };
};

/**
 * The least sigma^2 that `share` buys, rounded up to small terms: those of sigma^2 times `grid`, where noise is drawn on a finer grid than that of records.
 */
export const sigmaSquaredFor = (
  share: Amount,
  sensitivitySquared: Rational,
  currency: Currency,
  grid: Rational = rational(1n),
): Rational => {
  const least = rational(sensitivitySquared.numerator * amountScale, 2n * sensitivitySquared.denominator * paid(share));
  const rounded = (value: Rational): Rational => {
    const fine = multiplyRational(value, grid);
    return divideRational(roundUp(fine.numerator, fine.denominator), grid);
  };
  return currency === 'gdp' ? withSmoothing(least, rounded) : rounded(least);
};

/**
 * Discrete Gaussian noise: whole numbers x with chance proportional to exp(-x^2 / (2 sigma^2)), exactly. Counts of L2 sensitivity S then
 * satisfy S^2 / (2 sigma^2)-zCDP (Canonne, Kamath, Steinke 2020; Bun, Steinke 2016, Proposition 1.6), and cost as much in gdp as continuous noise of
 * variance sigma^2 - c (`smoothing.ts`); there is no pure cost, so a pure budget refuses it. The parameter is sigma^2, the scale sigma.
 *
 * Tens of nanoseconds a count while sigma^2 has a numerator up to 2^39, a few microseconds beyond; the law is the same.
 */
export const gaussian: NoiseKind<GaussianTerms> = {
  name: 'Gaussian',
  symbol: 'σ',
  norm: 'L2',
  act: 'measurement with discrete Gaussian noise',
  price:
    'Discrete Gaussian noise of standard deviation σ on answers with L2 sensitivity S costs S²/(2σ²) rho; in gdp S²/(2(σ² - c)), with c about 1.',

  members: ['sensitivitySquared', 'sigmaSquared'],
  details: ['records', 'grid'],
  add: (counts, sigmaSquared, entropy) => {
    const sampler = cachedSampler(gaussianLaw(sigmaSquared));
    if (sampler !== undefined) return wholeCounts(counts).map((count) => addNoise(count, sampler(entropy)));
    return wholeCounts(counts).map((count) => addBigNoise(count, referenceGaussian(sigmaSquared, entropy)));
  },
  sensitivityIn: ({ l2Squared }) => l2Squared,
  cost: ({ sensitivitySquared, sigmaSquared }, currency) => {
    if (currency === 'pure')
      throw new InputError(
        'budget: Gaussian noise has no pure epsilon, got a budget without delta; use Laplace noise or give a delta',
      );
    const s = positive(sensitivitySquared, 'squared sensitivity');
    const v = currency === 'gdp' ? continuousPart(sigmaSquared) : positive(sigmaSquared, 'sigma squared');
    return costOfRatio(s.numerator * v.denominator, 2n * s.denominator * v.numerator);
  },
  termsFor: (share, sensitivitySquared, currency) => ({
    sensitivitySquared,
    sigmaSquared: sigmaSquaredFor(share, sensitivitySquared, currency),
  }),

  scaleOf: (sigmaSquared) => Math.sqrt(rationalNumber(sigmaSquared)),
  normOf: (sensitivitySquared) => Math.sqrt(rationalNumber(sensitivitySquared)),
  deviation: (scale) => scale,
  variance: (scale) => scale ** 2,
  expectedError: (scale) => {
    // As good as that of the continuous law from a standard deviation of a few records on; below, by its sum.
    if (scale > 8) return scale * Math.sqrt(2 / Math.PI);
    let [mass, sum] = [1, 0];
    for (let k = 1; k < 12 * scale + 12; k++) {
      const weight = 2 * Math.exp(-(k * k) / (2 * scale * scale));
      mass += weight;
      sum += k * weight;
    }
    return sum / mass;
  },
  reach: 1.959963984540054,
  scatter: 2,
  largestOf: (draws) => Math.sqrt(2 * Math.log(2 * draws)),
  simulate: normal,
};
