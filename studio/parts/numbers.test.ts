import { expect, it } from 'vitest';
import { numbers } from './numbers.js';

it('gives figures below one another the decimals of the largest, and what would vanish its own digits', () => {
  const { alike } = numbers('en');
  expect([45, 57.11, 33.84].map(alike([45, 57.11, 33.84]))).toEqual(['45.0', '57.1', '33.8']);
  expect([1234.5, 7.4, 0.02, 0].map(alike([1234.5, 7.4, 0.02, 0]))).toEqual(['1,235', '7', '0.02', '0']);
  expect(alike([0])(0)).toBe('0');
  expect(numbers('de').alike([5.5])(5.5)).toBe('5,50');
});

it('writes declared numbers whole, and a year as a year', () => {
  const { declared } = numbers('en');
  expect([1950, 0.5, -3, 400_000, 123_456.789_012].map(declared)).toEqual([
    ...['1950', '0.5', '-3', '400,000', '123,456.789012'],
  ]);
  expect(numbers('de').declared(400_000)).toBe('400.000');
});
