import type { DuckDBVector } from '@duckdb/node-api';
import { type CodeColumn, codeColumn } from '../../src/domain/table.js';

/** Rows of a block of codes while their number is not known yet. */
const BLOCK = 1 << 20;

/** Gathers codes of unknown number in blocks and joins them at the end: twice the memory, but of one column at a time. */
const blocksOf = (size: number) => {
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
const fill = (
  { next, advance }: ReturnType<typeof blocksOf>,
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

/** Takes the chunks of a column; `append` answers the first row without a value, or `rows`. */
export interface ColumnBuilder {
  append(values: DuckDBVector, rows: number): number;
  finish(): CodeColumn;
}

/** The codes of an attribute. */
export const codeBuilder = (size: number): ColumnBuilder => {
  const blocks = blocksOf(size);
  return {
    append: (values, rows) => fill(blocks, rows, (row) => values.getItem(row) as number | null),
    finish: blocks.finish,
  };
};

/** A number for each text, counting from 0 as they first appear; `numbers` has those of a table that was read before. */
export const idBuilder = (numbers = new Map<string, number>()): ColumnBuilder => {
  const blocks = blocksOf(2 ** 32);
  const numberOf = (text: string | null): number | null => {
    if (text === null) return null;
    const number = numbers.get(text) ?? numbers.size;
    if (number === numbers.size) numbers.set(text, number);
    return number;
  };
  return {
    append: (values, rows) => fill(blocks, rows, (row) => numberOf(values.getItem(row) as string | null)),
    finish: blocks.finish,
  };
};
