import { expect, test } from 'vitest';
import { looks } from '../../domain/discover/looks.js';
import { kindFrom } from './column-of.js';

const counted = (own: Partial<Record<(typeof looks.kind)[number], number>>, deviation = 10) =>
  kindFrom({ counts: Float64Array.from(looks.kind, (cell) => own[cell] ?? 0), deviation });

test('a column is what most of its values look like', () => {
  expect(counted({ text: 500, number: 400 })).toEqual({ kind: 'text', rows: 500 });
  expect(counted({ digit: 500, number: 100, text: 50 })).toEqual({ kind: 'digit', rows: 600 });
  expect(counted({ date: 500, text: 100 })).toEqual({ kind: 'date', rows: 500 });
  expect(counted({ 'yes or no': 900, empty: 400 })).toEqual({ kind: 'yes or no', rows: 900 });
});

test('words for yes and no beside texts are texts, unless these are a slip or noise: f beside m is no false', () => {
  expect(counted({ 'yes or no': 540, text: 460 })).toEqual({ kind: 'text', rows: 1000 });
  expect(counted({ 'yes or no': 900, text: 60 }).kind).toBe('text');
  expect(counted({ 'yes or no': 900, text: 40 }).kind).toBe('yes or no');
  expect(counted({ 'yes or no': 900, text: 60 }, 30).kind).toBe('yes or no');
});
