import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullTable, marginalOf, randomFactors, shapes } from '../../../test/support/full-table.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { InputError } from '../../domain/input-error.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { calibrate } from './calibrate.js';
import { junctionTree } from './tree/junction-tree.js';

describe('calibrate', () => {
  it.each(Object.entries(shapes))(
    'gives every clique of %s the marginal of the full table (1e-12)',
    (_, { sizes, cliques }) => {
      const domain = plainDomain(sizes);
      const tree = junctionTree(domain, cliques);
      fc.assert(
        fc.property(fc.nat(), fc.constantFrom(0.1, 3, 400), (seed, spread) => {
          const factors = randomFactors(tree, cliques, seed, spread);
          const full = fullTable(tree, factors);
          calibrate(tree, factors).forEach((belief, clique) => {
            const expected = marginalOf(domain, full, tree.cliques[clique].attributes);
            belief.forEach((probability, cell) => {
              expect(Math.abs(probability - expected[cell])).toBeLessThan(1e-12);
            });
          });
        }),
        { seed: 1, numRuns: 20 },
      );
    },
  );

  it('leaves impossible cells at exactly zero, also where a whole separator is impossible', () => {
    const domain = plainDomain([2, 3, 2]);
    const cliques = [
      ['a', 'b'],
      ['b', 'c'],
    ];
    const tree = junctionTree(domain, cliques);
    const random = seeded(2);
    const factors = randomFactors(tree, cliques, 3, 1).map(({ attributes, potential }) => ({
      attributes,
      potential: potential.map((value) => (normal(random) < -0.3 ? -Infinity : value)),
    }));
    const blocked = factors.map(({ attributes, potential }) => ({
      attributes,
      // No record has b = 1: b is the last attribute of both, the largest.
      potential: potential.map((value, cell) => (cell % 3 === 1 ? -Infinity : value)),
    }));
    const full = fullTable(tree, blocked);
    calibrate(tree, blocked).forEach((belief, clique) => {
      const expected = marginalOf(domain, full, tree.cliques[clique].attributes);
      belief.forEach((probability, cell) => {
        expect(probability).toBeCloseTo(expected[cell], 12);
        if (expected[cell] === 0) expect(probability).toBe(0);
      });
    });
  });

  it('refuses factors that allow no record, are not numbers, or fit no clique', () => {
    const domain = plainDomain([2, 2, 2]);
    const tree = junctionTree(domain, [['a', 'b']]);
    const one = (attributes: string[], potential: number[]) => () =>
      calibrate(tree, [{ attributes, potential: Float64Array.from(potential) }]);
    expect(one(['a'], [-Infinity, -Infinity])).toThrow(InputError);
    expect(one(['a'], [0, Number.NaN])).toThrow(InputError);
    expect(one(['a'], [0, Infinity])).toThrow(InputError);
    expect(one(['a'], [0, 0, 0])).toThrow(/must have 2 cells, got 3/);
    expect(one(['b', 'c'], [0, 0, 0, 0])).toThrow(/one clique of the tree/);
    expect(one(['b', 'a'], [0, 0, 0, 0])).toThrow(/order/);
    for (const belief of one([], [2])()) for (const value of belief) expect(value).toBe(1 / belief.length);
  });
});
