import { expect, test } from 'vitest';
import { editDistance, nearest } from './nearest.js';

test('a typing slip finds the word that was meant', () => {
  const known = ['name', 'type', 'values', 'nullValues', 'other'];
  expect(nearest('vaules', known)).toBe('values');
  expect(nearest('nullvalues', known)).toBe('nullValues');
  expect(nearest('vals', known)).toBe('values');
});

test('a word far from all known ones finds nothing', () => {
  expect(nearest('weights', ['name', 'type'])).toBeUndefined();
  expect(nearest('n', ['x'])).toBeUndefined();
  expect(nearest('n', [])).toBeUndefined();
});

test('edit distance counts insertions, deletions, substitutions and swaps', () => {
  const cases: [string, string, number][] = [
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['same', 'same', 0],
  ];
  for (const [a, b, distance] of cases) expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
});
