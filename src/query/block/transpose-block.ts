import type { Block } from './block.js';
import { blockRows } from './block-rows.js';

/**
 * The transpose of `applyBlock`: from an array of shape outer x rows x inner to outer x size x inner,
 * out[o, cell, i] = sum over rows of B[r, cell] values[o, r, i]. Returns a new array, except that `keep` returns `values`.
 */
export const transposeBlock = (
  block: Block,
  size: number,
  values: Float64Array,
  outer: number,
  inner: number,
): Float64Array => {
  if (block.kind === 'keep') return values;
  const rows = blockRows(block, size);
  const out = new Float64Array(outer * size * inner);
  /** out[o, cell, :] += factor * values[o, row, :]. */
  const add = (o: number, row: number, cell: number, factor = 1) => {
    const to = (o * size + cell) * inner;
    const from = (o * rows + row) * inner;
    for (let i = 0; i < inner; i++) out[to + i] += factor * values[from + i];
  };
  for (let o = 0; o < outer; o++) {
    /** out[o, cell, :] += out[o, cell + step, :]: running sums along the axis, in place. */
    const accumulate = (cell: number, step: 1 | -1) => {
      const to = (o * size + cell) * inner;
      for (let i = 0; i < inner; i++) out[to + i] += out[to + step * inner + i];
    };
    switch (block.kind) {
      case 'sum':
        for (let cell = 0; cell < size; cell++) add(o, 0, cell);
        break;
      case 'value':
        add(o, 0, block.cell);
        break;
      case 'set':
        for (const cell of block.cells) add(o, 0, cell);
        break;
      case 'prefix':
        for (let cell = size - 1; cell >= 0; cell--) {
          add(o, cell, cell);
          if (cell < size - 1) accumulate(cell, 1);
        }
        break;
      case 'ranges':
        // A range adds its residual where it starts and takes it back behind its end; then one running sum.
        block.ranges.forEach(([low, high], row) => {
          add(o, row, low);
          if (high < size - 1) add(o, row, high + 1, -1);
        });
        for (let cell = 1; cell < size; cell++) accumulate(cell, -1);
        break;
      case 'regroup':
        for (let cell = 0; cell < size; cell++) add(o, block.groups[cell], cell);
        break;
      case 'mean':
        for (let cell = 1; cell < size; cell++) add(o, 0, cell, cell);
        break;
      case 'moments':
        for (let cell = 1; cell < size; cell++)
          for (let row = 0; row < rows; row++) add(o, row, cell, cell ** (row + 1));
        break;
    }
  }
  return out;
};
