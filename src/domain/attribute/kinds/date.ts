import * as v from 'valibot';
import type { Random } from '../../../random/random.js';
import { uniformInteger } from '../../../random/uniform.js';
import { isMadeOf, nullsOf } from '../../learn/summary.js';
import type { DateSpec, OpenEnds } from '../attribute.js';
import { type Day, dayNumber, dayOfDate, dayOfNumber, isoDay, type Period, parseDay, periods } from '../calendar.js';
import {
  cellsBelow,
  closed,
  isOpenAbove,
  isOpenBelow,
  openCount,
  openText,
  withOpenEdges,
  withOpenLabels,
} from '../open-ends.js';
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
  const room = openable(spec);
  if ((isOpenBelow(spec) && !isOpenBelow({ open: room })) || (isOpenAbove(spec) && !isOpenAbove({ open: room })))
    fail('`open` needs days beyond `min` and `max` in the years 1 to 9999; take it out');
  if (clash !== undefined) fail(`a date in \`nullValues\` must lie outside \`min\` to \`max\`, got ${quote(clash)}`);
};

/** Number of the first declared period. */
export const firstPeriod = ({ by, min }: DateSpec): number => periods[by].number(parseDay(min)!);

/** Number of declared periods. */
export const periodCount = (spec: DateSpec): number =>
  periods[spec.by].number(parseDay(spec.max)!) - firstPeriod(spec) + 1;

const cells = (spec: DateSpec): number => periodCount(spec) + openCount(spec);

/** Open ends are taken to be one period long where a day is needed. */
const reach = (spec: DateSpec): readonly [from: number, to: number] => {
  const { start } = periods[spec.by];
  const first = firstPeriod(spec);
  return [start(first - 1), start(first + periodCount(spec) + 1)];
};

const firstDay = dayNumber({ year: 1, month: 1, day: 1 });
const lastDay = dayNumber({ year: 9999, month: 12, day: 31 });

/** The ends beyond which there are days to draw. */
const openable = (spec: DateSpec): OpenEnds | undefined => {
  const [from, to] = reach(spec);
  const [below, above] = [from >= firstDay, to - 1 <= lastDay];
  return below && above ? 'both' : below ? 'below' : above ? 'above' : undefined;
};

/** The declaration with a cell for what lies beyond each end that can have one. */
const opened = (spec: DateSpec): DateSpec => {
  const open = openable(spec);
  return open === undefined ? spec : { ...spec, open };
};

const encoder = (spec: DateSpec, { empty, unknown, below, above }: OutsideCells): Encoder => {
  const nulls = nullTexts(spec);
  const { number } = periods[spec.by];
  const first = firstPeriod(spec);
  const last = periodCount(spec) - 1;
  const offset = cellsBelow(spec);
  const ofDay = (day: Day | undefined): number => {
    if (day === undefined) return unknown;
    const period = number(day) - first;
    return period < 0 ? below : period > last ? above : offset + period;
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
  const [least, most] = [isOpenBelow(spec) ? firstDay : min, isOpenAbove(spec) ? lastDay : max];
  const first = firstPeriod(spec);
  const last = first + periodCount(spec) - 1;
  const offset = cellsBelow(spec);
  const { start } = periods[spec.by];
  const emptyDays = new Set((spec.nullValues ?? []).map(parseDay).map((day) => day && dayNumber(day)));
  /** A day of the period before the first or after the last, and none that means "empty". */
  const beyond = (period: number): number => {
    let day = start(period) + uniformInteger(random, start(period + 1) - start(period));
    while (emptyDays.has(day)) day += period < first ? -1 : 1;
    return day;
  };
  return {
    draw: (cell) => {
      const period = first + cell - offset;
      if (period < first || period > last) return beyond(period);
      const low = Math.max(min, start(period));
      const high = Math.min(max, start(period + 1) - 1);
      return low + uniformInteger(random, high - low + 1);
    },
    write: dayWriter(),
    read: (value) => {
      const day = value instanceof Date ? dayOfDate(value) : parseDay(String(value));
      const number = day === undefined ? Number.NaN : dayNumber(day);
      return number >= least && number <= most ? number : undefined;
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
export const periodFor = (first: Day, last: Day): Period => {
  const needed = (by: Period) => periods[by].number(last) - periods[by].number(first) + 1;
  return needed('day') <= 45 ? 'day' : needed('month') <= 48 ? 'month' : needed('quarter') <= 48 ? 'quarter' : 'year';
};

const isoDate = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a date such as "2014-03-31"'));

/** Days of the calendar, by periods. */
export const date: AttributeKind<DateSpec> = {
  title: 'dates',
  entries: {
    by: v.picklist(['year', 'quarter', 'month', 'week', 'day']),
    min: isoDate,
    max: isoDate,
    open: v.exactOptional(v.picklist(['below', 'above', 'both'])),
  },
  check,
  describe: (spec) => `${spec.min} to ${spec.max} by ${spec.by}${openText(spec)}`,

  cells,
  labels: (spec) => {
    const { label } = periods[spec.by];
    const [first, count] = [firstPeriod(spec), periodCount(spec)];
    const labels = Array.from({ length: count }, (_, i) => label(first + i));
    return withOpenLabels(spec, labels, `before ${label(first)}`, `${label(first + count)} or later`);
  },
  other: () => undefined,
  order: () => 'ordered',
  single: () => undefined,
  line: {
    edges: (spec) => {
      const first = firstPeriod(spec);
      const { start } = periods[spec.by];
      return withOpenEdges(
        spec,
        Float64Array.from({ length: periodCount(spec) + 1 }, (_, i) => start(first + i)),
      );
    },
    reach,
    unit: 'days',
    continuous: false,
    mean: () => undefined,
  },

  encoder,
  undeclared: 'not an ISO date such as 2014-03-31; correct it or list the text in `nullValues`',
  widen: (spec) => withNull(opened(spec)),
  close: closed,
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
    return { spec: opened({ name, type: 'date', by, min: isoDay(first), max: isoDay(last), ...nullsOf(summary) }) };
  },
};
