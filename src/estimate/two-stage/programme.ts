import { loadHighs } from '../../kernel/load-highs.js';
import type { Constraints, Counting } from './dual.js';

export interface NearestFace {
  /** The least L1 distance that any distribution over the rows has from the measured answers. */
  readonly distance: number;
  /** What every distribution at that distance satisfies, and only those do, together with `excluded`. */
  readonly constraints: Constraints;
  /** Rows that no distribution at that distance gives any weight. */
  readonly excluded: Uint8Array;
}

/** A dual value this near to its bound, or a reduced cost this near to zero, counts as there. */
const near = 1e-7;

/**
 * The first stage (IDE, section 3.1): min sum(u + v) subject to W z + u - v = y, sum z = 1, all from 0, by HiGHS, which is
 * loaded at the first call (a few MB of WebAssembly).
 *
 * The paper takes the nearest answers y* for unique; they need not be. So what is handed over is not one of them but all:
 * by complementary slackness with any dual solution, an answer whose multiplier lies strictly between -1 and 1 must be met,
 * one at 1 must not be exceeded, one at -1 must not be missed, and rows with a positive reduced cost get nothing.
 */
export const nearestFace = async (counting: Counting, measured: Float64Array): Promise<NearestFace> => {
  const highs = await loadHighs();
  const { rows, starts, answers } = counting;
  const size = measured.length;
  const columns = rows + 2 * size;
  // By column: each row z_j with its answers and the sum, then u, then v.
  const nonzeros = answers.length + rows + 2 * size;
  const begins = new Int32Array(columns + 1);
  const indices = new Int32Array(nonzeros);
  const values = new Float64Array(nonzeros).fill(1);
  let at = 0;
  for (let j = 0; j < rows; j++) {
    for (let k = starts[j]; k < starts[j + 1]; k++) indices[at++] = answers[k];
    indices[at++] = size;
    begins[j + 1] = at;
  }
  for (let side = 0; side < 2; side++)
    for (let i = 0; i < size; i++) {
      values[at] = side === 0 ? 1 : -1;
      indices[at++] = i;
      begins[rows + side * size + i + 1] = at;
    }
  const bounds = Float64Array.from({ length: size + 1 }, (_, i) => (i < size ? measured[i] : 1));
  const solved = highs.withModel(
    {
      numCols: columns,
      numRows: size + 1,
      colCost: Float64Array.from({ length: columns }, (_, j) => (j < rows ? 0 : 1)),
      colLower: new Float64Array(columns),
      colUpper: new Float64Array(columns).fill(highs.infinity),
      rowLower: bounds,
      rowUpper: bounds,
      matrix: { format: 'csc', numRows: size + 1, numCols: columns, starts: begins, indices, values },
    },
    (model) => {
      model.options.set({
        output_flag: false,
        primal_feasibility_tolerance: 1e-10,
        dual_feasibility_tolerance: 1e-10,
      });
      model.run();
      if (model.getModelStatus() !== highs.constants.modelStatus.optimal)
        throw new Error(`two-stage: the linear programme ended with status ${model.getModelStatus()}`);
      const { colDual, rowDual } = model.getSolution();
      return { distance: model.getObjectiveValue(), colDual, rowDual };
    },
  );
  const { distance, colDual, rowDual } = solved;
  // With answers that can be met, all multipliers 0 are a dual solution too, and the plainest.
  if (distance <= 1e-9)
    return {
      distance: Math.max(0, distance),
      constraints: { target: measured, sense: new Int8Array(size) },
      excluded: new Uint8Array(rows),
    };
  return {
    distance,
    constraints: {
      target: measured,
      sense: Int8Array.from({ length: size }, (_, i) => (rowDual[i] > 1 - near ? -1 : rowDual[i] < near - 1 ? 1 : 0)),
    },
    excluded: Uint8Array.from({ length: rows }, (_, j) => (colDual[j] > near ? 1 : 0)),
  };
};
