import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainDomain } from '../../../../test/support/plain-source.js';
import { atOnce } from '../../../domain/turns.js';
import { createEngine } from '../../../kernel/engine.js';
import { seeded } from '../../../random/seeded.js';
import { uniform } from '../../../random/uniform.js';
import { graphicalModel } from '../graphical-model.js';
import { junctionTree } from '../tree/junction-tree.js';

const attributes = 9;

const engine = await createEngine();

it('all ordered pairs at once are what elimination gives of each (1e-12 of all records), on random trees and forests with impossible cells', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(1, 2, 3, 4, 9), { minLength: attributes, maxLength: attributes }),
      fc.array(fc.uniqueArray(fc.nat(attributes - 1), { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 12 }),
      fc.nat(),
      (sizes, sets, seed) => {
        const domain = plainDomain(sizes);
        const names = domain.attributes.map(({ name }) => name);
        const tree = junctionTree(
          domain,
          sets.map((set) => set.map((i) => names[i])),
        );
        const random = seeded(seed);
        const factors = tree.cliques.map(({ attributes: own, cells }) => ({
          attributes: own,
          // The first cell stays possible, so that some record does.
          potential: Float64Array.from({ length: cells }, (_, cell) =>
            cell > 0 && uniform(random) < 0.2 ? Number.NEGATIVE_INFINITY : 4 * uniform(random),
          ),
        }));
        const model = graphicalModel(tree, factors, 1000);
        const pairs = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b]));
        const plain = model.marginals(pairs);
        expect(atOnce(model.answering(pairs, engine))).toEqual(plain);
        for (const [i, found] of plain.entries()) {
          const expected = model.marginal(pairs[i]);
          expect(found.length).toBe(expected.length);
          for (const [cell, count] of expected.entries()) expect(Math.abs(found[cell] - count)).toBeLessThan(1e-9);
        }
      },
    ),
    { numRuns: 40, seed: 1 },
  ));
