import fc from 'fast-check';
import { expect, it } from 'vitest';
import { likeness, likePattern } from './like.js';

const sign = fc.constantFrom('a', 'A', 'b', '%', '_', '!', '😀');

it('is what a regular expression of the same pattern finds', () => {
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 8 }),
      fc.array(sign, { maxLength: 8 }),
      fc.boolean(),
      (pattern, text, anyCase) => {
        let source = '';
        let escaped = false;
        for (const one of pattern) {
          if (!escaped && one === '!') escaped = true;
          else {
            source += !escaped && one === '%' ? '.*' : !escaped && one === '_' ? '.' : one;
            escaped = false;
          }
        }
        const signs = likePattern(pattern.join(''), '!');
        expect(signs === undefined).toBe(escaped);
        if (signs === undefined) return;
        const right = new RegExp(`^${source}$`, anyCase ? 'isu' : 'su').test(text.join(''));
        expect(likeness(signs, anyCase)(text.join(''))).toBe(right);
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

it('takes no longer than the product of both lengths, however often a pattern could begin anew', () => {
  const signs = likePattern(`${'%a'.repeat(2000)}b`, '')!;
  expect(likeness(signs, false)('a'.repeat(4000))).toBe(false);
});
