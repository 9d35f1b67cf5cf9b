import type { DuckDBVector } from '@duckdb/node-api';
import type { CodeColumn } from '../../src/domain/table.js';
import { codeBlocks, fillCodes } from './code-blocks.js';

/** Takes the chunks of a column; `append` answers the first row without a value, or `rows`. */
export interface ColumnBuilder {
  append(values: DuckDBVector, rows: number): number;
  finish(): CodeColumn;
}

/** The codes of an attribute. */
export const codeBuilder = (size: number): ColumnBuilder => {
  const blocks = codeBlocks(size);
  return {
    append: (values, rows) => fillCodes(blocks, rows, (row) => values.getItem(row) as number | null),
    finish: blocks.finish,
  };
};

/** A number for each text, counting from 0 as they first appear; `numbers` has those of a table that was read before. */
export const idBuilder = (numbers = new Map<string, number>()): ColumnBuilder => {
  const blocks = codeBlocks(2 ** 32);
  const numberOf = (text: string | null): number | null => {
    if (text === null) return null;
    const number = numbers.get(text) ?? numbers.size;
    if (number === numbers.size) numbers.set(text, number);
    return number;
  };
  return {
    append: (values, rows) => fillCodes(blocks, rows, (row) => numberOf(values.getItem(row) as string | null)),
    finish: blocks.finish,
  };
};
