import type { Attribute } from '../attribute/attribute.js';
import { columnEncoder, type Encoder, encodingProblem } from '../attribute/column-encoder.js';
import type { Domain } from '../domain.js';
import { InputError } from '../input-error.js';
import { nearest } from '../nearest.js';
import type { Outside } from '../schema/outside.js';
import { type CodeColumn, codeColumn, type Table } from '../table.js';

/** Columns of raw values by name, each of the same length. */
export type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

/**
 * Rows of raw values as cell numbers. Columns that are not in the domain are left alone. A value without a cell is an
 * `InputError` with its column and its row (data rows count from 1), never the value; `outside` says which values that is.
 */
export const encodeTable = (
  domain: Domain,
  columns: Columns,
  { outside = 'declared' }: { readonly outside?: Outside | undefined } = {},
): Table => {
  const length = rowsOf(columns);
  return {
    domain,
    length,
    columns: domain.attributes.map((attribute) => {
      const codes = codeColumn(attribute.size, length);
      encodeColumn(attribute, columnEncoder(attribute, outside), columnOf(columns, attribute.name), codes, 0);
      return codes;
    }),
  };
};

/**
 * Encodes a chunk of values into `codes` from row `start` on (overwrites them), for tables that arrive in parts. `encode`
 * is the attribute's `columnEncoder`; a value without a cell is an `InputError` naming column and row `start + i + 1`.
 */
const encodeColumn = (
  attribute: Attribute,
  encode: Encoder,
  values: ArrayLike<unknown>,
  codes: CodeColumn,
  start: number,
): void => {
  for (let i = 0; i < values.length; i++) {
    const code = encode(values[i]);
    if (code < 0) throw encodingError(attribute, code, start + i + 1);
    codes[start + i] = code;
  }
};

/** The error for an encoder's negative answer at a data row, counted from 1. */
export const encodingError = (attribute: Attribute, code: number, row: number): InputError =>
  new InputError(`column ${JSON.stringify(attribute.name)}, row ${row}: ${encodingProblem(attribute, code)}`);

/** A column by name; a missing one is an `InputError` that lists what there is. */
export const columnOf = (columns: Columns, name: string): ArrayLike<unknown> => {
  if (Object.hasOwn(columns, name)) return columns[name];
  const known = Object.keys(columns);
  const guess = nearest(name, known);
  const hint = guess === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean ${JSON.stringify(guess)}?`;
  throw new InputError(`column ${JSON.stringify(name)}: missing from the table; ${hint}`);
};

/** Number of rows; columns of different lengths are an `InputError`. */
const rowsOf = (columns: Columns): number => {
  const entries = Object.entries(columns);
  const length = entries.length === 0 ? 0 : entries[0][1].length;
  const odd = entries.find(([, values]) => values.length !== length);
  if (odd !== undefined) {
    throw new InputError(
      `column ${JSON.stringify(odd[0])}: columns must have equally many rows, and it differs from ${JSON.stringify(entries[0][0])}`,
    );
  }
  return length;
};
