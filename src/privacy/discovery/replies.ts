import type { Passed } from '../primitives.js';

// What comes of acts is kept as lists of numbers, in journals and in bundles: texts are told by their UTF-16 code units.

/** Numbers before the text. */
const ahead = 2;

/** A list for each value: its noisy count, the number of its column, then its text. */
export const passedNumbers = (passed: readonly Passed[]): Float64Array[] =>
  passed.map(({ column, text, count }) =>
    Float64Array.from({ length: text.length + ahead }, (_, i) =>
      i === 0 ? count : i === 1 ? column : text.charCodeAt(i - ahead),
    ),
  );

export const passedFrom = (numbers: readonly ArrayLike<number>[]): Passed[] =>
  numbers.map((list) => ({
    count: list[0],
    column: list[1],
    text: Array.from(list, (unit, i) => (i < ahead ? '' : String.fromCharCode(unit))).join(''),
  }));
