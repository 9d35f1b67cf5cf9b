import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../../../adapters/node-workers.js';
import { domainOf } from '../../../../domain/domain-of.js';
import { seeded } from '../../../../random/seeded.js';
import { uniform } from '../../../../random/uniform.js';
import { calibrate } from '../../calibrate.js';
import { openOracle } from '../oracle.js';

const domainWith = (sizes: readonly number[]) =>
  domainOf(sizes.map((size, i) => ({ name: 'abcdefgh'[i], type: 'integer' as const, min: 1, max: size })));

const shapes = {
  'a ring': {
    sizes: [3, 4, 2, 5],
    cliques: [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['a', 'd'],
    ],
  },
  'a clique that is a factor, and factors in it': { sizes: [3, 4, 5], cliques: [['a', 'b', 'c'], ['a'], ['b', 'c']] },
  'separate parts, an attribute of one value and attributes in no factor': {
    sizes: [3, 1, 4, 5, 2],
    cliques: [['a', 'b'], ['c']],
  },
  'tables that threads share': {
    sizes: [80, 85, 90, 3],
    cliques: [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c'],
      ['c', 'd'],
    ],
  },
} as const;

describe('what an oracle believes of its cliques', () => {
  it.each(Object.entries(shapes))(
    'is what calibrating its factors gives, to 1e-12: %s',
    async (_, { sizes, cliques }) => {
      const domain = domainWith(sizes);
      const oracle = await openOracle(domain, cliques, { threads: 2, workers: nodeWorkers });
      try {
        const [potentials, marginals] = [oracle.vector(), oracle.vector()];
        const random = seeded(3);
        for (let turn = 0; turn < 2; turn++) {
          for (let i = 0; i < oracle.length; i++) potentials.view[i] = 8 * (uniform(random) - 0.5);
          const factors = oracle.factors.map(({ attributes, offset, cells }) => ({
            attributes,
            potential: potentials.view.slice(offset, offset + cells),
          }));
          const expected = calibrate(oracle.tree, factors);
          const found = (await oracle.beliefs(potentials, marginals))!;
          expect(found.length).toBe(expected.length);
          found.forEach((belief, clique) => {
            expect(belief.length).toBe(expected[clique].length);
            let most = 0;
            belief.forEach((value, cell) => {
              most = Math.max(most, Math.abs(value - expected[clique][cell]));
            });
            expect(most).toBeLessThan(1e-12);
          });
        }
      } finally {
        oracle.close();
      }
    },
  );

  it('is right, or left to those who calibrate, where potentials range over thousands', async () => {
    const oracle = await openOracle(domainWith([3, 4, 2, 5]), shapes['a ring'].cliques);
    const [potentials, marginals] = [oracle.vector(), oracle.vector()];
    const random = seeded(8);
    let known = 0;
    for (let turn = 0; turn < 50; turn++) {
      for (let i = 0; i < oracle.length; i++) potentials.view[i] = 4000 * (uniform(random) - 0.5);
      const factors = oracle.factors.map(({ attributes, offset, cells }) => ({
        attributes,
        potential: potentials.view.slice(offset, offset + cells),
      }));
      const found = await oracle.beliefs(potentials, marginals);
      if (found === undefined) continue;
      known++;
      const expected = calibrate(oracle.tree, factors);
      found.forEach((belief, clique) => {
        belief.forEach((value, cell) => {
          expect(Math.abs(value - expected[clique][cell])).toBeLessThan(1e-9);
        });
      });
    }
    expect(known).toBeGreaterThan(0);
    oracle.close();
  });

  it('is not known to an oracle without a tree', async () => {
    const sizes = [20, 20, 20, 20];
    const cliques = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['a', 'd'],
      ['a', 'c'],
      ['b', 'd'],
    ];
    const oracle = await openOracle(domainWith(sizes), cliques, { memory: 5e5, approximate: true });
    expect(oracle.exact).toBe(false);
    expect(await oracle.beliefs(oracle.vector(), oracle.vector())).toBeUndefined();
    oracle.close();
  });
});
