import type { NumericSpec } from '../attribute/attribute.js';
import { binEdges, binOf } from '../attribute/bin-edges.js';
import { learnCategory } from './learn-category.js';
import { quantileEdges, separatingEdges, type Weighted } from './quantile-edges.js';
import { roundNumber } from './round-number.js';
import {
  type ColumnSummary,
  distinctTexts,
  ENOUGH_ROWS,
  type LearnedAttribute,
  type LearnLimits,
  nullsOf,
} from './summary.js';

/** The declaration for a column of numbers: one cell for each, or bins. */
export const learnNumeric = (
  name: string,
  type: NumericSpec['type'],
  summary: ColumnSummary,
  { bins }: LearnLimits,
): LearnedAttribute => {
  if (distinctTexts(summary) === 1) return constant(name, summary);
  const { min, max } = summary;
  const whole = type === 'integer';
  const points = pointsOf(summary);
  const base = { name, type, ...nullsOf(summary) } as const;
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

const constant = (name: string, summary: ColumnSummary): LearnedAttribute => {
  const { text } = summary.entries.find(({ look }) => look !== 'null-text')!;
  return {
    spec: { name, type: 'category', values: [text], other: 'other', ...nullsOf(summary) },
    note: 'has one value only',
  };
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
