import { dayNumber, parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';
import { plainWriter } from '../format/column-format.js';
import type { AskedDate, AskedNumeric } from './draft.js';

/**
 * The public places where an edge may be, increasing. Without a range: 0, and every number of two digits times a power of ten from 1e-6 to 1e12,
 * of both signs; every day from 1900 to 2099. With one: every whole number, or 1,000 equal steps; every day.
 */
export const ladderOf = (spec: AskedNumeric | AskedDate): Float64Array => {
  if (spec.type === 'date') {
    const first = dayNumber(parseDay(spec.min ?? '1900-01-01')!);
    const last = dayNumber(parseDay(spec.max ?? '2099-12-31')!);
    return Float64Array.from({ length: last - first + 2 }, (_, i) => first + i);
  }
  const whole = spec.type === 'integer';
  const { min, max } = spec;
  if (min === undefined || max === undefined) {
    const all = whole ? wideLadder.filter((edge) => Number.isInteger(edge)) : wideLadder;
    return all.filter((edge) => (min === undefined || edge >= min) && (max === undefined || edge <= max));
  }
  const end = whole ? max + 1 : max;
  const steps = whole && end - min <= 10_000 ? end - min : 1000;
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
