import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainNumber } from './plain-number.js';

const digits = (maxLength: number) => fc.array(fc.nat(9), { minLength: 1, maxLength }).map((list) => list.join(''));

test('short decimals, read by hand, give the double that the platform reads', () => {
  const text = fc.tuple(
    fc.constantFrom('', '-', '+', ' '),
    digits(17),
    fc.option(digits(9)),
    fc.constantFrom('', 'e3', 'E-7'),
  );
  fc.assert(
    fc.property(text, ([sign, whole, fraction, exponent]) => {
      const written = `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent}`;
      expect(plainNumber(written)).toBe(Number(written) + 0);
    }),
    { numRuns: 5000 },
  );
});

test('every double that is not infinite survives writing and reading', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      expect(plainNumber(String(x))).toBe(x + 0);
    }),
    { numRuns: 2000 },
  );
});

test('nothing but plain decimals is a number', () => {
  const odd = [
    '',
    ' ',
    '-',
    '.',
    '-.',
    '+',
    '1.2.3',
    '--1',
    '1-',
    'e5',
    '1e',
    'inf',
    'nan',
    '0x10',
    '1,000',
    '١',
    '1n',
    '5 5',
  ];
  expect(odd.map(plainNumber)).toEqual(odd.map(() => undefined));
  expect(['5.', '.5', '-.5', '-0', '-0.0', '00', '1e400', '9007199254740993'].map(plainNumber)).toEqual([
    5,
    0.5,
    -0.5,
    0,
    0,
    0,
    Number.POSITIVE_INFINITY,
    2 ** 53,
  ]);
});
