import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayNumber, dayOfNumber, isoDay, type Period, parseDay, periods } from './calendar.js';

const first = dayNumber({ year: 1, month: 1, day: 1 });
const last = dayNumber({ year: 9999, month: 12, day: 31 });
const day = fc.integer({ min: first, max: last });
const lengths: Period[] = ['year', 'quarter', 'month', 'week', 'day'];

test('day numbers agree with the platform on every day from 1890 to 2110', () => {
  for (let number = -29_220; number < 51_135; number++) {
    const date = new Date(number * 86_400_000);
    const parts = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    if (dayNumber(parts) !== number) throw new Error(`${date.toISOString()} got ${dayNumber(parts)}`);
  }
});

test('a day survives writing, reading and numbering', () => {
  fc.assert(
    fc.property(day, (number) => {
      const text = isoDay(dayOfNumber(number));
      expect(text).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(dayNumber(parseDay(text)!)).toBe(number);
    }),
  );
});

test('a period starts on its first day: the day before belongs to the period before', () => {
  fc.assert(
    fc.property(fc.constantFrom(...lengths), fc.integer({ min: first + 400, max: last - 400 }), (by, number) => {
      const period = periods[by].number(dayOfNumber(number));
      const start = periods[by].start(period);
      expect(periods[by].number(dayOfNumber(start))).toBe(period);
      expect(periods[by].number(dayOfNumber(start - 1))).toBe(period - 1);
      expect(start <= number && number < periods[by].start(period + 1)).toBe(true);
    }),
  );
});

test('labels are the usual ones, with ISO weeks around new year', () => {
  const label = (by: Period, text: string) => periods[by].label(periods[by].number(parseDay(text)!));
  expect(lengths.map((by) => label(by, '2014-03-01'))).toEqual([
    '2014',
    '2014-Q1',
    '2014-03',
    '2014-W09',
    '2014-03-01',
  ]);
  // ISO 8601: 2008-12-29 is 2009-W01-1, 2010-01-03 is 2009-W53-7, 2021-01-04 is 2021-W01-1.
  expect(['2008-12-29', '2010-01-03', '2021-01-03', '2021-01-04'].map((text) => label('week', text))).toEqual([
    '2009-W01',
    '2009-W53',
    '2020-W53',
    '2021-W01',
  ]);
});

test('leap days exist in leap years only', () => {
  expect(['2000-02-29', '2024-02-29'].every((text) => parseDay(text) !== undefined)).toBe(true);
  expect(['1900-02-29', '2023-02-29', '2023-04-31', '0000-01-01'].every((text) => parseDay(text) === undefined)).toBe(
    true,
  );
});
