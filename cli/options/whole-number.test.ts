import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/domain/input-error.js';
import { wholeNumber } from './whole-number.js';

const range = { min: 1, max: 1e9, otherwise: 7 } as const;

describe('wholeNumber', () => {
  it('reads numbers as people write them, and falls back to the default', () => {
    expect(['12', '+3', '1e6', '20_000'].map((text) => wholeNumber('rows', text, range))).toEqual([12, 3, 1e6, 20_000]);
    expect(wholeNumber('rows', undefined, range)).toBe(7);
  });

  it.each(['', ' ', '1.5', '0x10', 'NaN', 'Infinity', '1e400', '0', '-1', '9007199254740993', 'ten'])(
    'refuses %j with the range',
    (text) => {
      expect(() => wholeNumber('rows', text, range)).toThrow(InputError);
      expect(() => wholeNumber('rows', text, range)).toThrow(/option --rows: must be a whole number from 1 to/);
    },
  );
});
