import type { Answerable } from '../../adapters/index.js';
import { boundLevel, releaseBoundsWords, type SqlValue, spreadsheetText } from '../../src/advanced.js';
import type { SqlAnswer } from '../../src/index.js';
import type { Io } from '../command.js';
import { clip, dim, table } from '../terminal/print.js';

/** A number with four digits, or all of those before the point. */
const short = (value: number): string => {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  if (value !== 0 && Math.abs(value) < 0.0001) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
};

const shown = (value: SqlValue): string =>
  value === null ? 'null' : typeof value === 'number' ? short(value) : String(value);

const level = `${100 * boundLevel}%`;

/** An answer for a person: each number with its bounds beside it. */
export const answerText = ({ columns, rows, remarks }: SqlAnswer, io: Io): string => {
  const told = remarks.map((remark) => `${dim(`Note: ${remark}.`, io)}\n`).join('');
  if (rows.length === 0) return `${dim('no groups', io)}\n${told}`;
  const bounded = columns.map((_, i) => rows.some(({ low }) => low[i] !== null));
  const headings = columns.flatMap(({ title, kind }, i) => [
    { title: clip(title, 40, io.unicode), align: kind !== 'attribute' ? ('right' as const) : undefined },
    ...(bounded[i] ? [{ title: level }] : []),
  ]);
  const cells = rows.map(({ values, low, high }) =>
    values.flatMap((value, i) => {
      // A unit integer of a group, such as a year, is written as it is.
      const text = columns[i].kind === 'attribute' ? String(value) : shown(value);
      const reach = low[i] === null ? '' : `${shown(low[i])} to ${shown(high[i])}`;
      return [clip(text, 40, io.unicode), ...(bounded[i] ? [reach] : [])];
    }),
  );
  const missing = columns.some(({ kind }, i) => kind !== 'attribute' && !bounded[i]);
  const remark = missing
    ? `${dim(`Where no ${level} bound is shown, none is known: a release made with --bootstrap has them for most answers.`, io)}\n`
    : '';
  return `${table(headings, cells, io)}${remark}${told}`;
};

const field = (value: SqlValue, spreadsheet: boolean): string => {
  const plain = value === null ? '' : String(value);
  const text = spreadsheet && typeof value === 'string' ? spreadsheetText(plain) : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** An answer as CSV: for each number its value, low and high. For a spreadsheet, no text is left that it would take for a formula. */
export const answerCsv = (
  { columns, rows }: SqlAnswer,
  { spreadsheet = false }: { readonly spreadsheet?: boolean | undefined } = {},
): string => {
  const head = columns.flatMap(({ title, kind }) =>
    kind === 'attribute' ? [title] : [title, `${title} low`, `${title} high`],
  );
  const lines = rows.map(({ values, low, high }) =>
    values.flatMap((value, i) => (columns[i].kind === 'attribute' ? [value] : [value, low[i], high[i]])),
  );
  return [head, ...lines].map((line) => `${line.map((value) => field(value, spreadsheet)).join(',')}\n`).join('');
};

/** How often bounds of a release hold, in words; nothing of an estimate from outside. */
export const boundsOf = ({ manifest, ...release }: Answerable): string | undefined =>
  manifest && releaseBoundsWords({ manifest, ...release });

/** How often bounds hold, for a person, below answers that show some. */
export const boundsNote = (answers: readonly SqlAnswer[], bounds: string | undefined, io: Io): string =>
  bounds !== undefined && answers.some(({ rows }) => rows.some(({ low }) => low.some((value) => value !== null)))
    ? `${dim(bounds, io)}\n`
    : '';

/** Answers as JSON: a row is its values by title, a number with its bounds where they are known. */
export const answersJson = (answers: readonly SqlAnswer[], bounds?: string | undefined): string => {
  const plain = answers.map(({ columns, rows, remarks }) => ({
    columns,
    remarks,
    rows: rows.map(({ values, low, high }) => ({ values, low, high })),
  }));
  return `${JSON.stringify({ level: boundLevel, bounds, answers: plain }, null, 2)}\n`;
};
