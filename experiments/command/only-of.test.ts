import { expect, it } from 'vitest';
import { onlyOf } from './only-of.js';

it('takes a part that there is, all without one, and refuses others', () => {
  expect(onlyOf('b', ['a', 'b'])).toBe('b');
  expect(onlyOf(undefined, ['a', 'b'])).toBeUndefined();
  expect(() => onlyOf('c', ['a', 'b'])).toThrow('--only: must be a or b, got c; leave it out for all of them');
});
