import { dayNumber, parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';
import { valueText } from '../attribute/value-text.js';

/** What one value of a public column looks like. `null-text` is a word that means "empty" in a column of numbers or dates. */
export type Kind = 'whole' | 'fraction' | 'date' | 'boolean' | 'null-text' | 'text';

/** A distinct text of a column. `value` is its number, or day number for dates, else NaN. */
export interface Entry {
  readonly text: string;
  readonly kind: Kind;
  readonly value: number;
  count: number;
}

/** What was seen of one column of a *public* table; memory is bounded however long the column. */
export interface ColumnSummary {
  readonly rows: number;
  /** Rows that are null, undefined, NaN, an invalid `Date` or the empty text. */
  readonly empty: number;
  /** Rows that hold a list or an object. */
  readonly nested: number;
  /** Number of non-empty rows of each kind. */
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Distinct texts with their counts: all of them unless `overflow`. */
  readonly entries: readonly Entry[];
  readonly overflow: boolean;
  /** Least and greatest finite number or day number; min > max when there was none. */
  readonly min: number;
  readonly max: number;
  /** An evenly spaced sample of the numbers, for quantiles when the distinct texts overflow. */
  readonly sample: readonly number[];
}

/** Distinct texts kept for a column. */
const MAX_ENTRIES = 50_000;
const MAX_SAMPLE = 65_536;

const NULL_TEXTS = new Set([
  'n',
  'na',
  'n/a',
  'n.a.',
  '#n/a',
  'nan',
  'null',
  'nil',
  'none',
  'missing',
  '-',
  '--',
  '.',
  '?',
]);

const describe = (text: string): Entry => {
  const entry = (kind: Kind, value = Number.NaN): Entry => ({ text, kind, value, count: 0 });
  const number = plainNumber(text);
  if (number !== undefined) {
    const trimmed = text.trim();
    // Leading zeros and more digits than a double holds are the marks of codes, not of quantities.
    if (/^[+-]?0\d/.test(trimmed)) return entry('text');
    // Numbers near the end of doubles leave no room for a round edge beyond them: they clamp, as infinities do.
    if (!/^[+-]?\d+$/.test(trimmed)) return entry('fraction', Math.abs(number) <= 1e300 ? number : Number.NaN);
    return Number.isSafeInteger(number) ? entry('whole', number) : entry('text');
  }
  const lower = text.trim().toLowerCase();
  if (lower === '' || NULL_TEXTS.has(lower)) return entry('null-text');
  if (['true', 'false', 't', 'f'].includes(lower)) return entry('boolean');
  const day = parseDay(text);
  return day === undefined ? entry('text') : entry('date', dayNumber(day));
};

/** Collects a `ColumnSummary` from a column that arrives in parts. */
export const columnSummarizer = () => {
  const entries = new Map<string, Entry>();
  const kinds: Record<Kind, number> = { whole: 0, fraction: 0, date: 0, boolean: 0, 'null-text': 0, text: 0 };
  let rows = 0;
  let empty = 0;
  let nested = 0;
  let overflow = false;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sample: number[] = [];
  let stride = 1;
  let numbers = 0;

  const keep = (value: number) => {
    if (numbers++ % stride !== 0) return;
    sample.push(value);
    if (sample.length < MAX_SAMPLE) return;
    sample = sample.filter((_, index) => index % 2 === 0);
    stride *= 2;
  };

  const addText = (text: string) => {
    let entry = entries.get(text);
    if (entry === undefined) {
      entry = describe(text);
      if (entries.size < MAX_ENTRIES) entries.set(text, entry);
      else overflow = true;
    }
    entry.count++;
    kinds[entry.kind]++;
    const { value } = entry;
    if (!Number.isFinite(value)) return;
    if (value < min) min = value;
    if (value > max) max = value;
    keep(value);
  };

  return {
    /** Adds the next values of the column. */
    add(values: ArrayLike<unknown>): void {
      rows += values.length;
      for (let i = 0; i < values.length; i++) {
        const text = valueText(values[i]);
        if (text === '') empty++;
        else if (text === undefined) nested++;
        else addText(text);
      }
    },
    /** What has been seen so far. */
    summary: (): ColumnSummary => ({
      rows,
      empty,
      nested,
      kinds: { ...kinds },
      entries: [...entries.values()],
      overflow,
      min,
      max,
      sample: [...sample],
    }),
  };
};
