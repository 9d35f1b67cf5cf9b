import * as v from 'valibot';
import type { AttributeSpec } from '../attribute/attribute.js';
import { InputError } from '../input-error.js';
import type { ColumnFormat } from './column-format.js';
import { checkDatePattern } from './date-pattern.js';

/** Encodings of text files that can be read beside UTF-8. */
export const encodings = ['utf-8', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'utf-16le', 'utf-16be'] as const;

const sign = v.picklist(['.', ',']);
const groups = v.picklist([',', '.', ' ', "'"]);
const text = v.pipe(v.string(), v.nonEmpty());
const oneSign = v.pipe(v.string(), v.regex(/^[^\r\n"]$/, 'a single character'));

const columnFormatShape = v.strictObject({
  decimal: v.exactOptional(sign),
  thousands: v.exactOptional(groups),
  prefix: v.exactOptional(text),
  suffix: v.exactOptional(text),
  date: v.exactOptional(text),
});

/** The form of `table` in a schema file. */
export const tableFormatShape = v.strictObject({
  delimiter: v.exactOptional(oneSign),
  quote: v.exactOptional(v.pipe(v.string(), v.regex(/^[^\r\n]$/, 'a single character'))),
  encoding: v.exactOptional(v.picklist(encodings)),
  decimal: v.exactOptional(sign),
  thousands: v.exactOptional(groups),
  date: v.exactOptional(text),
  columns: v.exactOptional(v.record(v.string(), columnFormatShape)),
});

/** How a file is written: between which signs, in which encoding, and how numbers and dates look. Rows that are released are always written plainly. */
export interface TableFormat extends Pick<ColumnFormat, 'decimal' | 'thousands' | 'date'> {
  /** Between the fields of a CSV file; what the header shows unless told. */
  readonly delimiter?: string | undefined;
  /** Around fields of a CSV file; a double quote unless told. */
  readonly quote?: string | undefined;
  readonly encoding?: (typeof encodings)[number] | undefined;
  /** Columns that are written otherwise than the rest. */
  readonly columns?: Readonly<Record<string, ColumnFormat>> | undefined;
}

const checkColumn = (format: ColumnFormat, subject: string): void => {
  const { decimal = '.', thousands, date, prefix, suffix } = format;
  if (thousands !== undefined && thousands === decimal)
    throw new InputError(
      `${subject}: \`thousands\` and \`decimal\` must differ, got ${JSON.stringify(decimal)} for both; say which is which`,
    );
  if (date === undefined) return;
  if (prefix !== undefined || suffix !== undefined)
    throw new InputError(`${subject}: \`prefix\` and \`suffix\` are for numbers, got them with \`date\`; take one out`);
  try {
    checkDatePattern(date);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${subject}: ${error.message}`);
    throw error;
  }
};

/** Throws an `InputError` when a well-formed description of a file contradicts itself. */
export const checkTableFormat = (format: TableFormat | undefined): void => {
  if (format === undefined) return;
  checkColumn({ decimal: format.decimal, thousands: format.thousands, date: format.date }, 'schema: table');
  if (format.delimiter !== undefined && format.delimiter === (format.quote ?? '"'))
    throw new InputError('schema: table: `delimiter` and `quote` must differ, got one sign for both');
  for (const [name, column] of Object.entries(format.columns ?? {}))
    checkColumn(column, `schema: table.columns ${JSON.stringify(name)}`);
};

/** How a column is written, by its type: undefined where it is plainly. */
export const formatOf = (
  table: TableFormat | undefined,
  { name, type }: Pick<AttributeSpec, 'name' | 'type'>,
): ColumnFormat | undefined => {
  if (table === undefined) return undefined;
  const own = table.columns?.[name];
  const { decimal, thousands, date } = table;
  const all: ColumnFormat =
    type === 'date'
      ? date === undefined
        ? {}
        : { date }
      : type === 'integer' || type === 'number'
        ? { decimal, thousands }
        : {};
  const format = { ...all, ...own };
  return Object.values(format).every((part) => part === undefined) ? undefined : format;
};
