import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../../../experiments/statistics/chi-square.js';
import { seeded } from '../../random/seeded.js';
import { lazyChoice, type Masses } from './lazy-choice.js';

/** Whole masses, enclosed within an error that shrinks with the bits asked for; sloppiness widens it by as many bits. */
const enclosing =
  (weights: readonly number[], sloppiness: number) =>
  (bits: number): Masses => {
    const unit = 1n << BigInt(bits + 10);
    const error = 1n << BigInt(sloppiness);
    return {
      low: weights.map((weight) => (weight === 0 ? 0n : BigInt(weight) * unit - error)),
      high: weights.map((weight) => (weight === 0 ? 0n : BigInt(weight) * unit + error)),
      tail: 0n,
    };
  };

/** The outcome on which the real 0.(u)(words) falls, comparing fractions. */
const invert = (weights: readonly number[], value: bigint, bits: number): number => {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  let sum = 0n;
  return weights.findIndex((weight) => {
    sum += BigInt(weight);
    return value * total < sum << BigInt(bits);
  });
};

describe('lazyChoice', () => {
  it('gives the outcome of exact inversion for every u, on and off the edges, however sloppy the enclosures', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 40 }).map((rest) => [7, ...rest]);
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 30 }), fc.integer(), (masses, sloppiness, seed) => {
        const choice = lazyChoice(enclosing(masses, sloppiness));
        const total = masses.reduce((sum, weight) => sum + weight, 0);
        let sum = 0;
        for (const weight of masses) {
          sum += weight;
          const edge = Math.floor((sum / total) * 2 ** 31);
          for (const u of [edge - 2, edge - 1, edge, edge + 1, edge + 1000]) {
            if (u < 0 || u >= 2 ** 31) continue;
            const random = seeded(seed);
            const twin = seeded(seed);
            const outcome = choice.choose(u, random);
            // Replay the words that were asked for, if any.
            let [value, bits] = [BigInt(u), 31];
            const stop = random.uint32();
            for (let word = twin.uint32(); word !== stop; word = twin.uint32()) {
              value = (value << 32n) | BigInt(word);
              bits += 32;
            }
            expect(outcome).toBe(invert(masses, value, bits));
            // And it is certain: the next real not sharing these bits would begin no earlier outcome's range.
            expect(invert(masses, ((value + 1n) << 200n) - 1n, bits + 200)).toBe(outcome);
          }
        }
      }),
    );
  });

  it('asks for more bits exactly when the first ones leave it open', () => {
    // Thirds of 2^31: the edge lies inside u = 715827882.
    const choice = lazyChoice(enclosing([1, 1, 1], 4));
    const edge = Math.floor(2 ** 31 / 3);
    const third = (1n << 64n) / 3n;
    const words = (value: bigint) => {
      const queue = [Number(value >> 32n), Number(value & 0xffffffffn)];
      return { uint32: () => queue.shift() ?? expect.fail('asked for more than needed') };
    };
    const none = words(0n);
    none.uint32();
    none.uint32();
    expect(choice.choose(edge - 1, none)).toBe(0);
    expect(choice.choose(edge + 1, none)).toBe(1);
    // 2^31 / 3 = edge + 2/3: the further bits decide at two thirds of 2^64.
    expect(choice.choose(edge, words(2n * third - 1000n))).toBe(0);
    expect(choice.choose(edge, words(2n * third + 1000n))).toBe(1);
  });

  it('reaches outcomes of the tail that the first table does not hold', () => {
    // Masses 2^-1, 2^-2, ...: the table at `bits` ends where the rest is 2^-(bits + 4).
    const choice = lazyChoice((bits) => {
      const masses = Array.from({ length: bits + 4 }, (_, i) => 1n << BigInt(bits + 3 - i));
      return { low: masses, high: masses, tail: 1n };
    });
    expect(choice.length).toBe(35);
    const stream = (...words: number[]) => ({ uint32: () => words.shift() ?? 0x55555555 });
    expect(choice.choose(2 ** 31 - 1, stream(0xffffffff, 0xfffffff0))).toBe(31 + 60);
    // All further bits of the first two words are ones, so the fourth table decides.
    expect(choice.choose(2 ** 31 - 1, stream(0xffffffff, 0xffffffff, 0x7fffffff, 0))).toBe(31 + 64);
  });

  it('draws with the given frequencies (false alarm 1e-8)', () => {
    const weights = [5, 0, 1, 30, 2, 0, 12];
    const choice = lazyChoice(enclosing(weights, 10));
    const random = seeded(4);
    const observed = new Float64Array(weights.length);
    for (let i = 0; i < 200_000; i++) observed[choice.choose(random.uint32() >>> 1, random)]++;
    expect(observed[1] + observed[5]).toBe(0);
    expect(
      goodnessOfFit(
        observed,
        weights.map((weight) => weight / 50),
      ).fits,
    ).toBe(true);
  });
});
