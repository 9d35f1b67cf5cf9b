import type { Block } from '../../../query/block/block.js';
import { kindOf } from '../../../query/block/block-kinds.js';

/** W^T W of a workload over the cells of one axis: all that the error of a strategy depends on. */
export interface Gram {
  readonly size: number;
  readonly diagonal: Float64Array;
  /** The product of each of the lists of `size` numbers that follow one another with W^T W; a new array. */
  times(lists: Float64Array): Float64Array;
}

/** Entries of W^T W that are written out rather than gone through row by row. */
const maxWritten = 2 ** 24;

/** Of a block: by its own products where these are short, by the written-out matrix where it has more rows than cells. */
export const gramOf = (block: Block, size: number): Gram => {
  const kind = kindOf(block);
  const product = (lists: Float64Array): Float64Array => {
    const count = lists.length / size;
    return kind.transpose(block, size, kind.apply(block, size, lists, count, 1), count, 1);
  };
  if (block.kind === 'keep') return { size, diagonal: new Float64Array(size).fill(1), times: (lists) => lists.slice() };
  const short = block.kind === 'prefix' || kind.rows(block, size) <= 2;
  if (!short && size * size <= maxWritten) return writtenGram(whole(size, product), size);
  const diagonal = new Float64Array(size);
  const unit = new Float64Array(size);
  for (let cell = 0; cell < size; cell++) {
    unit[cell] = 1;
    diagonal[cell] = product(unit)[cell];
    unit[cell] = 0;
  }
  return { size, diagonal, times: product };
};

const whole = (size: number, product: (lists: Float64Array) => Float64Array): Float64Array => {
  const unit = new Float64Array(size * size);
  for (let cell = 0; cell < size; cell++) unit[cell * size + cell] = 1;
  return product(unit);
};

/** Of a matrix, row-major. */
const writtenGram = (matrix: Float64Array, size: number): Gram => ({
  size,
  diagonal: Float64Array.from({ length: size }, (_, cell) => matrix[cell * size + cell]),
  times: (lists) => {
    const out = new Float64Array(lists.length);
    for (let from = 0; from < lists.length; from += size)
      for (let row = 0; row < size; row++) {
        const factor = lists[from + row];
        if (factor === 0) continue;
        const start = row * size;
        for (let cell = 0; cell < size; cell++) out[from + cell] += factor * matrix[start + cell];
      }
    return out;
  },
});
