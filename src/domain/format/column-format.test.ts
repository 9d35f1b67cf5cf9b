import { describe, expect, it } from 'vitest';
import { InputError } from '../input-error.js';
import { type ColumnFormat, plainWriter } from './column-format.js';
import { datePattern } from './date-pattern.js';

describe('values as people write them, plainly', () => {
  it.each<[ColumnFormat, string, string]>([
    [{ decimal: ',' }, '3,50', '3.50'],
    [{ decimal: ',' }, '-0,5', '-0.5'],
    [{ decimal: ',', thousands: '.' }, '1.234.567,8', '1234567.8'],
    [{ thousands: ',' }, '12,345.6', '12345.6'],
    [{ thousands: ' ' }, '12\u00a0345', '12345'],
    [{ thousands: "'" }, '12’345', '12345'],
    [{ suffix: 'kg' }, '71.5 kg', '71.5'],
    [{ prefix: '€', decimal: ',' }, '-€ 12,00', '-12.00'],
    [{ decimal: ',' }, '', ''],
    [{ decimal: ',' }, 'N/A', 'N/A'],
    [{ date: 'DD.MM.YYYY' }, '27.05.1973', '1973-05-27'],
    [{ date: 'D.M.YYYY' }, '7.5.1973 14:30', '1973-05-07'],
    [{ date: 'M/D/YYYY' }, '10/9/2023', '2023-10-09'],
    [{ date: 'YYYY-Www' }, '2023-W05', '2023-01-30'],
    [{ date: 'YYYY-Www' }, '2020-W53', '2020-12-28'],
    [{ date: 'excel' }, '45205', '2023-10-06'],
    [{ date: 'excel' }, '45205.75', '2023-10-06'],
    [{ date: 'DD.MM.YYYY' }, '1973-05-27', '1973-05-27'],
  ])('%o reads %s as %s', (format, text, plain) => {
    expect(plainWriter(format)(text)).toBe(plain);
  });

  it.each<[ColumnFormat, string]>([
    [{ decimal: ',' }, '1.5'],
    [{ decimal: ',', thousands: '.' }, '12.34'],
    [{ thousands: ',' }, '1e3x'],
    [{ date: 'excel' }, '12'],
  ])('%o never takes %s for another number or date', (format, text) => {
    expect(plainWriter(format)(text)).not.toMatch(/^[\d.-]+$/);
  });

  it.each(['31.02.2020', '2023-W54', '00.01.2020'])('no day is made of %s', (text) => {
    const pattern = text.includes('W') ? 'YYYY-Www' : 'DD.MM.YYYY';
    expect(datePattern(pattern)(text)).toBeUndefined();
  });

  it.each(['DD.MM', 'DD.MM.YY', 'YYYY-MM-DD-DD', ''])('refuses the pattern %j', (pattern) => {
    expect(() => datePattern(pattern)).toThrow(InputError);
  });
});
