import { InputError } from '../../domain/input-error.js';
import { addRational, exactTerms, type Rational, rational } from '../rational.js';

export interface SelectionOptions {
  /** The pure privacy loss of the selection. */
  readonly epsilon: Rational;
  /** How much one score can change between neighbours, before the grid. */
  readonly sensitivity: Rational;
  /** Spacing of the grid the scores are rounded down to; by default a power of two at most sensitivity / 2^16 and at most 1. */
  readonly grid?: Rational;
}

/** Scores as whole steps of the grid, clamped here so that every difference of two is exact in a double. */
const LARGEST_STEP = 2 ** 52;

/** The grid a selection works on, and the sensitivity on it: rounding down moves two scores apart by less than one step. */
export const selectionGrid = (sensitivity: Rational, grid?: Rational): { grid: Rational; sensitivity: Rational } => {
  const step = grid ?? defaultGrid(sensitivity);
  return { grid: step, sensitivity: addRational(sensitivity, step) };
};

/** The power of two in (2^-18 s, 2^-16 s], or 1 where that is larger than 1. */
const defaultGrid = ({ numerator, denominator }: Rational): Rational => {
  const power = numerator.toString(2).length - denominator.toString(2).length - 17;
  return rational(1n, 1n << BigInt(Math.max(0, -power)));
};

const isPowerOfTwo = (n: bigint): boolean => (n & (n - 1n)) === 0n;

/** floor(score / grid), exactly. */
const gridStep = (grid: Rational): ((score: number) => number) => {
  const { numerator, denominator } = grid;
  const size = Number(numerator) / Number(denominator);
  // Dividing a double by a power of two up to 1 is exact, or overflows to an infinity that is clamped like any large score.
  if (isPowerOfTwo(numerator) && isPowerOfTwo(denominator) && size >= 2 ** -1000 && size <= 1)
    return (score) => Math.floor(score / size);
  return (score) => {
    const [n, d] = exactTerms(score);
    const over = n * denominator;
    const under = d * numerator;
    const quotient = over / under;
    return Number(over < 0n && quotient * under !== over ? quotient - 1n : quotient);
  };
};

/**
 * How many grid steps each score lies below the largest: exact integers at most 2^53. Clamping the steps cannot move two scores
 * further apart, so the sensitivity of `selectionGrid` holds. Refuses NaN and infinite scores.
 */
export const scoreGaps = (scores: Float64Array, grid: Rational): Float64Array => {
  if (scores.length === 0) throw new InputError('selection: needs at least one candidate, got none');
  const toStep = gridStep(grid);
  const gaps = new Float64Array(scores.length);
  let best = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    if (!Number.isFinite(scores[i]))
      throw new InputError(
        `selection: scores must be finite, got another value at candidate ${i}; check the score function`,
      );
    const step = Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, toStep(scores[i])));
    gaps[i] = step;
    if (step > best) best = step;
  }
  for (let i = 0; i < gaps.length; i++) gaps[i] = best - gaps[i];
  return gaps;
};
