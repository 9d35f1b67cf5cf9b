import type { AttributeSpec, DateSpec } from '../attribute/attribute.js';
import { binEdges, binOf } from '../attribute/bin-edges.js';
import { dayOfNumber, isoDay, periodNumber } from '../attribute/calendar.js';
import type { ColumnSummary, Entry } from './column-summary.js';
import { naturalOrder } from './natural-order.js';
import { quantileEdges, separatingEdges, type Weighted } from './quantile-edges.js';
import { roundNumber } from './round-number.js';

/** Limits of what is learned. */
export interface LearnLimits {
  /** At most this many category values; the rest go to `other`. */
  readonly maxCategories: number;
  /** About this many bins for numbers that have more distinct values than that. */
  readonly bins: number;
}

/** What was made of a column: a declaration, or nothing; and what a reader should know about it. */
export interface LearnedAttribute {
  readonly spec?: AttributeSpec | undefined;
  readonly note?: string | undefined;
}

/** Fewer rows than this cannot show that a column holds ids. */
const ENOUGH_ROWS = 20;

/** The declaration that fits a column of a *public* table. */
export const learnAttribute = (name: string, summary: ColumnSummary, limits: LearnLimits): LearnedAttribute => {
  const { kinds, rows, empty, nested } = summary;
  const filled = rows - empty;
  const content = filled - kinds['null-text'];
  if (nested > 0) return { note: 'left out: it holds lists or objects' };
  if (filled === 0) return { note: 'left out: it has no values' };
  const learn = content > 0 ? typed(content, summary) : learnCategory;
  return learn(name, summary, limits);
};

type Learn = (name: string, summary: ColumnSummary, limits: LearnLimits) => LearnedAttribute;

const typed = (content: number, { kinds, entries, overflow }: ColumnSummary): Learn => {
  const distinct = overflow ? Number.POSITIVE_INFINITY : entries.filter(({ kind }) => kind !== 'null-text').length;
  if (kinds.boolean === content) return distinct > 1 ? learnBoolean : learnCategory;
  if (kinds.whole + kinds.fraction === content) return distinct > 1 ? learnNumeric : learnConstant;
  if (kinds.date === content) return learnDate;
  return learnCategory;
};

/** Empty values and null texts of a column whose other values are not text. */
const nulls = ({
  empty,
  kinds,
  entries,
}: ColumnSummary): { null?: true | undefined; nullValues?: string[] | undefined } => {
  const texts = entries.filter(({ kind, text }) => kind === 'null-text' && text.trim() !== '').map(({ text }) => text);
  if (texts.length > 0) return { null: true, nullValues: texts.sort(naturalOrder) };
  return empty + kinds['null-text'] > 0 ? { null: true } : {};
};

const learnBoolean: Learn = (name, summary) => ({ spec: { name, type: 'boolean', ...nulls(summary) } });

const learnConstant: Learn = (name, summary) => {
  const { text } = summary.entries.find(({ kind }) => kind !== 'null-text')!;
  return {
    spec: { name, type: 'category', values: [text], other: 'other', ...nulls(summary) },
    note: 'has one value only',
  };
};

const learnNumeric: Learn = (name, summary, { bins }) => {
  const { kinds, min, max } = summary;
  const whole = kinds.fraction === 0;
  const points = pointsOf(summary);
  const base = { name, type: whole ? 'integer' : 'number', ...nulls(summary) } as const;
  if (points.length < 2) return learnCategory(name, summary, { bins, maxCategories: 1 });
  const span = max - min + 1;
  if (whole && points.length > 2 * bins && looksLikeIds(name, summary)) {
    return { note: 'left out: its numbers look like ids; declare it by hand if they are not' };
  }
  if (whole && span <= 2 * bins) return { spec: { ...base, min, max } };
  if (points.length <= bins) return { spec: { ...base, edges: separatingEdges(points, whole) } };
  const log = logBins(points, bins, whole);
  return { spec: log === undefined ? { ...base, edges: quantileEdges(points, bins, whole) } : { ...base, ...log } };
};

