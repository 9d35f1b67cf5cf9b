import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../../adapters/node-workers.js';
import type { Domain } from '../../../domain/domain.js';
import { domainOf } from '../../../domain/domain-of.js';
import type { Random } from '../../../random/random.js';
import { seeded } from '../../../random/seeded.js';
import { uniform } from '../../../random/uniform.js';
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
  {
    runs = 2,
    tolerance = 1e-9,
    ...options
  }: OracleOptions & { runs?: number | undefined; tolerance?: number | undefined } = {},
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

describe('threads', () => {
  it('give the same marginals as one thread does', async () => {
    // Cliques of a million cells: one that is a factor, one that is made of pairs, and their separators.
    const domain = domainWith([40, 30, 30, 30, 3, 40]);
    const cliques = [
      ['a', 'b', 'c', 'd'],
      ['e', 'f'],
      ['f', 'a'],
      ['d', 'e'],
      ['f', 'd'],
      ['b'],
      ['f', 'c'],
      ['a', 'c'],
    ];
    const results: number[][] = [];
    for (const threads of [1, 2, 3]) {
      const oracle = await openOracle(domain, cliques, { threads, workers: nodeWorkers });
      const [potentials, marginals] = [oracle.vector(), oracle.vector()];
      const random = seeded(3);
      for (let i = 0; i < oracle.length; i++) potentials.view[i] = uniform(random);
      // At first the workers have not started yet, and the calling thread does all; then they share.
      let logZ = await oracle.run(potentials, marginals);
      const alone = marginals.view.slice();
      await after(200);
      for (let i = 0; i < 3; i++) logZ = await oracle.run(potentials, marginals);
      expect(alone.every((value, i) => Math.abs(value / marginals.view[i] - 1) < 1e-11)).toBe(true);
      const sums = oracle.factors.map(({ offset, cells }) =>
        marginals.view.subarray(offset, offset + cells).reduce((sum, value) => sum + value, 0),
      );
      for (const sum of sums) expect(Math.abs(sum - 1)).toBeLessThan(1e-11);
      results.push([logZ, ...marginals.view]);
      oracle.close();
    }
    for (const other of results.slice(1)) {
      const worst = other.reduce((most, value, i) => Math.max(most, Math.abs(value / results[0][i] - 1)), 0);
      expect(worst).toBeLessThan(1e-11);
    }
  });
});

describe('a run', () => {
  const aborted = AbortSignal.abort(new Error('enough'));

  it('of cliques that take long ends where the signal aborts, and not only after it', async () => {
    const domain = domainWith([50, 50, 50, 50]);
    const oracle = await openOracle(domain, [['a', 'b', 'c'], ['d']], { threads: 1, signal: aborted });
    await expect(oracle.run(oracle.vector(), oracle.vector())).rejects.toThrow('enough');
  });

  it('of an approximation does so too', async () => {
    const domain = domainWith([100, 100, 100, 100, 100, 100]);
    const ring = ['ab', 'bc', 'cd', 'de', 'ef', 'fa', 'ad', 'be', 'cf'].map((pair) => [...pair]);
    const oracle = await openOracle(domain, ring, { approximate: true, signal: aborted });
    await expect(oracle.run(oracle.vector(), oracle.vector())).rejects.toThrow('enough');
  });
});

describe('memory', () => {
  const domain = domainWith([100, 100, 100, 100, 100, 100]);
  const ring = ['ab', 'bc', 'cd', 'de', 'ef', 'fa', 'ad', 'be', 'cf'].map((pair) => [...pair]);

  it('is refused before anything is allocated, and the largest clique is named', async () => {
    await expect(openOracle(domain, ring)).rejects.toThrow(
      /^graphical model: must fit in 2.00 GB, got a tree of [\d.]+ GB whose largest clique is (\w x ){3,4}\w \(\d+ cells\); measure fewer or smaller marginals, allow more memory, or ask for an approximation$/,
    );
    await expect(openOracle(domain, [['a', 'b']], { memory: 1e5 })).rejects.toThrow('must fit in 0.100 MB');
    await expect(openOracle(domain, [['a', 'b']], { memory: 1e5, approximate: true })).rejects.toThrow(
      'allow more memory',
    );
  });

  it('suffices for an approximation where it does not for a tree', async () => {
    const oracle = await openOracle(domain, ring, { approximate: true });
    expect(oracle.exact).toBe(false);
    const [potentials, marginals] = [oracle.vector(), oracle.vector()];
    expect(await oracle.run(potentials, marginals)).toBeCloseTo(6 * Math.log(100), 9);
    for (const value of marginals.view) expect(value).toBeCloseTo(1e-4, 12);
  });

  it('is left alone by an exact oracle where that fits, approximation allowed or not', async () => {
    expect((await openOracle(domain, [['a', 'b']], { approximate: true })).exact).toBe(true);
  });
});
