import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../../../experiments/statistics/chi-square.js';
import { seeded } from '../../random/seeded.js';
import { bernoulli, bernoulliBig, bernoulliExp, bernoulliExpBig } from './bernoulli.js';

class NeedsMore extends Error {}

/** A stream of the given bytes, each as the top bits of a word, that fails when they run out. */
const bytes = (...values: number[]) => ({
  uint32: () => {
    const value = values.shift();
    if (value === undefined) throw new NeedsMore();
    return value * 2 ** 24 + 12345;
  },
});

describe('coins', () => {
  it('have chance a/b exactly: over all 65,536 two-byte streams, heads and undecided streams enclose it', () => {
    for (const [a, b] of [
      [0, 1],
      [1, 1],
      [1, 3],
      [5, 7],
      [255, 256],
      [1, 65_537],
      [2 ** 44 + 1, 2 ** 45],
    ]) {
      let heads = 0;
      let undecided = 0;
      for (let stream = 0; stream < 65_536; stream++)
        try {
          if (bernoulli(a, b, bytes(stream >> 8, stream & 255))) heads++;
        } catch (error) {
          expect(error).toBeInstanceOf(NeedsMore);
          undecided++;
        }
      expect(undecided).toBeLessThanOrEqual(1);
      expect(BigInt(heads) * BigInt(b)).toBeLessThanOrEqual(65_536n * BigInt(a));
      expect(BigInt(heads + undecided) * BigInt(b)).toBeGreaterThanOrEqual(65_536n * BigInt(a));
    }
  });

  it('fall alike in safe integers and in BigInt on the same stream, up to the largest terms', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 2 ** 45 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, b, share) => {
          const a = Math.floor(share * b);
          const [one, two] = [seeded(seed), seeded(seed)];
          for (let i = 0; i < 20; i++) expect(bernoulli(a, b, one)).toBe(bernoulliBig(BigInt(a), BigInt(b), two));
          expect(one.uint32()).toBe(two.uint32());
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 2 ** 40 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, b, share) => {
          const a = Math.floor(share * b);
          const [one, two] = [seeded(seed), seeded(seed)];
          for (let i = 0; i < 20; i++) expect(bernoulliExp(a, b, one)).toBe(bernoulliExpBig(BigInt(a), BigInt(b), two));
          expect(one.uint32()).toBe(two.uint32());
        },
      ),
    );
  });

  it('carry on in BigInt when 32 coins in a row fall heads', () => {
    // A zero byte is heads while a > 0, so tails come at k = 41 and k = 42: odd and even.
    const run = (heads: number) => bytes(...Array(heads).fill(0), 255);
    for (const heads of [31, 32, 33, 40, 41]) {
      expect(bernoulliExp(2 ** 40, 2 ** 40, run(heads + 1))).toBe(heads % 2 === 1);
      expect(bernoulliExpBig(1n, 1n, run(heads + 1))).toBe(heads % 2 === 1);
    }
  });

  it('have chance exp(-a/b), below and above 1 (false alarms 1e-8 each), and not one clearly off', () => {
    const random = seeded(11);
    const draws = 200_000;
    for (const [a, b] of [
      [0, 3],
      [1, 1000],
      [3, 7],
      [1, 1],
      [5, 2],
      [4, 1],
    ]) {
      const count = (coin: () => boolean) => {
        let heads = 0;
        for (let i = 0; i < draws; i++) if (coin()) heads++;
        return heads;
      };
      const chance = Math.exp(-a / b);
      const results = [count(() => bernoulliExpBig(BigInt(a), BigInt(b), random))];
      if (a <= b) results.push(count(() => bernoulliExp(a, b, random)));
      for (const heads of results) {
        if (a === 0) expect(heads).toBe(draws);
        else {
          expect(goodnessOfFit([heads, draws - heads], [chance, 1 - chance]).fits).toBe(true);
          const off = chance > 0.9 ? 1 - (1 - chance) * 2 : chance * 1.2;
          expect(goodnessOfFit([heads, draws - heads], [off, 1 - off]).fits).toBe(false);
        }
      }
    }
  });
});
