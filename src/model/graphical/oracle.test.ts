import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../../domain/domain.js';
import { domainOf } from '../../domain/domain-of.js';
import type { Random } from '../../random/random.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { type MarginalOracle, type OracleOptions, openOracle } from './oracle.js';

const domainWith = (sizes: readonly number[]): Domain =>
  domainOf(sizes.map((size, i) => ({ name: 'abcdefgh'[i], type: 'integer' as const, min: 1, max: size })));

/** log Z and all marginals by adding up every cell of the domain, in log space. */
const bruteForce = ({ tree, factors, length }: MarginalOracle, potentials: Float64Array) => {
  const { attributes } = tree.domain;
  const sizes = attributes.map(({ size }) => size);
  const cells = sizes.reduce((product, size) => product * size, 1);
  const codes = (cell: number): number[] => {
    const list = sizes.map(() => 0);
    for (let i = sizes.length - 1, rest = cell; i >= 0; rest = Math.floor(rest / sizes[i--])) list[i] = rest % sizes[i];
    return list;
  };
  const places = factors.map((factor) =>
    factor.attributes.map((name) => attributes.findIndex((each) => each.name === name)),
  );
  const elements = (cell: number): number[] => {
    const code = codes(cell);
    return places.map((place, f) => factors[f].offset + place.reduce((at, i) => at * sizes[i] + code[i], 0));
  };
  const logs = Array.from({ length: cells }, (_, cell) => elements(cell).reduce((sum, i) => sum + potentials[i], 0));
  const peak = logs.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (peak === Number.NEGATIVE_INFINITY) return { logZ: peak, marginals: new Float64Array(length) };
  const total = logs.reduce((sum, value) => sum + Math.exp(value - peak), 0);
  const marginals = new Float64Array(length);
  for (const [cell, value] of logs.entries())
    for (const i of elements(cell)) marginals[i] += Math.exp(value - peak) / total;
  return { logZ: peak + Math.log(total), marginals };
};

const check = async (
  domain: Domain,
  cliques: readonly (readonly string[])[],
  potential: (random: Random) => number,
  { runs = 2, tolerance = 1e-9, ...options }: OracleOptions & { runs?: number; tolerance?: number } = {},
) => {
  const oracle = await openOracle(domain, cliques, options);
  const [potentials, marginals] = [oracle.vector(), oracle.vector()];
  const random = seeded(5);
  for (let run = 0; run < runs; run++) {
    for (let i = 0; i < oracle.length; i++) potentials.view[i] = potential(random);
    const given = potentials.view.slice();
    const logZ = await oracle.run(potentials, marginals);
    const expected = bruteForce(oracle, given);
    if (expected.logZ === Number.NEGATIVE_INFINITY) expect(logZ).toBe(expected.logZ);
    else expect(Math.abs(logZ - expected.logZ)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected.logZ)));
    const worst = marginals.view.reduce((most, value, i) => Math.max(most, Math.abs(value - expected.marginals[i])), 0);
    expect(worst).toBeLessThanOrEqual(tolerance);
    expect(potentials.view).toEqual(given);
  }
  oracle.close();
};

const graphs: Record<string, string[]> = {
  'a tree': ['ab', 'bc', 'bd', 'de'],
  'a ring': ['ab', 'bc', 'cd', 'de', 'ea'],
  'a grid with triples': ['abc', 'cde', 'ae', 'bd', 'ef', 'fa'],
  'separate parts': ['ab', 'cd', 'e'],
  'one clique': ['abcdef'],
  'one clique and all below it': ['abc', 'ab', 'a', 'b', 'bc', ''],
  'factors in each other, in any order': ['ba', 'cab', 'b', 'dc', 'd', ''],
  'a star': ['ab', 'ac', 'ad', 'ae', 'af'],
  'no clique': [],
  'the empty clique alone': [''],
};
const sizes = [3, 2, 4, 1, 5, 2];

describe('the exact oracle', () => {
  for (const [name, cliques] of Object.entries(graphs)) {
    const lists = cliques.map((clique) => [...clique]);
    it(`agrees with brute force to 1e-9 on ${name}`, () =>
      check(domainWith(sizes), lists, (random) => 10 * uniform(random) - 5));
    it(`agrees with brute force to 1e-9 on ${name} with potentials between -1000 and 1000`, () =>
      check(domainWith(sizes), lists, (random) => 2000 * uniform(random) - 1000, { runs: 5 }));
    it(`agrees with brute force to 1e-9 on ${name} with impossible cells`, () =>
      check(
        domainWith(sizes),
        lists,
        (random) => (uniform(random) < 0.1 ? Number.NEGATIVE_INFINITY : uniform(random)),
        {
          runs: 3,
        },
      ));
  }

  it('agrees with brute force to 1e-9 on random graphs', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
        fc.array(fc.uniqueArray(fc.constantFrom(...'abcdef'), { maxLength: 4 }), { maxLength: 9 }),
        fc.constantFrom(1, 30, 500),
        (sizes, cliques, range) =>
          check(domainWith(sizes), cliques, (random) => range * (uniform(random) - 0.5), { runs: 1 }),
      ),
      { numRuns: 150 },
    ));
});