/** Whole numbers that number the rows, nearly without gaps; or many different ones under a name such as "hhID" or "person_id". */
const looksLikeIds = (name: string, { entries, overflow, rows, min, max }: ColumnSummary): boolean => {
  const isNumbering = !overflow && rows >= ENOUGH_ROWS && entries.length === rows && max - min < 2 * rows;
  const isNamed = /(^|[^a-z])id$/i.test(name) || /[a-z]I[Dd]$/.test(name);
  return isNumbering || (isNamed && (overflow || entries.length > rows / 20));
};

/** Distinct finite numbers with their counts, increasing; from the sample when there were too many to keep. */
const pointsOf = ({ entries, overflow, sample }: ColumnSummary): Weighted[] => {
  const counts = new Map<number, number>();
  const add = (value: number, count: number) => counts.set(value, (counts.get(value) ?? 0) + count);
  if (overflow) for (const value of sample) add(value, 1);
  else for (const { value, count } of entries) if (Number.isFinite(value)) add(value, count);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value);
};

/**
 * Bins of equal ratio, for positive numbers that spread over orders of magnitude: when the greatest is 100 times the
 * median, and such bins would be well used (at least half of them, none with a quarter of the rows).
 */
const logBins = (points: readonly Weighted[], bins: number, whole: boolean) => {
  const total = points.reduce((sum, { count }) => sum + count, 0);
  let middle = 0;
  for (let below = points[0].count; below < total / 2; below += points[middle].count) middle++;
  const median = points[middle].value;
  const lowest = points[0].value;
  const highest = points[points.length - 1].value;
  if (lowest <= 0 || highest < 100 * median) return undefined;
  const min = roundNumber(lowest * 0.8, lowest, whole);
  const max = -roundNumber(-highest * 1.25 - 1, -highest, whole);
  const range = { min, max, bins, scale: 'log' } as const;
  const edges = binEdges({ name: '', type: whole ? 'integer' : 'number', ...range });
  const used = new Float64Array(bins);
  for (const { value, count } of points) used[binOf(edges, value)] += count;
  const isUsed = used.filter((count) => count > 0).length >= bins / 2 && used.every((count) => count < total / 4);
  return isUsed ? range : undefined;
};

const learnDate: Learn = (name, summary) => {
  const first = dayOfNumber(summary.min);
  const last = dayOfNumber(summary.max);
  const cells = (by: DateSpec['by']) => periodNumber(by, last) - periodNumber(by, first) + 1;
  const by = cells('day') <= 45 ? 'day' : cells('month') <= 48 ? 'month' : cells('quarter') <= 48 ? 'quarter' : 'year';
  return { spec: { name, type: 'date', by, min: isoDay(first), max: isoDay(last), ...nulls(summary) } };
};

const learnCategory: Learn = (name, { entries, rows, empty, overflow }, { maxCategories }) => {
  const filled = rows - empty;
  const distinct = entries.length;
  if (filled >= ENOUGH_ROWS && (overflow || distinct > maxCategories || distinct === filled)) {
    if (distinct === filled) return { note: 'left out: every row has its own text, as ids and names have' };
    if (overflow || distinct > filled / 2) return { note: 'left out: nearly every row has its own text' };
  }
  const kept = [...entries].sort(byFrequency).slice(0, maxCategories);
  const values = kept.map(({ text }) => text).sort(naturalOrder);
  const taken = new Set(entries.map(({ text }) => text));
  let other = 'other';
  while (taken.has(other)) other = `(${other})`;
  const spec: AttributeSpec = {
    name,
    type: 'category',
    values,
    other,
    ...(empty > 0 ? { null: true } : {}),
  };
  if (distinct > kept.length) {
    return {
      spec,
      note: `has ${distinct} values: the ${kept.length} most frequent are kept, the others are \`other\``,
    };
  }
  return distinct === 1 ? { spec, note: 'has one value only' } : { spec };
};

const byFrequency = (a: Entry, b: Entry): number => b.count - a.count || naturalOrder(a.text, b.text);
