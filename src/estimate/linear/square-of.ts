import type { Block } from '../../query/block/block.js';
import { kindOf } from '../../query/block/block-kinds.js';

/** A^T A of a block, written out, row-major. */
export const squareOf = (block: Block, size: number): Float64Array => {
  const kind = kindOf(block);
  const unit = new Float64Array(size * size);
  for (let cell = 0; cell < size; cell++) unit[cell * size + cell] = 1;
  return kind.transpose(block, size, kind.apply(block, size, unit, 1, size), 1, size);
};
