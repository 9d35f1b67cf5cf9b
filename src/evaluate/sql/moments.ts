import type { Answering } from '../../model/model.js';
import type { Tally } from './tally.js';

/** Sums over the records of each group that have a value; empty where there are not as many arguments. */
export interface Moments {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  /** Of the squared distances from the mean; of the products of both, where there are two arguments. */
  readonly squares: Float64Array;
  readonly otherSquares: Float64Array;
  readonly products: Float64Array;
}

/** The middle of the range of values: squares are added up from there, so that little is lost by subtracting large numbers. */
const middleOf = (mean: Float64Array): number => {
  let [low, high] = [Infinity, -Infinity];
  for (const value of mean) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Number.isFinite(low) ? (low + high) / 2 : 0;
};

/** What is left of a sum of squares when that of the mean is taken away; what rounding leaves is nothing. */
const around = (squares: number, shift: number): number => {
  const rest = squares - shift;
  return rest > 1e-12 * Math.abs(squares) ? rest : 0;
};

/** The moments of a tally of one or two arguments, or of none: then only the count. */
export const momentsOf = ({ values, walk }: Tally, model: Answering, groups: number): Moments => {
  const [x, y] = values.map(({ mean }) => mean);
  const sums = (isNeeded: boolean): Float64Array => new Float64Array(isNeeded ? groups : 0);
  const count = sums(true);
  const [sum, first, squares] = Array.from({ length: 3 }, () => sums(x !== undefined));
  const [second, otherSquares, products] = Array.from({ length: 3 }, () => sums(y !== undefined));
  const [middleX, middleY] = [x, y].map((mean) => (mean === undefined ? 0 : middleOf(mean)));
  walk(model, (group, weight, i, j) => {
    count[group] += weight;
    if (x === undefined) return;
    const dx = x[i] - middleX;
    sum[group] += weight * x[i];
    first[group] += weight * dx;
    squares[group] += weight * dx * dx;
    if (y === undefined) return;
    const dy = y[j] - middleY;
    second[group] += weight * dy;
    otherSquares[group] += weight * dy * dy;
    products[group] += weight * dx * dy;
  });
  for (let group = 0; group < groups; group++) {
    const n = count[group];
    if (n === 0 || x === undefined) continue;
    squares[group] = around(squares[group], first[group] ** 2 / n);
    if (y === undefined) continue;
    otherSquares[group] = around(otherSquares[group], second[group] ** 2 / n);
    products[group] -= (first[group] * second[group]) / n;
  }
  return { count, sum, squares, otherSquares, products };
};
