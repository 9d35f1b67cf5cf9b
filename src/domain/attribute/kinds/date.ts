import * as v from 'valibot';
import type { Random } from '../../../random/random.js';
import { uniformInteger } from '../../../random/uniform.js';
import { isMadeOf, nullsOf } from '../../learn/summary.js';
import type { DateSpec } from '../attribute.js';
import { type Day, dayNumber, dayOfDate, dayOfNumber, isoDay, type Period, parseDay, periods } from '../calendar.js';
import { valueText } from '../value-text.js';
import {
  type AttributeKind,
  type Drawing,
  type Encoder,
  nullTexts,
  type OutsideCells,
  quote,
  withNull,
} from './kind.js';

const check = (spec: DateSpec, fail: (text: string) => never): void => {
  for (const key of ['min', 'max'] as const) {
    if (spec[key].length !== 10 || parseDay(spec[key]) === undefined) {
      fail(`\`${key}\` must be a date such as "2014-03-31", got ${quote(spec[key])}`);
    }
  }
  if (spec.max < spec.min) fail(`\`max\` must not be before \`min\` ${spec.min}, got ${spec.max}`);
  const clash = spec.nullValues?.find((text) => {
    const day = parseDay(text);
    return day !== undefined && text.trim().slice(0, 10) >= spec.min && text.trim().slice(0, 10) <= spec.max;
  });
  if (clash !== undefined) fail(`a date in \`nullValues\` must lie outside \`min\` to \`max\`, got ${quote(clash)}`);
};

/** Number of the period that cell 0 is. */
export const firstPeriod = ({ by, min }: DateSpec): number => periods[by].number(parseDay(min)!);

const cells = (spec: DateSpec): number => periods[spec.by].number(parseDay(spec.max)!) - firstPeriod(spec) + 1;

const encoder = (spec: DateSpec, { empty, unknown, below, above }: OutsideCells): Encoder => {
  const nulls = nullTexts(spec);
  const { number } = periods[spec.by];
  const first = firstPeriod(spec);
  const last = cells(spec) - 1;
  const ofDay = (day: Day | undefined): number => {
    if (day === undefined) return unknown;
    const cell = number(day) - first;
    return cell < 0 ? below : cell > last ? above : cell;
  };
  return (value) => {
    if (typeof value === 'string') return nulls.has(value.trim()) ? empty : ofDay(parseDay(value));
    if (valueText(value) === '') return empty;
    return value instanceof Date ? ofDay(dayOfDate(value)) : unknown;
  };
};

const drawing = (spec: DateSpec, random: Random): Drawing => {
  const min = dayNumber(parseDay(spec.min)!);
  const max = dayNumber(parseDay(spec.max)!);
  const first = firstPeriod(spec);
  const { start } = periods[spec.by];
  return {
    draw: (cell) => {
      const low = Math.max(min, start(first + cell));
      const high = Math.min(max, start(first + cell + 1) - 1);
      return low + uniformInteger(random, high - low + 1);
    },
    write: dayWriter(),
    read: (value) => {
      const day = value instanceof Date ? dayOfDate(value) : parseDay(String(value));
      const number = day === undefined ? Number.NaN : dayNumber(day);
      return number >= min && number <= max ? number : undefined;
    },
  };
};

/** Writes day numbers as ISO days; days repeat, so their texts are kept, up to a few megabytes of them. */
const dayWriter = (): ((day: number) => string) => {
  const texts = new Map<number, string>();
  return (day) => {
    const known = texts.get(day);
    if (known !== undefined) return known;
    const text = isoDay(dayOfNumber(day));
    if (texts.size < 50_000) texts.set(day, text);
    return text;
  };
};

/** The longest period of which a public column does not need too many. */
const periodFor = (first: Day, last: Day): Period => {
  const needed = (by: Period) => periods[by].number(last) - periods[by].number(first) + 1;
  return needed('day') <= 45 ? 'day' : needed('month') <= 48 ? 'month' : needed('quarter') <= 48 ? 'quarter' : 'year';
};

const isoDate = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a date such as "2014-03-31"'));

/** Days of the calendar, by periods. */
export const date: AttributeKind<DateSpec> = {
  title: 'dates',
  entries: { by: v.picklist(['year', 'quarter', 'month', 'week', 'day']), min: isoDate, max: isoDate },
  check,
  describe: ({ min, max, by }) => `${min} to ${max} by ${by}`,

  cells,
  labels: (spec) => {
    const first = firstPeriod(spec);
    return Array.from({ length: cells(spec) }, (_, i) => periods[spec.by].label(first + i));
  },
  other: () => undefined,
  order: () => 'ordered',
  single: () => undefined,
  line: {
    edges: (spec) => {
      const first = firstPeriod(spec);
      return Float64Array.from({ length: cells(spec) + 1 }, (_, i) => periods[spec.by].start(first + i));
    },
    unit: 'days',
    continuous: false,
    mean: () => undefined,
  },

  encoder,
  undeclared: 'not an ISO date such as 2014-03-31; correct it or list the text in `nullValues`',
  widen: withNull,
  drawing,
  mapTexts: (spec) => spec,

  recognise: (text) => {
    const day = parseDay(text);
    return day === undefined ? undefined : dayNumber(day);
  },
  learn: (name, summary) => {
    if (!isMadeOf(summary, 'date')) return undefined;
    const [first, last] = [dayOfNumber(summary.min), dayOfNumber(summary.max)];
    const by = periodFor(first, last);
    return { spec: { name, type: 'date', by, min: isoDay(first), max: isoDay(last), ...nullsOf(summary) } };
  },
};
