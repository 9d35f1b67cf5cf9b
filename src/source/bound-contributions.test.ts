import { describe, expect, it } from 'vitest';
import { chiSquareQuantile } from '../../experiments/statistics/chi-square.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { boundContributions } from './bound-contributions.js';

describe('boundContributions', () => {
  it('keeps every subset of an id with too many rows equally often (false alarm 1e-7)', () => {
    // Five rows of x among others, three kept: 10 subsets.
    const ids = ['x', 'y', 'x', 'x', 'z', 'x', 'y', 'x'];
    const statistic = (random: Random): number => {
      const seen = new Map<string, number>();
      for (let i = 0; i < 50_000; i++) {
        const { rows, units } = boundContributions(ids, 3, random);
        if (units !== 3) throw new Error(`${units} units`);
        const kept = [...rows].filter((row) => ids[row] === 'x').join();
        seen.set(kept, (seen.get(kept) ?? 0) + 1);
      }
      expect(seen.size).toBeLessThanOrEqual(10);
      return [...seen.values()].reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 5000 * (10 - seen.size));
    };
    expect(statistic(seeded(1))).toBeLessThan(chiSquareQuantile(1e-7, 9));
    // The same test rejects a source of randomness whose every twentieth word is a multiple of 60.
    const fair = seeded(2);
    const biased = {
      uint32: () => {
        const word = fair.uint32();
        return fair.uint32() % 20 === 0 ? word - (word % 60) : word;
      },
    };
    expect(statistic(biased)).toBeGreaterThan(chiSquareQuantile(1e-7, 9));
  });

  it('keeps all rows, in order, where no id has too many, and draws nothing', () => {
    const random = {
      uint32: () => {
        throw new Error('drawn');
      },
    };
    const { rows, units } = boundContributions([3n, 3n, 1n, 2n, 1n], 2, random);
    expect([...rows]).toEqual([0, 1, 2, 3, 4]);
    expect(units).toBe(3);
    expect(boundContributions([], 1, random)).toEqual({ rows: new Uint32Array(0), units: 0 });
  });
});
