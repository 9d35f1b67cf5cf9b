import type { Answering } from '../../model/model.js';
import type { Tally } from './tally.js';

/** Sums over the records of each group that have a value. */
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
  const [count, sum, first, second, squares, otherSquares, products] = Array.from(
    { length: 7 },
    () => new Float64Array(groups),
  );
  const [x, y] = values.map(({ mean }) => mean);
  const [middleX, middleY] = [x, y].map((mean) => (mean === undefined ? 0 : middleOf(mean)));
  walk(model, (group, weight, i, j) => {
    count[group] += weight;
    if (x === undefined) return;
    const dx = x[i] - middleX;
    const dy = y === undefined ? 0 : y[j] - middleY;
    sum[group] += weight * x[i];
    first[group] += weight * dx;
    squares[group] += weight * dx * dx;
    second[group] += weight * dy;
    otherSquares[group] += weight * dy * dy;
    products[group] += weight * dx * dy;
  });
  for (let group = 0; group < groups; group++) {
    const n = count[group];
    if (n === 0) continue;
    squares[group] = around(squares[group], first[group] ** 2 / n);
    otherSquares[group] = around(otherSquares[group], second[group] ** 2 / n);
    products[group] -= (first[group] * second[group]) / n;
  }
  return { count, sum, squares, otherSquares, products };
};
