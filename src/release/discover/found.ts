import type { AttributeSpec, DateSpec } from '../../domain/attribute/attribute.js';
import { dayOfNumber, isoDay } from '../../domain/attribute/calendar.js';
import { freeOther } from '../../domain/attribute/kinds/category.js';
import { periodFor } from '../../domain/attribute/kinds/date.js';
import type { AskedCategory, AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import { ladderOf } from '../../domain/discover/ladder.js';
import { naturalOrder } from '../../domain/learn/natural-order.js';
import { plural } from '../../domain/plural.js';
import type { Passed } from '../../privacy/primitives.js';
import { cutRange, type FoundRange, nearestOf } from './range-of.js';

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

/** A column of numbers or dates of which too little could be told. */
export const tooLittle: Found = {
  note: 'left out: there is too little of the budget to tell where its values lie; give its "min" and "max", or a larger share',
};

/** A category of the values that passed, round by round; all others, which nobody knows, are merged into one. */
export const categoriesFrom = (spec: AskedCategory, passed: readonly Passed[]): Found => {
  const missing = new Set((spec.nullValues ?? []).map((text) => text.trim()));
  const isNull = passed.some(({ text }) => text === '' || missing.has(text.trim()));
  const named = passed.filter(({ text }) => text !== '' && !missing.has(text.trim())).slice(0, mostValues);
  const values = named.map(({ text }) => text).sort(naturalOrder);
  if (values.length === 0)
    return {
      note: 'left out: no value of it is frequent enough to be told; if it has numbers or dates, such as "12 kg", say in a schema how they are written',
    };
  const other = freeOther([...values, ...(spec.nullValues ?? [])], spec.other);
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

/** What is known of where the values of a column lie: edges that were chosen, powers of ten (or tens of years) that hold them, or its declared range. */
export interface Known {
  readonly places?: readonly number[] | undefined;
  readonly range?: FoundRange | undefined;
}

const equalWords = 'of its range: there is too little of the budget to find better ones';

/** Bins of a column of numbers. */
export const binsFrom = (spec: AskedNumeric, { places, range }: Known): Found => {
  const bins = spec.bins ?? defaultBins;
  const ladder = ladderOf(spec);
  const edges =
    places !== undefined
      ? filled(places, ladder, bins)
      : range !== undefined
        ? cutRange(range, bins, ladder)
        : filled([0, ladder.length - 1], ladder, bins);
  const number = plural(edges.length - 1, places === undefined && range === undefined ? 'equal bin' : 'bin');
  const ends = `from ${edges[0]} to ${edges[edges.length - 1]}`;
  return {
    spec: { ...common(spec), type: spec.type, edges, null: true, ...nulls(spec) },
    note:
      places !== undefined
        ? `${number} ${ends}`
        : range !== undefined
          ? `${number} ${ends}, by powers of ten: there is too little of the budget to find better ones`
          : `${number} ${equalWords}`,
  };
};

/** Dates from the first day to the last, by a period of which not too many are needed. */
export const datesFrom = (spec: AskedDate, { places, range }: Known): Found => {
  const ladder = ladderOf(spec);
  const [first, behind] = [
    ladder[places?.[0] ?? 0],
    ladder[places === undefined ? ladder.length - 1 : places[places.length - 1]],
  ];
  const days = [dayOfNumber(first), dayOfNumber(behind - 1)] as const;
  const by: DateSpec['by'] = spec.by ?? periodFor(...days);
  const ends = `from ${isoDay(days[0])} to ${isoDay(days[1])} by ${by}`;
  return {
    spec: { ...common(spec), type: 'date', by, min: isoDay(days[0]), max: isoDay(days[1]), null: true, ...nulls(spec) },
    note:
      places !== undefined
        ? ends
        : range !== undefined
          ? `${ends}, by tens of years: there is too little of the budget to find better ends`
          : `its whole range by ${by}: there is too little of the budget to find a better one`,
  };
};
