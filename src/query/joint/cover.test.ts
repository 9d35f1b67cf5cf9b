import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverSets } from './cover.js';

describe('coverSets', () => {
  const product = (set: readonly number[], sizes: readonly number[]) => set.reduce((cells, a) => cells * sizes[a], 1);

  it('puts every set into exactly one joint table that contains it, within the limit unless the set itself is larger', () => {
    const input = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
      picks: fc.array(fc.array(fc.nat(), { maxLength: 4 }), { maxLength: 60 }),
      limit: fc.constantFrom(1, 64, 1000, 65536),
      factor: fc.constantFrom(1, 4),
    });
    fc.assert(
      fc.property(input, ({ sizes, picks, limit, factor }) => {
        const sets = picks.map((pick) => [...new Set(pick.map((a) => a % sizes.length))]);
        const covers = coverSets(sets, sizes, { limit, alone: limit * factor });
        const covered = covers.flatMap(({ wanted }) => wanted).sort((a, b) => a - b);
        expect(covered).toEqual([...sets.keys()]);
        for (const { attributes, cells, wanted } of covers) {
          expect(cells).toBe(product(attributes, sizes));
          expect(attributes).toEqual([...new Set(attributes)].sort((a, b) => a - b));
          for (const position of wanted) expect(attributes).toEqual(expect.arrayContaining(sets[position]));
          const largest = Math.max(...wanted.map((position) => product(sets[position], sizes)));
          expect(cells).toBeLessThanOrEqual(Math.max(limit, largest));
          if (largest > limit * factor) expect(wanted.length).toBe(1);
        }
      }),
      { seed: 1 },
    );
  });

  it('needs far fewer tables than sets where unions are small', () => {
    const triples: number[][] = [];
    for (let a = 0; a < 12; a++)
      for (let b = a + 1; b < 12; b++) for (let c = b + 1; c < 12; c++) triples.push([a, b, c]);
    expect(coverSets(triples, Array(12).fill(4), { limit: 65536, alone: 65536 }).length).toBeLessThan(
      triples.length / 10,
    );
  });
});
