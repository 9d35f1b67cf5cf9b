import type { HouseholdSizes } from '../../adapters/index.js';
import { cellLabels, isOrdered, type Tally, valueCells } from '../../src/advanced.js';
import type { Io } from '../command.js';
import { bar, bold, clip, count, dim, percent, spark, table, yellow } from '../terminal/print.js';

/** More cells than this are drawn as one line of heights instead of a bar each. */
const mostBars = 12;
/** Longest line of heights, in characters. */
const longest = 64;

/** How many households have how many persons. */
export const sizesText = ({ sizes, larger, empty }: HouseholdSizes, io: Io): string => {
  const labels = [...sizes.map((_, i) => `${i + 1}`), 'more', ...(empty > 0 ? ['nobody'] : [])];
  const counts = Float64Array.of(...sizes, larger, ...(empty > 0 ? [empty] : []));
  const all = counts.reduce((sum, n) => sum + n, 0);
  return `\n${bold('persons in a household', io)}\n${bars(labels, counts, all, io)}`;
};

/** All attributes in a table, then a plot of each. */
export const tallyText = (tallies: readonly Tally[], rows: number, io: Io): string => {
  const headings = [
    { title: 'attribute' },
    { title: 'type' },
    ...['cells', 'used', 'null', 'other', 'clamped', 'beyond', 'no cell'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ];
  const lines = tallies.map(({ attribute, counts, null: nulls, other, clamped, beyond, outside }) => [
    clip(attribute.name, 24, io.unicode),
    attribute.spec.type,
    count(attribute.size),
    count(counts.reduce((used, n) => used + (n > 0 ? 1 : 0), 0)),
    ...[nulls, other, clamped, beyond].map((n) => (n === 0 ? '' : count(n))),
    outside === 0 ? '' : yellow(count(outside), io),
  ]);
  return `${table(headings, lines, io)}${tallies.map((tally) => `\n${plot(tally, rows, io)}`).join('')}`;
};

const plot = (tally: Tally, rows: number, io: Io): string => {
  const { attribute, counts } = tally;
  const title = `${bold(attribute.name, io)}\n`;
  const labels = cellLabels(attribute);
  if (attribute.size <= mostBars) return title + bars(labels, counts, rows, io);
  if (!isOrdered(attribute)) return title + largest(labels, counts, rows, io);
  const ordered = valueCells(attribute.spec);
  const rest = bars(labels.slice(ordered), counts.subarray(ordered), rows, io);
  return `${title}${heights(labels, counts.subarray(0, ordered), io)}${rest}`;
};

const bars = (labels: readonly string[], counts: Float64Array, rows: number, io: Io): string => {
  const width = Math.min(24, Math.max(0, ...labels.map((label) => [...label].length)));
  return labels
    .map((label, i) => {
      const share = rows === 0 ? 0 : counts[i] / rows;
      const name = clip(label, width, io.unicode);
      const gap = ' '.repeat(Math.max(0, width - [...name].length));
      return `  ${name}${gap}  ${bar(share, 30, io.unicode)} ${percent(share).padStart(6)}  ${count(counts[i])}\n`;
    })
    .join('');
};

/** The most frequent cells of an unordered attribute, and the others together. */
const largest = (labels: readonly string[], counts: Float64Array, rows: number, io: Io): string => {
  const order = [...counts.keys()].sort((a, b) => counts[b] - counts[a] || a - b);
  const top = order.slice(0, mostBars - 1);
  const others = order.slice(mostBars - 1);
  const sum = others.reduce((total, cell) => total + counts[cell], 0);
  return bars(
    [...top.map((cell) => labels[cell]), `(${others.length} others)`],
    Float64Array.of(...top.map((cell) => counts[cell]), sum),
    rows,
    io,
  );
};

/** The shape over ordered cells; neighbours share a character where there are too many. */
const heights = (labels: readonly string[], counts: Float64Array, io: Io): string => {
  const each = Math.ceil(counts.length / Math.min(longest, Math.max(16, io.columns - 8)));
  const groups = Array.from({ length: Math.ceil(counts.length / each) }, (_, i) =>
    counts.subarray(i * each, (i + 1) * each).reduce((sum, n) => sum + n, 0),
  );
  const most = Math.max(1, ...groups);
  const line = spark(
    groups.map((n) => n / most),
    io.unicode,
  );
  const from = labels[0];
  const to = labels[counts.length - 1];
  return `  ${line}\n  ${dim(`from ${from} to ${to}, ${each} ${each === 1 ? 'cell' : 'cells'} a character`, io)}\n`;
};
