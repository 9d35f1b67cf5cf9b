import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { AttributeSpec } from '../../../src/domain/attribute/attribute.js';
import type { CellValue, OutsideCells } from '../../../src/domain/attribute/kinds/kind.js';
import { literal } from '../duckdb.js';
import type { Column } from '../relation.js';

/** Three projections, each computed once for a row: `raw` and `parsed`, from these a `guess`, and from all three the code. */
export interface Part {
  readonly raw: string;
  readonly parsed: string;
  readonly guess?: ((parsed: string) => string) | undefined;
  readonly code: (raw: string, parsed: string, guess: string) => string;
}

/** What the SQL for the cells of a column is made from. */
export interface PartOptions {
  readonly column: Column;
  /** Cells of the values that the attribute does not name. */
  readonly cells: OutsideCells;
  /** SQL that asks the encoder itself. */
  readonly fallback: (raw: string) => string;
  readonly connection: DuckDBConnection;
  /** A name in this connection that nothing else has. */
  readonly name: string;
}

/** What DuckDB needs to know of one type of attribute. */
export interface DuckDBKind<S extends AttributeSpec = AttributeSpec> {
  /** The type of its values in a file that is written, ... */
  readonly type: 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'DATE';
  /** ... and a value as that type has it, in the terms of DuckDB, which is loaded when it is needed. */
  value(value: NonNullable<CellValue>, duckdb: typeof import('@duckdb/node-api')): DuckDBValue;
  /** SQL for the cells of the column's common values; undefined where the encoder must be asked about every value. */
  part(spec: S, options: PartOptions): Part | undefined | Promise<Part | undefined>;
}

export const orNull = (cell: number): string => (cell < 0 ? 'NULL' : String(cell));

// SQL text ends at a NUL, and half a surrogate pair has no UTF-8: such texts are left to the encoder.
export const isPlain = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

// A call of the encoder costs a trip between threads, so the usual empty values are told here; texts that the encoder
// would trim before it looks are left to it.
export const isEmpty = (text: string, nullValues: Iterable<string> = []): string => {
  const texts = ['', ...nullValues].filter((value) => value.trim() === value && isPlain(value));
  return `${text} IS NULL OR ${text} IN (${texts.map(literal).join(', ')})`;
};
