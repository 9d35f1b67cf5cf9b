import type { DuckDBVector } from '@duckdb/node-api';
import { type CodeColumn, codeColumn } from '../src/domain/table.js';

/** Rows of a block of codes while their number is not known yet. */
const BLOCK = 1 << 20;

/** Gathers codes of unknown number in blocks and joins them at the end: twice the memory, but of one column at a time. */
const blocksOf = (size: number) => {
  let blocks: CodeColumn[] = [];
  let length = 0;
  return {
    push: (code: number): void => {
      const at = length % BLOCK;
      if (at === 0) blocks.push(codeColumn(size, BLOCK));
      blocks[blocks.length - 1][at] = code;
      length++;
    },
    finish: (): CodeColumn => {
      const whole = codeColumn(size, length);
      for (const [i, block] of blocks.entries()) whole.set(block.subarray(0, length - i * BLOCK), i * BLOCK);
      blocks = [];
      return whole;
    },
  };
};

/** Takes the chunks of a column; `append` answers the first row without a value, or `rows`. */
export interface ColumnBuilder {
  append(values: DuckDBVector, rows: number): number;
  finish(): CodeColumn;
}

/** The codes of an attribute. */
export const codeBuilder = (size: number): ColumnBuilder => {
  const { push, finish } = blocksOf(size);
  return {
    append: (values, rows) => {
      for (let i = 0; i < rows; i++) {
        const code = values.getItem(i) as number | null;
        if (code === null) return i;
        push(code);
      }
      return rows;
    },
    finish,
  };
};

/** A number for each text, counting from 0 as they first appear. */
export const idBuilder = (): ColumnBuilder => {
  const numbers = new Map<string, number>();
  const { push, finish } = blocksOf(2 ** 32);
  return {
    append: (values, rows) => {
      for (let i = 0; i < rows; i++) {
        const text = values.getItem(i) as string | null;
        if (text === null) return i;
        const number = numbers.get(text) ?? numbers.size;
        if (number === numbers.size) numbers.set(text, number);
        push(number);
      }
      return rows;
    },
    finish,
  };
};
