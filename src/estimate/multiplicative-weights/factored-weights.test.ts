import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { uniform } from '../../random/uniform.js';
import { type FactoredWeights, factoredWeights, type MeasuredMarginal } from './factored-weights.js';

const sizes = [3, 2, 4, 2];
const domain = plainDomain(sizes);
const all = ['a', 'b', 'c', 'd'];
const cells = 48;

/** The cell of row `i` of the whole domain in a marginal. */
const cellIn = (attributes: readonly string[], i: number): number => {
  const codes = [Math.floor(i / 16), Math.floor(i / 8) % 2, Math.floor(i / 2) % 4, i % 2];
  return attributes.reduce((cell, name) => cell * sizes[all.indexOf(name)] + codes[all.indexOf(name)], 0);
};

const randomMarginal = (attributes: readonly string[], seed: number): MeasuredMarginal => {
  const random = seeded(seed);
  const count = attributes.reduce((product, name) => product * sizes[all.indexOf(name)], 1);
  const values = Float64Array.from({ length: count }, () => uniform(random));
  const sum = values.reduce((a, b) => a + b);
  return { attributes, proportions: values.map((value) => value / sum) };
};

const distribution = (weights: FactoredWeights): Float64Array => {
  const factors = weights.factors();
  const tree = junctionTree(
    domain,
    factors.map(({ attributes }) => attributes),
  );
  return graphicalModel(tree, factors, 1).marginal(all);
};

/** Equation 2 on the whole domain; which earlier measurements take part is said from outside. */
const dense = (rounds: readonly { readonly due: readonly MeasuredMarginal[] }[], passes: number, seed: number) => {
  const random = seeded(seed);
  let p = new Float64Array(cells).fill(1 / cells);
  for (const { due } of rounds)
    for (let pass = 0; pass < passes; pass++)
      for (const { attributes, proportions } of shuffle(due, random)) {
        const expected = new Float64Array(proportions.length);
        p.forEach((mass, i) => {
          expected[cellIn(attributes, i)] += mass;
        });
        p = p.map((mass, i) => {
          const cell = cellIn(attributes, i);
          return mass * Math.exp((proportions[cell] - expected[cell]) / 2);
        });
        const sum = p.reduce((a, b) => a + b);
        p = p.map((mass) => mass / sum);
      }
  return p;
};

describe('factored multiplicative weights', () => {
  it('are multiplicative weights on the whole domain, held as a product while nothing connects the parts', () => {
    const [ba, d, dc, cb] = [['b', 'a'], ['d'], ['d', 'c'], ['c', 'b']].map((set, i) => randomMarginal(set, i + 1));
    const weights = factoredWeights(domain, { passes: 5, random: seeded(7) });
    expect(weights.bytesWith(['b', 'a'])).toBe(6 * 20);
    for (const one of [ba, d, dc]) weights.include(one);
    expect(weights.factors().map(({ attributes }) => attributes.length)).toEqual([2, 2]);
    // All four marginals then lie in one table; what is measured again takes no more.
    expect(weights.bytesWith(['c', 'b'])).toBe(cells * (16 + 4 * 4));
    expect(weights.bytesWith(['b', 'a'])).toBe(6 * 20);
    weights.include(cb);
    expect(weights.factors()).toHaveLength(1);
    // Measurements of other parts take no part in a round: their marginals do not move.
    const rounds = [{ due: [ba] }, { due: [d] }, { due: [d, dc] }];
    const near = (order: readonly MeasuredMarginal[]): number => {
      const expected = dense([...rounds, { due: order }], 5, 7);
      return Math.max(...distribution(weights).map((mass, i) => Math.abs(mass - expected[i])));
    };
    // The order within the joined part is that of its parts: either first.
    expect(Math.min(near([ba, d, dc, cb]), near([d, dc, ba, cb]))).toBeLessThan(1e-12);
  });

  it('come to answers that agree with each other, given passes enough', () => {
    const truth = randomMarginal(all, 9).proportions;
    const of = (attributes: readonly string[]): MeasuredMarginal => {
      const proportions = new Float64Array(attributes.reduce((n, name) => n * sizes[all.indexOf(name)], 1));
      truth.forEach((mass, i) => {
        proportions[cellIn(attributes, i)] += mass;
      });
      return { attributes, proportions };
    };
    const weights = factoredWeights(domain, { passes: 3000, random: seeded(1) });
    const measured = [of(['a', 'b']), of(['b', 'c'])];
    for (const one of measured) weights.include(one);
    const got = distribution(weights);
    for (const { attributes, proportions } of measured) {
      const sums = new Float64Array(proportions.length);
      got.forEach((mass, i) => {
        sums[cellIn(attributes, i)] += mass;
      });
      sums.forEach((mass, cell) => {
        expect(mass).toBeCloseTo(proportions[cell], 6);
      });
    }
  });
});
