import { loadHighs } from '../../kernel/load-highs.js';
import type { RowCells } from '../../query/mixture.js';

/** The best that a mixture of some rows can do for some answers. */
export interface SolvedMixture {
  /** Largest error of the mixture found, in records: at least the best one, and at most `gap` above it. */
  readonly error: number;
  /** Difference to a lower bound that holds for every mixture. */
  readonly gap: number;
  /** Records of each row in the mixture found, from 0, with sum `total`. */
  readonly weights: Float64Array;
}

/** Largest difference of the answers from those of a mixture. */
const largestError = ({ cells, marginals, rows, count }: RowCells, weights: Float64Array, answers: Float64Array) => {
  const sums = new Float64Array(count);
  for (let row = 0; row < rows; row++)
    for (let m = 0; m < marginals; m++) sums[cells[row * marginals + m]] += weights[row];
  let largest = 0;
  for (let cell = 0; cell < count; cell++) largest = Math.max(largest, Math.abs(answers[cell] - sums[cell]));
  return largest;
};

/**
 * What no mixture can go below, from any multipliers y of the answers (weak duality): for a mixture z of sum n with largest error
 * t, sum_q y_q d_q - n max_x sum_{q holds x} y_q <= sum_q y_q (d_q - q(z)) <= |y|_1 t. The rest of a multiplier sum of 1 goes to the
 * largest answer that no row can serve.
 */
const lowerBound = (
  { cells, marginals, rows, count }: RowCells,
  answers: Float64Array,
  total: number,
  given: Float64Array,
  unserved: number,
): number => {
  let norm = 0;
  for (const y of given) norm += Math.abs(y);
  const shrink = norm > 1 ? 1 / norm : 1;
  let value = 0;
  for (let cell = 0; cell < count; cell++) value += given[cell] * shrink * answers[cell];
  let most = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let m = 0; m < marginals; m++) sum += given[cells[row * marginals + m]] * shrink;
    most = Math.max(most, sum);
  }
  return value - total * most + (1 - Math.min(1, norm)) * unserved;
};

/** Which cells any row falls into, numbered, and the largest answer in size of those that none does: no mixture errs less. */
const servedCells = ({ cells, count }: RowCells, answers: Float64Array) => {
  const served = new Int32Array(count).fill(-1);
  let constraints = 0;
  for (const cell of cells) if (served[cell] < 0) served[cell] = constraints++;
  let unserved = 0;
  for (let cell = 0; cell < count; cell++) if (served[cell] < 0) unserved = Math.max(unserved, Math.abs(answers[cell]));
  return { served, constraints, unserved };
};

/** The linear programme: min t with sum + t >= d and sum - t <= d in each served cell, all weights together being `total`. */
const programme = (
  { cells, marginals, rows, count }: RowCells,
  answers: Float64Array,
  total: number,
  { served, constraints, unserved }: ReturnType<typeof servedCells>,
  infinity: number,
) => {
  const numCols = rows + 1;
  const numRows = 2 * constraints + 1;
  const nonzeros = 2 * cells.length + rows + 2 * constraints;
  const starts = new Int32Array(numCols + 1);
  const indices = new Int32Array(nonzeros);
  const values = new Float64Array(nonzeros).fill(1);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const own = cells.subarray(row * marginals, (row + 1) * marginals);
    for (const cell of own) indices[at++] = served[cell];
    for (const cell of own) indices[at++] = constraints + served[cell];
    indices[at++] = 2 * constraints;
    starts[row + 1] = at;
  }
  // The last column is t.
  for (let i = 0; i < 2 * constraints; i++) {
    values[at] = i < constraints ? 1 : -1;
    indices[at++] = i;
  }
  starts[numCols] = at;
  const rowLower = new Float64Array(numRows).fill(-infinity);
  const rowUpper = new Float64Array(numRows).fill(infinity);
  for (let cell = 0; cell < count; cell++) {
    if (served[cell] < 0) continue;
    rowLower[served[cell]] = answers[cell];
    rowUpper[constraints + served[cell]] = answers[cell];
  }
  rowLower[2 * constraints] = total;
  rowUpper[2 * constraints] = total;
  const colLower = new Float64Array(numCols);
  colLower[rows] = unserved;
  const colUpper = new Float64Array(numCols).fill(infinity);
  const colCost = new Float64Array(numCols);
  colCost[rows] = 1;
  const matrix = { format: 'csc', numRows, numCols, starts, indices, values } as const;
  return { numCols, numRows, colCost, colLower, colUpper, rowLower, rowUpper, matrix };
};

/** Weights as the solver found them, made non-negative and of sum `total`. */
const ofSum = (found: Float64Array, total: number): Float64Array => {
  const weights = found.map((weight) => Math.max(0, weight));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => (sum > 0 ? (weight / sum) * total : total / weights.length));
};

/**
 * Best mixture error (PMW-Pub, Definition 2.1) in records: the least, over all non-negative weights of the rows with sum `total`, of
 * the largest |answer - sum of weights in its cell|. A linear programme (HiGHS): min t, |d_q - q(z)| <= t; the error is computed
 * again from the weights found, and the gap from the multipliers, so neither rests on the solver's word.
 */
export const solveMixture = async (rows: RowCells, answers: Float64Array, total: number): Promise<SolvedMixture> => {
  const cells = servedCells(rows, answers);
  const { served, constraints, unserved } = cells;
  const highs = await loadHighs();
  const { found, multipliers } = highs.withModel(programme(rows, answers, total, cells, highs.infinity), (model) => {
    model.options.set({
      output_flag: false,
      primal_feasibility_tolerance: 1e-9,
      dual_feasibility_tolerance: 1e-9,
    });
    model.run();
    const { colValue, rowDual } = model.getSolution();
    return { found: Float64Array.from(colValue).slice(0, rows.rows), multipliers: Float64Array.from(rowDual) };
  });
  const weights = ofSum(found, total);
  const y = new Float64Array(rows.count);
  for (let cell = 0; cell < rows.count; cell++)
    if (served[cell] >= 0) y[cell] = multipliers[served[cell]] + multipliers[constraints + served[cell]];
  const error = largestError(rows, weights, answers);
  const bound = Math.max(0, unserved, lowerBound(rows, answers, total, y, unserved));
  return { error, gap: Math.max(0, error - bound), weights };
};
