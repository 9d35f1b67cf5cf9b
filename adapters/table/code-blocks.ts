import { type CodeColumn, codeColumn } from '../../src/domain/table.js';

/** Rows of a block of codes while their number is not known yet. */
const BLOCK = 1 << 20;

/** Gathers codes of unknown number in blocks and joins them at the end: twice the memory, but of one column at a time. */
export const codeBlocks = (size: number) => {
  let blocks: CodeColumn[] = [];
  let length = 0;
  return {
    /** The block that the next code goes to, and where in it. */
    next: (): { readonly block: CodeColumn; readonly at: number } => {
      const at = length % BLOCK;
      if (at === 0) blocks.push(codeColumn(size, BLOCK));
      return { block: blocks[blocks.length - 1], at };
    },
    /** Says that so many codes were put into that block. */
    advance: (count: number): void => {
      length += count;
    },
    finish: (): CodeColumn => {
      const whole = codeColumn(size, length);
      for (const [i, block] of blocks.entries()) whole.set(block.subarray(0, length - i * BLOCK), i * BLOCK);
      blocks = [];
      return whole;
    },
  };
};

/** Appends `rows` codes, asking `code` for each; the answer is the first row without one, or `rows`. */
export const fillCodes = (
  { next, advance }: ReturnType<typeof codeBlocks>,
  rows: number,
  code: (row: number) => number | null,
): number => {
  for (let done = 0; done < rows; ) {
    const { block, at } = next();
    const count = Math.min(rows - done, BLOCK - at);
    for (let i = 0; i < count; i++) {
      const value = code(done + i);
      if (value === null) return done + i;
      block[at + i] = value;
    }
    advance(count);
    done += count;
  }
  return rows;
};
