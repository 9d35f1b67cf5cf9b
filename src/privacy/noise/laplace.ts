import { doubleExponential } from '../../random/double-exponential.js';
import { costOfEpsilon, epsilonFor, positive, roundUp } from '../accounting/pricing.js';
import { type Rational, rational, rationalNumber } from '../rational.js';
import { addBigNoise, addNoise, wholeCounts } from './add-noise.js';
import type { Law } from './block-sampler.js';
import type { NoiseKind } from './noise-kind.js';
import { referenceLaplace } from './reference.js';
import { cachedSampler } from './sampler-cache.js';

/** Discrete Laplace noise of this scale on a vector of counts with this L1 sensitivity. */
export interface LaplaceTerms {
  readonly sensitivity: Rational;
  readonly scale: Rational;
}

/** The law of discrete Laplace noise: exp(-|x| n / d) for scale d / n. */
export const laplaceLaw = (scale: Rational): Law => {
  const { numerator, denominator } = rational(scale.numerator, scale.denominator);
  return { square: 0n, linear: denominator, over: numerator };
};

/** The rho of an epsilon-DP step is epsilon^2 / 2 (Bun, Steinke 2016, Proposition 1.4). */
const divisor = 2n;

/**
 * Discrete Laplace noise: whole numbers x with chance proportional to exp(-|x| / scale), exactly. Counts of L1 sensitivity S are then
 * (S / scale)-differentially private. The parameter is the scale.
 *
 * Tens of nanoseconds a count for scales up to 10^7 with terms up to 2^40, a few microseconds beyond; the law is the same.
 */
export const laplace: NoiseKind<LaplaceTerms> = {
  name: 'Laplace',
  symbol: 'b',
  norm: 'L1',
  act: 'measurement with discrete Laplace noise',
  price:
    'Discrete Laplace noise of scale b on answers with L1 sensitivity S is S/b-differentially private; in rho, half of its square.',

  members: ['sensitivity', 'scale'],
  add: (counts, scale, entropy) => {
    const sampler = cachedSampler(laplaceLaw(scale));
    if (sampler !== undefined) return wholeCounts(counts).map((count) => addNoise(count, sampler(entropy)));
    return wholeCounts(counts).map((count) => addBigNoise(count, referenceLaplace(scale, entropy)));
  },
  sensitivityIn: ({ l1 }) => BigInt(l1),
  cost: ({ sensitivity, scale }, currency) => {
    const s = positive(sensitivity, 'sensitivity');
    const b = positive(scale, 'scale');
    const epsilon = { numerator: s.numerator * b.denominator, denominator: s.denominator * b.numerator };
    return costOfEpsilon(epsilon, currency, divisor);
  },
  termsFor: (share, sensitivity, currency) => {
    const epsilon = epsilonFor(share, currency, divisor);
    return {
      sensitivity,
      scale: roundUp(sensitivity.numerator * epsilon.denominator, sensitivity.denominator * epsilon.numerator),
    };
  },

  scaleOf: rationalNumber,
  normOf: rationalNumber,
  deviation: (scale) => Math.SQRT2 * scale,
  variance: (scale) => 2 * scale ** 2,
  // 2 p / (1 - p^2) with p = exp(-1/b).
  expectedError: (scale) => 1 / Math.sinh(1 / scale),
  reach: Math.log(20) / Math.SQRT2,
  scatter: 5,
  largestOf: (draws) => Math.log(2 * draws),
  simulate: doubleExponential,
};
