import type { Block } from './block.js';
import { blockRows } from './block-rows.js';

/**
 * Multiplies a block into the middle axis of `values`, an array of shape outer x size x inner, giving shape
 * outer x rows x inner: out[o, r, i] = sum over cells of B[r, cell] values[o, cell, i]. The matrix is never built; the
 * cost is that of reading the input and writing the output (prefix and ranges through cumulative sums). Returns a new
 * array, except that `keep` returns `values` itself.
 */
export const applyBlock = (
  block: Block,
  size: number,
  values: Float64Array,
  outer: number,
  inner: number,
): Float64Array => {
  if (block.kind === 'keep') return values;
  const rows = blockRows(block, size);
  const out = new Float64Array(outer * rows * inner);
  /** out[o, row, :] += factor * values[o, cell, :]. */
  const add = (o: number, row: number, cell: number, factor = 1) => {
    const to = (o * rows + row) * inner;
    const from = (o * size + cell) * inner;
    for (let i = 0; i < inner; i++) out[to + i] += factor * values[from + i];
  };
  for (let o = 0; o < outer; o++) {
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
        for (let cell = 0; cell < size; cell++) {
          const to = (o * rows + cell) * inner;
          for (let i = 0; i < inner; i++) out[to + i] = values[to + i] + (cell > 0 ? out[to - inner + i] : 0);
        }
        break;
      case 'ranges':
        applyRanges(block.ranges, size, values, out, o, inner);
        break;
      case 'regroup':
        for (let cell = 0; cell < size; cell++) add(o, block.groups[cell], cell);
        break;
      // Cell 0 has no entry: skipping it also keeps 0 * Infinity out when counts are beyond all reason.
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

/** Differences of cumulative sums, which are exact on integers; summed one by one where the cumulative sum is not. */
const applyRanges = (
  ranges: readonly (readonly [number, number])[],
  size: number,
  values: Float64Array,
  out: Float64Array,
  o: number,
  inner: number,
): void => {
  const upTo = new Float64Array(size + 1);
  for (let i = 0; i < inner; i++) {
    const from = o * size * inner + i;
    for (let cell = 0; cell < size; cell++) upTo[cell + 1] = upTo[cell] + values[from + cell * inner];
    const to = o * ranges.length * inner + i;
    const exact = upTo[size] <= Number.MAX_SAFE_INTEGER;
    for (let row = 0; row < ranges.length; row++) {
      const [low, high] = ranges[row];
      let sum = 0;
      if (exact) sum = upTo[high + 1] - upTo[low];
      else for (let cell = low; cell <= high; cell++) sum += values[from + cell * inner];
      out[to + row * inner] = sum;
    }
  }
};
