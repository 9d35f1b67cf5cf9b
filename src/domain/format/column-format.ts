import { dayNumber, dayOfNumber, isoDay, parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';
import { datePattern } from './date-pattern.js';

/** How the numbers or dates of a column are written in a file, where it is not plainly. */
export interface ColumnFormat {
  /** Between the whole and the fraction of a number; a point unless told. */
  readonly decimal?: '.' | ',' | undefined;
  /** Between groups of three digits. */
  readonly thousands?: ',' | '.' | ' ' | "'" | undefined;
  /** Before and behind a number, such as "€" or "kg"; spaces between do not count. */
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  /** How dates are written, such as "DD.MM.YYYY"; "YYYY-Www" are ISO weeks, "excel" are serial numbers of spreadsheets. */
  readonly date?: string | undefined;
}

/** A text that no column type can read: what does not fit the declared format must not be taken for something else. */
const unreadable = 'not as declared';

const spaces = /[\s\u00a0\u202f]/g;

const numberWriter = ({ decimal = '.', thousands, prefix, suffix }: ColumnFormat) => {
  const group = thousands === ' ' ? '[\\s\\u00a0\\u202f]' : thousands === "'" ? "['’]" : thousands && `\\${thousands}`;
  const whole = group === undefined ? '\\d+' : `\\d{1,3}(?:${group}\\d{3})+|\\d+`;
  const shape = new RegExp(`^([+-]?)(${whole})?(?:\\${decimal}(\\d*))?(?:[eE]([+-]?\\d+))?$`);
  const strip = group === undefined ? undefined : new RegExp(group, 'g');
  return (text: string): string => {
    let body = text.trim();
    const sign = /^[+-]/.test(body) ? body[0] : '';
    if (prefix !== undefined && body.slice(sign.length).startsWith(prefix))
      body = sign + body.slice(sign.length + prefix.length).trim();
    if (suffix !== undefined && body.endsWith(suffix)) body = body.slice(0, -suffix.length).trim();
    const match = shape.exec(body);
    if (match === null) return plainNumber(text) === undefined ? text : unreadable;
    const [, minus, digits = '', fraction = '', exponent] = match;
    if (digits === '' && fraction === '') return text;
    const plain = `${minus}${strip === undefined ? digits : digits.replace(strip, '')}${fraction === '' ? '' : `.${fraction}`}`;
    return exponent === undefined ? plain : `${plain}e${exponent}`;
  };
};

/** Day 0 of the serial numbers that spreadsheets count by, as they count from March 1900 on. */
const excelEpoch = dayNumber({ year: 1899, month: 12, day: 30 });

const excelWriter = (text: string): string => {
  if (parseDay(text) !== undefined) return text;
  const serial = plainNumber(text.replace(spaces, ''));
  return serial === undefined || serial < 61 || serial >= 2_958_466
    ? serial === undefined
      ? text
      : unreadable
    : isoDay(dayOfNumber(excelEpoch + Math.floor(serial)));
};

/**
 * Writes the values of a column plainly: numbers with a point and nothing else, dates in ISO form. A text that is neither, such as one
 * that means "empty", stays as it is; one that would read as something else than the format says becomes unreadable.
 */
export const plainWriter = (format: ColumnFormat): ((text: string) => string) => {
  if (format.date === 'excel') return excelWriter;
  if (format.date !== undefined) {
    const read = datePattern(format.date);
    return (text) => {
      const day = read(text);
      return day === undefined ? text : isoDay(day);
    };
  }
  return numberWriter(format);
};
