import { type Day, dayNumber, dayOfNumber, isoDay, parseDay } from '../attribute/calendar.js';
import { InputError } from '../input-error.js';

/** What a date pattern is made of, and what it looks for. */
const tokens: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};

/** A time behind a date is read over: a day is what counts. */
const time = '(?:[T ,]+\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[AaPp][Mm])?)?';

const week = /^(\d{4})-?W(\d{2})(?:-?([1-7]))?$/;

/** The Monday (or the day named) of an ISO week; a year has 52 or 53. */
const weekDay = (text: string): Day | undefined => {
  const match = week.exec(text.trim());
  if (match === null) return undefined;
  const year = Number(match[1]);
  const number = Number(match[2]);
  const fourth = dayNumber({ year, month: 1, day: 4 });
  const monday = (first: number): number => first - ((first + 3) % 7);
  const start = monday(fourth) + 7 * (number - 1);
  const next = monday(dayNumber({ year: year + 1, month: 1, day: 4 }));
  return number < 1 || start >= next || year < 1 ? undefined : dayOfNumber(start + Number(match[3] ?? 1) - 1);
};

/** Refuses a pattern that does not say which day it is. */
export const checkDatePattern = (pattern: string): void => {
  if (pattern === 'excel' || pattern === 'YYYY-Www' || pattern === 'YYYYWww') return;
  datePattern(pattern);
};

/** The day that a text names by a pattern such as DD.MM.YYYY, M/D/YYYY or YYYY-Www. */
export const datePattern = (pattern: string): ((text: string) => Day | undefined) => {
  if (pattern === 'YYYY-Www' || pattern === 'YYYYWww') return weekDay;
  const source = pattern.replace(
    /YYYY|MM?|DD?|[^YMD]/g,
    (part) => tokens[part] ?? part.replace(/[.*+?^${}()|[\]\\/]/, '\\$&'),
  );
  const named = ['year', 'month', 'day'].filter((name) => source.split(`?<${name}>`).length === 2);
  if (named.length < 3 || /Y/.test(source.replaceAll('?<year>', '')))
    throw new InputError(
      `date format: must be made of YYYY, MM or M, and DD or D, each once, or be YYYY-Www or excel, got ${JSON.stringify(pattern.slice(0, 40))}; such as DD.MM.YYYY or M/D/YYYY`,
    );
  const shape = new RegExp(`^${source}${time}$`);
  return (text) => {
    const found = shape.exec(text.trim())?.groups;
    if (found === undefined) return undefined;
    const [year, month, day] = [Number(found.year), Number(found.month), Number(found.day)];
    // The calendar decides whether there is such a day.
    return month > 99 || day > 99 ? undefined : parseDay(isoDay({ year, month, day }));
  };
};
