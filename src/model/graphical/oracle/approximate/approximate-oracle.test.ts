import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../../domain/domain.js';
import { domainOf } from '../../../../domain/domain-of.js';
import { seeded } from '../../../../random/seeded.js';
import { uniform } from '../../../../random/uniform.js';
import { junctionTree } from '../../tree/junction-tree.js';
import { type MarginalOracle, openOracle } from '../oracle.js';
import { openApproximate } from './approximate-oracle.js';
import { planApproximate } from './approximate-plan.js';

const domainWith = (sizes: readonly number[]): Domain =>
  domainOf(sizes.map((size, i) => ({ name: 'abcdef'[i], type: 'integer' as const, min: 1, max: size })));

/** Both oracles on the same random potentials, twice. */
const both = async (
  domain: Domain,
  cliques: readonly (readonly string[])[],
  range: number,
  compare: (exact: readonly number[], approximate: readonly number[], oracle: MarginalOracle) => void,
) => {
  const exact = await openOracle(domain, cliques);
  const tree = junctionTree(domain, cliques);
  const sets = exact.factors.map(({ attributes }) => attributes.map((name) => tree.order.indexOf(name)));
  const approximate = await openApproximate(tree, exact.factors, planApproximate(tree, sets), {});
  const random = seeded(4);
  const vectors = [exact, approximate].map((oracle) => [oracle.vector(), oracle.vector()]);
  for (let run = 0; run < 2; run++) {
    const values = Array.from({ length: exact.length }, () => range * (uniform(random) - 0.5));
    const [one, two] = await Promise.all(
      [exact, approximate].map(async (oracle, k) => {
        vectors[k][0].view.set(values);
        const logZ = await oracle.run(vectors[k][0], vectors[k][1]);
        return [logZ, ...vectors[k][1].view];
      }),
    );
    compare(one, two, approximate);
  }
};

const equal = (a: readonly number[], b: readonly number[]): void => {
  const worst = a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
  expect(worst).toBeLessThan(1e-8);
};

/** Random cliques without a cycle: each shares with an earlier one some of its attributes, the rest is new. */
const acyclic = fc
  .array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 2 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((steps) => {
    const names = [...'abcdef'];
    const cliques: string[][] = [];
    for (const [from, share, fresh] of steps) {
      const old = cliques.length > 0 ? cliques[from % cliques.length].slice(0, share) : [];
      const clique = [...old, ...names.splice(0, fresh)];
      if (clique.length > old.length) cliques.push(clique);
    }
    return cliques;
  });

describe('the approximate oracle', () => {
  it('is exact where the factors have no cycle', () =>
    fc.assert(
      fc.asyncProperty(acyclic, fc.constantFrom(2, 20), (cliques, range) =>
        both(domainWith([2, 3, 2, 4, 3, 2]), cliques, range, equal),
      ),
      { numRuns: 60 },
    ));

  it('is exact on factors in each other, the empty one, and attributes in none', () =>
    both(domainWith([2, 3, 2, 4, 1, 2]), [['a', 'b', 'c'], ['a'], [], ['c', 'd'], ['a', 'b'], ['e']], 4, equal));

  it('agrees wherever factors overlap and bounds log Z from above on graphs with cycles', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(fc.constantFrom(...'abcdef'), { minLength: 1, maxLength: 3 }), {
          minLength: 2,
          maxLength: 8,
        }),
        fc.constantFrom(1, 6),
        (cliques, range) =>
          both(domainWith([2, 3, 2, 2, 3, 2]), cliques, range, ([exact], [logZ, ...marginals], oracle) => {
            expect(logZ).toBeGreaterThan(exact - 1e-8);
            const onto = (factor: (typeof oracle.factors)[number], names: readonly string[]): number[] => {
              const sizeOf = (name: string) => oracle.tree.domain.attributes.find((each) => each.name === name)!.size;
              const sums: number[] = [];
              for (let cell = 0; cell < factor.cells; cell++) {
                let rest = cell;
                const code = new Map<string, number>();
                for (const name of factor.attributes.toReversed()) {
                  code.set(name, rest % sizeOf(name));
                  rest = Math.floor(rest / sizeOf(name));
                }
                const at = names.reduce((index, name) => index * sizeOf(name) + code.get(name)!, 0);
                sums[at] = (sums[at] ?? 0) + marginals[factor.offset + cell];
              }
              return sums;
            };
            for (const a of oracle.factors)
              for (const b of oracle.factors) {
                const shared = a.attributes.filter((name) => b.attributes.includes(name));
                equal(onto(a, shared), onto(b, shared));
              }
            for (const factor of oracle.factors) equal(onto(factor, []), [1]);
          }),
      ),
      { numRuns: 60 },
    ));
});
