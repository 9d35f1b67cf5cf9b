import type { DateSpec } from './attribute.js';

/** A calendar cell length. */
export type Period = DateSpec['by'];

/** A day of the proleptic Gregorian calendar; `month` and `day` count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const monthLength = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : LENGTHS[month - 1]);

const real = (year: number, month: number, day: number): Day | undefined =>
  year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month)
    ? { year, month, day }
    : undefined;

/**
 * The day that an ISO 8601 date or date-time text names, as written: a zone is accepted and not applied. Undefined when
 * it is not a date between 0001-01-01 and 9999-12-31.
 */
export const parseDay = (text: string): Day | undefined => {
  if (text.length === 10) {
    const year = digitsAt(text, 0, 4);
    const month = digitsAt(text, 5, 7);
    const day = digitsAt(text, 8, 10);
    if (year >= 0 && month >= 0 && day >= 0 && text[4] === '-' && text[7] === '-') return real(year, month, day);
  }
  const match = FORM.exec(text.trim());
  return match === null ? undefined : real(Number(match[1]), Number(match[2]), Number(match[3]));
};

/** The number that the characters from `start` to `end` spell, or -1 when one is not a digit. */
const digitsAt = (text: string, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
};

/** The day of a `Date` in UTC; undefined when it is invalid or outside the years 1 to 9999. */
export const dayOfDate = (date: Date): Day | undefined =>
  real(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());

/** Days since 1970-01-01. Years start in March here, so that the leap day is the last of its year. */
export const dayNumber = ({ year, month, day }: Day): number => {
  const y = month <= 2 ? year - 1 : year;
  const sinceMarch = (month + 9) % 12;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leaps + Math.floor((153 * sinceMarch + 2) / 5) + day - 1 - 719468;
};

/** The day that `number` days after 1970-01-01 is: the inverse of `dayNumber` for the years 1 to 9999. */
export const dayOfNumber = (number: number): Day => {
  const date = new Date(number * 86_400_000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** `YYYY-MM-DD`. */
export const isoDay = ({ year, month, day }: Day): string => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;

/** How the calendar is cut into periods of one length. */
interface Periods {
  /** A number for the period that holds a day; consecutive periods have consecutive numbers. */
  number(day: Day): number;
  /** The day number on which a period starts. */
  start(period: number): number;
  /** How people write it. */
  label(period: number): string;
}

/** The periods by their length. Weeks start on Monday, and belong to the year of their Thursday (ISO). */
export const periods: Readonly<Record<Period, Periods>> = {
  year: {
    number: ({ year }) => year,
    start: (period) => dayNumber({ year: period, month: 1, day: 1 }),
    label: (period) => pad(period, 4), // 2014
  },
  quarter: {
    number: ({ year, month }) => year * 4 + Math.floor((month - 1) / 3),
    start: (period) => dayNumber({ year: Math.floor(period / 4), month: (period % 4) * 3 + 1, day: 1 }),
    label: (period) => `${pad(Math.floor(period / 4), 4)}-Q${(period % 4) + 1}`, // 2014-Q1
  },
  month: {
    number: ({ year, month }) => year * 12 + month - 1,
    start: (period) => dayNumber({ year: Math.floor(period / 12), month: (period % 12) + 1, day: 1 }),
    label: (period) => `${pad(Math.floor(period / 12), 4)}-${pad((period % 12) + 1, 2)}`, // 2014-03
  },
  week: {
    number: (day) => Math.floor((dayNumber(day) + 3) / 7), // 1970-01-01 was a Thursday
    start: (period) => period * 7 - 3,
    label: (period) => {
      const thursday = period * 7;
      const { year } = dayOfNumber(thursday);
      const week = Math.floor((thursday - dayNumber({ year, month: 1, day: 1 })) / 7) + 1;
      return `${pad(year, 4)}-W${pad(week, 2)}`; // 2014-W09
    },
  },
  day: {
    number: dayNumber,
    start: (period) => period,
    label: (period) => isoDay(dayOfNumber(period)), // 2014-03-01
  },
};
