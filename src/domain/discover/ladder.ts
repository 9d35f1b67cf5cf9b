import { dayNumber, parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';
import { plainWriter } from '../format/column-format.js';
import type { AskedDate, AskedNumeric } from './draft.js';

/** Whole numbers from one to another. */
const everyOne = (first: number, last: number): Float64Array =>
  Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

/** So many whole numbers are few enough for each of them to be a place. */
const mostWhole = 10_000;

/** The first day that a date may be, and the day behind the last. */
const daysOf = ({ min = '1900-01-01', max = '2099-12-31' }: AskedDate): readonly [number, number] => [
  dayNumber(parseDay(min)!),
  dayNumber(parseDay(max)!) + 1,
];

/**
 * The public places where an edge may be, increasing. Without a range: 0, and every number of two digits times a power of ten from 1e-6 to 1e12,
 * of both signs; every day from 1900 to 2099. With one: every whole number, or 1,000 equal steps; every day.
 */
export const ladderOf = (spec: AskedNumeric | AskedDate): Float64Array => {
  const { within } = spec;
  if (spec.type === 'date') return everyOne(...(within ?? daysOf(spec)));
  const whole = spec.type === 'integer';
  if (within !== undefined) {
    const [from, to] = within;
    if (whole && to - from <= mostWhole) return everyOne(from, to);
    const inside = wideLadder.filter((edge) => edge > from && edge < to && (!whole || Number.isInteger(edge)));
    return Float64Array.of(from, ...inside, to);
  }
  const { min, max } = spec;
  if (min === undefined || max === undefined) {
    const all = whole ? wideLadder.filter((edge) => Number.isInteger(edge)) : wideLadder;
    return all.filter((edge) => (min === undefined || edge >= min) && (max === undefined || edge <= max));
  }
  const end = whole ? max + 1 : max;
  const steps = whole && end - min <= mostWhole ? end - min : 1000;
  const edges = Float64Array.from({ length: steps + 1 }, (_, i) => {
    const edge = i === steps ? end : min + ((end - min) * i) / steps;
    return whole ? Math.round(edge) : edge;
  });
  return edges.filter((edge, i) => i === 0 || edge > edges[i - 1]);
};

const wideLadder: Float64Array = (() => {
  const positive: number[] = [];
  for (let power = -6; power < 12; power++)
    for (let digits = 10; digits < 100; digits++) positive.push(Number(`${digits}e${power - 1}`));
  positive.push(1e12);
  return Float64Array.from([...positive.map((edge) => -edge).reverse(), 0, ...positive]);
})();

/** How many places are at or below a value: the part of the ladder that it falls into. */
export const placesUpTo = (ladder: Float64Array, value: number): number => {
  let [low, high] = [0, ladder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ladder[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Whether a column says between what its values lie. */
export const isRanged = ({ min, max, within }: AskedNumeric | AskedDate): boolean =>
  within !== undefined || (min !== undefined && max !== undefined);

/** Public places far apart: powers of ten of both signs and 0, or every tenth year; and a bound where one is known. */
export const sizesOf = (spec: AskedNumeric | AskedDate): Float64Array => {
  if (spec.type === 'date') {
    const [first, last] = daysOf(spec);
    const years = Array.from({ length: 21 }, (_, i) => dayNumber({ year: 1900 + 10 * i, month: 1, day: 1 }));
    return Float64Array.of(first, ...years.filter((day) => day > first && day < last), last);
  }
  const whole = spec.type === 'integer';
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = spec;
  const powers = Array.from({ length: whole ? 13 : 19 }, (_, i) => Number(`1e${whole ? i : i - 6}`));
  const end = whole ? max + 1 : max;
  const all = [min, ...powers.map((power) => -power).reverse(), 0, ...powers, end];
  return Float64Array.from(
    all.filter((edge, i) => Number.isFinite(edge) && edge >= min && edge <= end && all.indexOf(edge) === i),
  );
};

/** The number on the ladder's line that a value spells, or undefined for none. */
export const placeReader = (spec: AskedNumeric | AskedDate): ((text: string) => number | undefined) => {
  const nulls = new Set((spec.nullValues ?? []).map((text) => text.trim()));
  const plain = spec.written === undefined ? (text: string) => text : plainWriter(spec.written);
  if (spec.type === 'date')
    return (text) => {
      const day = nulls.has(text.trim()) ? undefined : parseDay(plain(text));
      return day && dayNumber(day);
    };
  const whole = spec.type === 'integer';
  return (text) => {
    const value = nulls.has(text.trim()) ? undefined : plainNumber(plain(text));
    return value === undefined || (whole && value % 1 !== 0) ? undefined : value;
  };
};
