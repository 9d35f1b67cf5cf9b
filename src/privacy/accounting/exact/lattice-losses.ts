import { exponential, exponentialDoubt } from './exponential.js';
import type { Losses } from './losses.js';

/** Roundings of the exponents, which are below 2^9, of the exponentials, and of their sum. */
const doubt = 2 ** -40 + 4 * exponentialDoubt;

/** Chances of whole numbers from -reach to reach under discrete Gaussian noise, and a bound of what lies beyond on either side. */
const noiseChances = (
  sigmaSquared: number,
  allowance: number,
): { readonly reach: number; readonly chances: Float64Array; readonly beyond: number } => {
  const weight = (n: number): number => exponential(-(n * n) / (2 * sigmaSquared));
  const half: number[] = [1];
  while (half[half.length - 1] > allowance) half.push(weight(half.length));
  const reach = half.length - 1;
  const next = weight(reach + 1);
  // Each weight is smaller than the one before by more than the first of them is: a geometric series is above all.
  const beyond = next / (1 - exponential(-(2 * reach + 3) / (2 * sigmaSquared)));
  let mass = 0;
  for (let n = reach; n >= 1; n--) mass += 2 * half[n];
  mass += 1;
  return {
    reach,
    // Divided by a sum that lacks the ends: too large, not too small.
    chances: Float64Array.from({ length: 2 * reach + 1 }, (_, i) => half[Math.abs(i - reach)] / mass),
    beyond: beyond / mass,
  };
};

/**
 * The losses of one count that a unit changes by `shift`, under discrete Gaussian noise of this parameter: (2 shift z + shift^2)/(2 sigma^2) for noise z under P.
 * By symmetry those of P and Q exchanged are the same.
 */
export const latticeLosses = (shift: number, sigmaSquared: number, allowance: number): Losses => {
  const { reach, chances, beyond } = noiseChances(sigmaSquared, allowance);
  chances[0] += beyond;
  return {
    step: shift / sigmaSquared,
    offset: (shift * shift) / (2 * sigmaSquared),
    first: -reach,
    masses: chances,
    infinite: beyond * (1 + 2 ** -20),
    doubt,
  };
};

/** What variance a lattice must lack, in its own steps, for the theta function to be 1 but for `ripple`: 2 e^(-2 pi^2 v) with v = 1.49 is below 2^-41. */
const smoothing = 1.5;
const ripple = 2 ** -38;

/**
 * Losses that dominate those of continuous Gaussian noise of this amount (mean amount, variance twice that, under P), by noise on a lattice. Discrete noise of
 * variance s^2 - r and normal noise of variance r, in steps of the lattice, add up to a density that is normal of variance s^2 but for factors within 1 -+ eta, eta
 * below 2^-41 (docs/gdp.md#a-continuous-part): so delta of the normal law at K is at most 1 + 2 eta times delta of the lattice at K (1 - 3 eta).
 */
export const continuousLosses = (amount: number, allowance: number): Losses => {
  const mu = Math.sqrt(2 * amount) * (1 + 2 ** -50);
  const shift = Math.max(1, Math.ceil(128 * mu));
  const sigmaSquared = ((shift / mu) ** 2 - smoothing) * (1 - 2 ** -50);
  const own = latticeLosses(shift, sigmaSquared, allowance);
  return { ...own, offset: own.offset + ripple, doubt: own.doubt + ripple };
};
