import { InputError } from '../../domain/input-error.js';
import { addRational, exactTerms, type Rational, rational } from '../rational.js';

export interface SelectionOptions {
  /** The pure privacy loss of the selection. */
  readonly epsilon: Rational;
  /** How much one score can change between neighbours, before the grid. */
  readonly sensitivity: Rational;
  /** Spacing of the grid the scores are rounded down to; by default a power of two at most sensitivity / 2^16 and at most 1. */
  readonly grid?: Rational | undefined;
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

/** The inverse of a grid that is a power of two up to 1, which multiplies a double exactly, or into an infinity that is clamped. */
const dyadicInverse = ({ numerator, denominator }: Rational): number | undefined => {
  const inverse = Number(denominator) / Number(numerator);
  return isPowerOfTwo(numerator) && isPowerOfTwo(denominator) && inverse >= 1 && inverse <= 2 ** 1000
    ? inverse
    : undefined;
};

/** floor(score / grid) by fractions. */
const slowStep = (score: number, { numerator, denominator }: Rational): number => {
  const [n, d] = exactTerms(score);
  const over = n * denominator;
  const under = d * numerator;
  const quotient = over / under;
  return Number(over < 0n && quotient * under !== over ? quotient - 1n : quotient);
};

/** A group of candidates that are not scored one by one: their scores are bounded, and worked out only where they are drawn. */
export interface Unscored {
  /** None scores more. */
  readonly most: number;
  /** How many, at least one. */
  readonly times: number;
  /** The score of a member, from 0; all score `most` where undefined. */
  scoreOf?(member: number): number;
}

/**
 * How many grid steps each score lies below the largest: best - floor(values[i] * inverse), exact integers at most 2^53. They are
 * worked out when needed: among millions of scores an array of them would cost more than the arithmetic.
 */
export interface Gaps {
  readonly values: Float64Array;
  readonly inverse: number;
  readonly best: number;
  /** The smallest step of a value, or the best where there is none. */
  readonly smallest: number;
  /** The least gap that members of an unscored group may have, how many they are, and their own gaps. */
  readonly unscored: readonly {
    readonly gap: number;
    readonly times: number;
    gapOf(member: number): number;
  }[];
}

/** The gap of one candidate. */
export const gapAt = ({ values, inverse, best }: Gaps, candidate: number): number =>
  best - Math.floor(values[candidate] * inverse);

const refuse = (candidate: string): never => {
  throw new InputError(`selection: scores must be finite, got another value at ${candidate}; check the score function`);
};

/**
 * The gaps of some scores, which must stay as they are meanwhile, and of unscored groups beside them. Steps beyond 2^52 are clamped, which
 * cannot move two scores further apart, so the sensitivity of `selectionGrid` holds. Refuses NaN and infinite scores. One pass.
 */
export const scoreGaps = (scores: Float64Array, grid: Rational, unscored: readonly Unscored[] = []): Gaps => {
  if (scores.length + unscored.length === 0) throw new InputError('selection: needs at least one candidate, got none');
  let largest = -Infinity;
  let smallest = Infinity;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i];
    if (!(Math.abs(score) < Infinity)) refuse(`candidate ${i}`);
    if (score > largest) largest = score;
    if (score < smallest) smallest = score;
  }
  for (const [i, { most }] of unscored.entries()) {
    if (!(Math.abs(most) < Infinity)) refuse(`unscored group ${i}`);
    if (most > largest) largest = most;
  }
  const inverse = dyadicInverse(grid);
  const stepOf = (score: number): number => {
    const step = inverse === undefined ? slowStep(score, grid) : Math.floor(score * inverse);
    return Math.min(LARGEST_STEP, Math.max(-LARGEST_STEP, step));
  };
  // Rounding down keeps the order, so the largest score has the largest step.
  const best = stepOf(largest);
  const lowest = scores.length === 0 ? best : stepOf(smallest);
  const below = unscored.map((group, i) => {
    const gap = best - stepOf(group.most);
    const gapOf = (member: number): number => {
      if (group.scoreOf === undefined) return gap;
      const own = best - stepOf(group.scoreOf(member));
      if (!(own >= gap)) refuse(`unscored group ${i}`);
      return own;
    };
    return { gap, times: group.times, gapOf };
  });
  if (
    inverse !== undefined &&
    Math.max(Math.abs(largest), scores.length === 0 ? 0 : Math.abs(smallest)) * inverse <= LARGEST_STEP
  )
    return { values: scores, inverse, best, smallest: lowest, unscored: below };
  return { values: scores.map(stepOf), inverse: 1, best, smallest: lowest, unscored: below };
};
