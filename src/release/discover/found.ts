import type { AttributeSpec, DateSpec } from '../../domain/attribute/attribute.js';
import { dayOfNumber, isoDay } from '../../domain/attribute/calendar.js';
import { periodFor } from '../../domain/attribute/kinds/date.js';
import type { AskedCategory, AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import { naturalOrder } from '../../domain/learn/natural-order.js';
import { plural } from '../../domain/plural.js';
import type { FoundEdges } from '../../privacy/discovery/discovery-door.js';
import type { Passed } from '../../privacy/primitives.js';

/** A column as it was found, with a word about it; no declaration where nothing was. */
export interface Found {
  readonly spec?: AttributeSpec | undefined;
  readonly note?: string | undefined;
}

/** Values of a column that are told apart: the most frequent ones. */
const mostValues = 256;

/** Bins of a column whose edges were asked for, unless told. */
export const defaultBins = 16;

const common = ({ name, description }: AskedCategory | AskedNumeric | AskedDate) => ({
  name,
  ...(description === undefined ? {} : { description }),
});

const nulls = (spec: AskedCategory | AskedNumeric | AskedDate) =>
  spec.nullValues === undefined ? {} : { nullValues: [...spec.nullValues] };

const rough = 'rough: there is too little of the budget for this many rows; give a range, or a larger share';

/** A category of the values that passed; all others, which nobody knows, are merged into one. */
export const categoriesFrom = (spec: AskedCategory, passed: readonly Passed[]): Found => {
  const missing = new Set((spec.nullValues ?? []).map((text) => text.trim()));
  const isNull = passed.some(({ text }) => text === '' || missing.has(text.trim()));
  const named = passed
    .filter(({ text }) => text !== '' && !missing.has(text.trim()))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostValues);
  const values = named.map(({ text }) => text).sort(naturalOrder);
  if (values.length === 0) return { note: 'left out: no value of it is frequent enough to be told' };
  const wanted = spec.other ?? 'other';
  const other = values.includes(wanted) ? `(${wanted})` : wanted;
  const empty = spec.null ?? (isNull || missing.size > 0);
  return {
    spec: {
      ...common(spec),
      type: 'category',
      values,
      other,
      ...(empty ? { null: true, ...nulls(spec) } : {}),
    },
    note: `${plural(values.length, 'value')} found, rare ones merged into ${JSON.stringify(other)}`,
  };
};

/** Edges between those that were found, so that wide bins are cut into about equal parts on the ladder: what is public costs nothing. */
const filled = (places: readonly number[], ladder: Float64Array, bins: number): number[] => {
  const parts = Math.max(1, Math.floor(bins / Math.max(1, places.length - 1)));
  const edges = new Set<number>();
  for (let i = 0; i + 1 < places.length; i++) {
    const [from, to] = [ladder[places[i]], ladder[places[i + 1]]];
    edges.add(from);
    for (let part = 1; part < parts; part++) edges.add(nearestOf(ladder, from + ((to - from) * part) / parts));
    edges.add(to);
  }
  return [...edges].sort((a, b) => a - b);
};

const nearestOf = (ladder: Float64Array, value: number): number => {
  let best = 0;
  let [low, high] = [0, ladder.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (Math.abs(ladder[middle] - value) < Math.abs(ladder[best] - value)) best = middle;
    if (ladder[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return ladder[best];
};

/** Bins between the edges that were found. Without enough to go by, those of the declared range. */
export const binsFrom = (spec: AskedNumeric, { edges: places, certain }: FoundEdges, ladder: Float64Array): Found => {
  const bins = spec.bins ?? defaultBins;
  const isRange = spec.min !== undefined && spec.max !== undefined;
  const found = certain || !isRange ? places : [0, ladder.length - 1];
  const edges = filled(found, ladder, bins);
  return {
    spec: { ...common(spec), type: spec.type, edges, null: true, ...nulls(spec) },
    note: certain
      ? `${plural(edges.length - 1, 'bin')} from ${edges[0]} to ${edges[edges.length - 1]}`
      : isRange
        ? `${plural(edges.length - 1, 'equal bin')} of its range: there is too little of the budget to find better ones`
        : rough,
  };
};

/** Dates from the first edge to the last, by a period of which not too many are needed. */
export const datesFrom = (spec: AskedDate, { edges, certain }: FoundEdges, ladder: Float64Array): Found => {
  const isRange = spec.min !== undefined && spec.max !== undefined;
  const [first, last] =
    certain || !isRange
      ? [ladder[edges[0]], ladder[edges[edges.length - 1]] - 1]
      : [ladder[0], ladder[ladder.length - 2]];
  const days = [dayOfNumber(first), dayOfNumber(last)] as const;
  const by: DateSpec['by'] = spec.by ?? periodFor(...days);
  return {
    spec: { ...common(spec), type: 'date', by, min: isoDay(days[0]), max: isoDay(days[1]), null: true, ...nulls(spec) },
    note: certain
      ? `from ${isoDay(days[0])} to ${isoDay(days[1])} by ${by}`
      : isRange
        ? `its whole range by ${by}: there is too little of the budget to find a better one`
        : rough,
  };
};
