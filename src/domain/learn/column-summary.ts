import type { AttributeType } from '../attribute/attribute.js';
import { kinds } from '../attribute/kinds/kinds.js';
import { valueText } from '../attribute/value-text.js';
import type { ColumnSummary, Entry, Look } from './summary.js';

/** Distinct texts kept for a column. */
const MAX_ENTRIES = 50_000;
const MAX_SAMPLE = 65_536;

const NULL_TEXTS = new Set([
  '',
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

const types = Object.keys(kinds) as AttributeType[];

/** What a text looks like. The texts of a column look alike, and one type at most recognises each: `likely` is asked first. */
const describe = (text: string, likely: Look): Entry => {
  const entry = (look: Look, value = Number.NaN): Entry => ({ text, look, value, count: 0 });
  const guess = likely === 'null-text' ? undefined : kinds[likely].recognise(text);
  if (guess !== undefined) return entry(likely, guess);
  for (const type of types) {
    const value = kinds[type].recognise(text);
    if (value !== undefined) return entry(type, value);
  }
  return entry(NULL_TEXTS.has(text.trim().toLowerCase()) ? 'null-text' : 'category');
};

/** Collects a `ColumnSummary` from a column that arrives in parts. */
export const columnSummarizer = () => {
  const entries = new Map<string, Entry>();
  const looks = Object.fromEntries([...types, 'null-text'].map((look) => [look, 0])) as Record<Look, number>;
  let rows = 0;
  let empty = 0;
  let nested = 0;
  let overflow = false;
  let likely: Look = 'category';
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
      entry = describe(text, likely);
      likely = entry.look;
      if (entries.size < MAX_ENTRIES) entries.set(text, entry);
      else overflow = true;
    }
    entry.count++;
    looks[entry.look]++;
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
      looks: { ...looks },
      entries: [...entries.values()],
      overflow,
      min,
      max,
      sample: [...sample],
    }),
  };
};
