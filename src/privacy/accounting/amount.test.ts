import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import {
  type Amount,
  addAmounts,
  amountShare,
  amountToNumber,
  formatAmount,
  parseAmount,
  subtractAmount,
  toAmount,
  zeroAmount,
} from './amount.js';

const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n }).map((units) => units as Amount);

test('three tenths are the sum of three times one tenth, which doubles get wrong', () => {
  const tenth = parseAmount(0.1);
  expect(addAmounts(addAmounts(tenth, tenth), tenth)).toBe(parseAmount('0.3'));
  expect(0.1 + 0.1 + 0.1).not.toBe(0.3);
});

test('every amount is printed as a plain decimal that reads back as itself', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(formatAmount(amount)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(parseAmount(formatAmount(amount))).toBe(amount);
    }),
  );
});

test('a quotient is rounded up or down to the two amounts around it, or is exact both ways', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 25n }),
      fc.bigInt({ min: 1n, max: 10n ** 25n }),
      (numerator, denominator) => {
        const up = toAmount({ numerator, denominator }, 'up');
        const down = toAmount({ numerator, denominator }, 'down');
        expect(up * denominator >= numerator * 10n ** 18n).toBe(true);
        expect(down * denominator <= numerator * 10n ** 18n).toBe(true);
        const exact = (numerator * 10n ** 18n) % denominator === 0n;
        expect(up - down).toBe(exact ? 0n : 1n);
      },
    ),
  );
});

test('the parts of a split budget never add up to more than the whole', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 50 }), (whole, parts) => {
      let sum = zeroAmount;
      for (let i = 0; i < parts; i++) sum = addAmounts(sum, amountShare(whole, 1n, BigInt(parts)));
      expect(sum <= whole && whole - sum < BigInt(parts)).toBe(true);
    }),
  );
});

test('exponents, leading points and doubles are read as the decimals they print as', () => {
  expect(formatAmount(parseAmount('1e-9'))).toBe('0.000000001');
  expect(formatAmount(parseAmount('.5'))).toBe('0.5');
  expect(formatAmount(parseAmount(1e21))).toBe('1000000000000000000000');
  expect(amountToNumber(parseAmount('0.1'))).toBe(0.1);
});

test('more than 18 decimals need a stated rounding', () => {
  expect(() => parseAmount('1e-19')).toThrow(InputError);
  expect(parseAmount('1e-19', 'up')).toBe(1n);
  expect(parseAmount('1e-19', 'down')).toBe(0n);
});

test.each([NaN, -1, Number.POSITIVE_INFINITY, '', '-0.1', '1,5', '0x10', 'e5', '.', '1e999', '1 2', '１'])(
  'what is not a non-negative decimal is refused: %s',
  (value) => expect(() => parseAmount(value)).toThrow(InputError),
);

test('nothing goes below zero', () => {
  expect(() => subtractAmount(parseAmount(1), parseAmount(2))).toThrow(InputError);
  expect(subtractAmount(parseAmount(2), parseAmount(2))).toBe(zeroAmount);
});

test('an amount cannot slip into JSON as a rounded number', () => {
  expect(() => JSON.stringify({ amount: parseAmount(1) })).toThrow(TypeError);
});
