import type { OutsideCells } from '../../../src/domain/attribute/kinds/kind.js';
import type { CellDialect } from '../dialect.js';
import type { Column } from '../sql-table.js';

/** Three projections, each computed once for a row: `raw` and, where it is used, `parsed`, from these a `guess`, and from all three the code. */
export interface Part {
  readonly raw: string;
  readonly parsed?: string | undefined;
  readonly guess?: ((parsed: string) => string) | undefined;
  readonly code: (raw: string, parsed: string, guess: string) => string;
  /** Whether every value that the column can hold has a cell. */
  readonly isTotal?: boolean | undefined;
}

/** What the SQL for the cells of a column is made from. */
export interface PartOptions {
  readonly dialect: CellDialect;
  readonly column: Column;
  /** Cells of the values that the attribute does not name. */
  readonly cells: OutsideCells;
  /** SQL that asks the encoder itself about a value that is not of a common form, in an engine that can call it; the others have SQL for every value. */
  readonly ask?: ((raw: string) => string) | undefined;
}

export const orNull = (cell: number): string => (cell < 0 ? 'NULL' : String(cell));

// SQL text ends at a NUL, and half a surrogate pair has no UTF-8: no column of text holds them.
export const isPlain = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

/**
 * Whether a value's text is empty or means that. An engine that can ask the encoder tells the usual ones, because a call of it costs a trip between threads,
 * and leaves texts that would be trimmed first to it.
 */
export const isEmpty = (
  { dialect, ask }: Pick<PartOptions, 'dialect' | 'ask'>,
  text: string,
  nullValues: Iterable<string> = [],
): string => {
  const all = ['', ...nullValues].filter(isPlain);
  const texts = ask === undefined ? all.map((value) => value.trim()) : all.filter((value) => value.trim() === value);
  const compared = ask === undefined ? dialect.trim(text) : text;
  return `${text} IS NULL OR ${compared} IN (${[...new Set(texts)].map(dialect.literal).join(', ')})`;
};

/** The doubles whose text in JavaScript is one of some texts, with their texts: 1 for "1", and none for "1.0". */
export const doublesNamed = (texts: Iterable<string>): Map<string, number> =>
  new Map(
    [...texts].map((text) => [text, Number(text)] as const).filter(([text, x]) => text !== 'NaN' && String(x) === text),
  );
