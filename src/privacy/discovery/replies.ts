import type { Passed } from '../primitives.js';
import type { FoundEdges } from './discovery-door.js';

// What comes of acts is kept as lists of numbers, in journals and in bundles: texts are told by their UTF-16 code units.

/** A list for each value: its noisy count, then its text. */
export const passedNumbers = (passed: readonly Passed[]): Float64Array[] =>
  passed.map(({ text, count }) =>
    Float64Array.from({ length: text.length + 1 }, (_, i) => (i === 0 ? count : text.charCodeAt(i - 1))),
  );

export const passedFrom = (numbers: readonly ArrayLike<number>[]): Passed[] =>
  numbers.map((list) => ({
    count: list[0],
    text: Array.from(list, (unit, i) => (i === 0 ? '' : String.fromCharCode(unit))).join(''),
  }));

/** The places of edges, and whether there was enough to go by. */
export const edgesFrom = (numbers: readonly ArrayLike<number>[]): FoundEdges => ({
  edges: Array.from(numbers[0]),
  certain: numbers[1][0] === 1,
});
