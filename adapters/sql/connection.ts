import type { Dialect } from './dialect.js';
import type { Column } from './sql-table.js';

/** A value of a result as an engine's client gives it. */
export type SqlValue = string | number | bigint | boolean | null;

export interface QueryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of every row of the result, one after the other. */
  readonly onRow: (row: readonly SqlValue[]) => void;
}

/** A column of a copy: an integer below `cells`, or NULL; without them a text. */
export interface CopyColumn {
  readonly name: string;
  readonly cells?: number | undefined;
}

/**
 * An engine that answers queries about rows that somebody else may write meanwhile. What it throws says nothing that the engine said beyond a code: texts of
 * engines quote values. An aborted query is cancelled in the engine, and rejects with the reason; the next one may follow.
 */
export interface Connection {
  readonly dialect: Dialect;
  /** Where the rows are, for messages; without credentials. */
  readonly shown: string;
  /** Whether all queries see the same rows, whatever is written meanwhile. */
  readonly isFixed: boolean;
  /** The columns of something that can stand after FROM; reads no row. */
  columns(from: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<Column[]>;
  /** Runs a query. Rejects with a `LostConnection` where the engine cannot answer any more. */
  query(sql: string, options: QueryOptions): Promise<void>;
  /**
   * Makes a table of the rows of a query, in the place of the one before, and tells what stands for it after FROM: nobody else sees it, and it is gone with the connection. Absent unless
   * the engine has such tables and whoever opened the connection asked for one. `sql` has the columns in their order.
   */
  copy?(
    sql: string,
    columns: readonly CopyColumn[],
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
  /** Reaches the engine again after such a loss: whether queries will see the very rows that they saw before, those of a copy too. */
  recover(options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>;
  close(): Promise<void>;
}

/** The engine went away, restarted, or gave up: the same query may succeed once it is reached again. */
export class LostConnection extends Error {
  override readonly name = 'LostConnection';
  constructor(
    shown: string,
    /** The engine's code for what happened, or the system's. */
    readonly code: string,
  ) {
    super(`${shown}: the connection was lost (${code})`);
  }
}
