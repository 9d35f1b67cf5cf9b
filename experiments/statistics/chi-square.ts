import { upperGamma } from './gamma.js';

/** The chance that a chi-square variable with these degrees of freedom exceeds x. */
export const chiSquareTail = (x: number, degrees: number): number => upperGamma(degrees / 2, x / 2);

/** The x exceeded with the given chance, by bisection. */
export const chiSquareQuantile = (tail: number, degrees: number): number => {
  let low = 0;
  let high = degrees + 1;
  while (chiSquareTail(high, degrees) > tail) high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return high;
};

export interface Fit {
  /** Pearson's statistic, over cells merged with their neighbours until at least 25 draws are expected in each. */
  readonly statistic: number;
  /** The quantile that a true law exceeds with chance `falseAlarm`. */
  readonly limit: number;
  readonly fits: boolean;
}

/** One goodness-of-fit test may cry wolf this often: a hundred of them stay at 1e-6 together. */
const FALSE_ALARM = 1e-8;

/** Pearson's chi-square test of counts against chances (which sum to 1). */
export const goodnessOfFit = (observed: ArrayLike<number>, chances: ArrayLike<number>): Fit => {
  let draws = 0;
  for (let i = 0; i < observed.length; i++) draws += observed[i];
  const cells: { observed: number; expected: number }[] = [];
  let open = { observed: 0, expected: 0 };
  for (let i = 0; i < observed.length; i++) {
    open.observed += observed[i];
    open.expected += chances[i] * draws;
    if (open.expected >= 25) {
      cells.push(open);
      open = { observed: 0, expected: 0 };
    }
  }
  const last = cells[cells.length - 1];
  last.observed += open.observed;
  last.expected += open.expected;
  const statistic = cells.reduce((sum, cell) => sum + (cell.observed - cell.expected) ** 2 / cell.expected, 0);
  const limit = chiSquareQuantile(FALSE_ALARM, cells.length - 1);
  return { statistic, limit, fits: statistic <= limit };
};
