import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryBlock } from '../../../test/support/arbitrary-query.js';
import { fullTable, marginalOf, randomFactors, shapes } from '../../../test/support/full-table.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { InputError } from '../../domain/input-error.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import type { Query } from '../../query/query.js';
import { combinations } from '../../query/workload/combinations.js';
import { graphicalModel } from './graphical-model.js';
import { junctionTree } from './tree/junction-tree.js';

const made = ({ sizes, cliques }: (typeof shapes)[string], seed: number, spread = 1, total = 1000) => {
  const domain = plainDomain(sizes);
  const tree = junctionTree(domain, cliques);
  const factors = randomFactors(tree, cliques, seed, spread);
  return { domain, model: graphicalModel(tree, factors, total), full: fullTable(tree, factors) };
};

const near = (found: Float64Array, expected: ArrayLike<number>, tolerance: number) => {
  expect(found.length).toBe(expected.length);
  const worst = found.reduce(
    (most, value, cell) => Math.max(most, Math.abs(value - expected[cell]) / Math.max(1, Math.abs(expected[cell]))),
    0,
  );
  expect(worst).toBeLessThanOrEqual(tolerance);
};

describe.each(Object.entries(shapes))('the graphical model of %s', (_, shape) => {
  const names = plainDomain(shape.sizes).attributes.map(({ name }) => name);

  it('gives the marginals of the full table, of any attributes in any order (1e-9)', () => {
    const { domain, model, full } = made(shape, 1);
    fc.assert(
      fc.property(fc.shuffledSubarray(names), (attributes) => {
        near(
          model.marginal(attributes),
          marginalOf(domain, full, attributes).map((p) => 1000 * p),
          1e-9,
        );
      }),
      { seed: 2 },
    );
  });

  it('gives many marginals at once as it gives each', () => {
    const { model } = made(shape, 3);
    const list = [1, 2, 3].flatMap((k) =>
      [...combinations(names.length, k)].map((chosen) => chosen.map((i) => names[i]).reverse()),
    );
    model.marginals(list).forEach((counts, i) => {
      near(counts, model.marginal(list[i]), 1e-12);
    });
  });

  it('answers random products of blocks as the full table does (1e-9)', () => {
    const { domain, model, full } = made(shape, 4);
    const products = fc.shuffledSubarray(names).chain((attributes) =>
      fc.tuple(...attributes.map((name) => arbitraryBlock(domain.attributes[names.indexOf(name)].size))).map(
        (blocks): Query => ({
          kind: 'factored',
          factors: attributes.map((attribute, i) => ({ attribute, block: blocks[i] })),
        }),
      ),
    );
    fc.assert(
      fc.property(products, (query) => {
        const counts = marginalOf(domain, full, attributesOf(query)).map((p) => 1000 * p);
        near(model.answer(query), answerFrom(query, domain, counts), 1e-9);
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('conditions on evidence as the full table does, and refuses what it holds impossible', () => {
    const { domain, model, full } = made(shape, 6);
    const cases = fc
      .tuple(fc.shuffledSubarray(names), fc.nat())
      .chain(([attributes, cut]) =>
        fc.tuple(
          fc.constant(attributes),
          fc.constant(attributes.length === 0 ? 0 : cut % (attributes.length + 1)),
          fc.tuple(...attributes.map((name) => fc.nat(domain.attributes[names.indexOf(name)].size - 1))),
        ),
      );
    fc.assert(
      fc.property(cases, ([attributes, cut, cells]) => {
        const asked = attributes.slice(0, cut);
        const given = attributes.slice(cut);
        const query: Query = {
          kind: 'factored',
          factors: [
            ...asked.map((attribute) => ({ attribute, block: { kind: 'keep' } as const })),
            ...given.map((attribute, i) => ({ attribute, block: { kind: 'value', cell: cells[cut + i] } as const })),
          ],
        };
        const joint = answerFrom(query, domain, marginalOf(domain, full, attributesOf(query)));
        const sum = joint.reduce((all, value) => all + value, 0);
        const evidence = Object.fromEntries(given.map((name, i) => [name, cells[cut + i]]));
        near(
          model.conditional(asked, evidence),
          joint.map((value) => value / sum),
          1e-9,
        );
      }),
      { seed: 7 },
    );
  });

  it('has the entropy of the full table (1e-9)', () => {
    for (const spread of [0, 1, 5]) {
      const { model, full } = made(shape, 8, spread);
      const entropy = full.reduce((sum, p) => sum - (p > 0 ? p * Math.log(p) : 0), 0);
      expect(Math.abs(model.entropy() - entropy)).toBeLessThan(1e-9);
    }
  });
});

describe('graphicalModel', () => {
  const chain = (length: number, size: number) => {
    const names = Array.from({ length }, (_, i) => `x${i}`);
    const domain = plainDomain(
      names.map(() => size),
      names,
    );
    return {
      names,
      tree: junctionTree(
        domain,
        names.slice(1).map((name, i) => [names[i], name]),
      ),
    };
  };

  it('refuses impossible evidence, attributes both asked and given, and unknown ones', () => {
    const domain = plainDomain([2, 2, 2]);
    const tree = junctionTree(domain, [
      ['a', 'b'],
      ['b', 'c'],
    ]);
    const potential = Float64Array.of(0, -Infinity, 0, 0);
    const model = graphicalModel(tree, [{ attributes: ['a', 'b'], potential }], 10);
    expect(() => model.conditional(['c'], { a: 0, b: 1 })).toThrow(/^evidence: must be possible/);
    expect([...model.conditional(['c'], { a: 1, b: 1 })]).toEqual([0.5, 0.5]);
    expect(() => model.conditional(['a'], { a: 0 })).toThrow(InputError);
    expect(() => model.conditional(['a'], { b: 2 })).toThrow(InputError);
    expect(() => model.conditional(['a'], { z: 0 })).toThrow(InputError);
    expect(() => model.marginal(['a', 'a'])).toThrow(InputError);
    expect(() => model.marginal(['z'])).toThrow(InputError);
    expect(() => graphicalModel(tree, [], Number.NaN)).toThrow(InputError);
  });

  it('answers queries whose full marginal nobody could hold', () => {
    const { names, tree } = chain(200, 7);
    const factors = randomFactors(
      tree,
      tree.cliques.map(({ attributes }) => attributes),
      9,
      0.5,
    );
    const model = graphicalModel(tree, factors, 1);
    const half = (attribute: string) => ({
      attribute,
      block: { kind: 'regroup', groups: [0, 0, 0, 0, 1, 1, 1], size: 2 } as const,
    });
    const all = model.answer({
      kind: 'factored',
      factors: names.map((attribute) => ({ attribute, block: { kind: 'set', cells: [0, 1, 2, 3, 4, 5, 6] } as const })),
    });
    expect(all[0]).toBeCloseTo(1, 9);
    const two = model.answer({ kind: 'factored', factors: [half(names[0]), half(names[199])] });
    const pair = model.marginal([names[0], names[199]]);
    const expected = [0, 0, 0, 0];
    pair.forEach((p, cell) => {
      expected[2 * Number(Math.floor(cell / 7) > 3) + Number(cell % 7 > 3)] += p;
    });
    near(two, expected, 1e-12);
    expect(() => model.marginal(names.slice(0, 12))).toThrow(/must have at most/);
  });

  it('conditions on evidence that is less likely than a double can say', () => {
    const { names, tree } = chain(900, 4);
    const factors = randomFactors(
      tree,
      tree.cliques.map(({ attributes }) => attributes),
      10,
      0.5,
    );
    const model = graphicalModel(tree, factors, 1);
    const given = (except: number) =>
      Object.fromEntries(names.flatMap((name, i) => (i === except ? [] : [[name, i % 4]])));
    // Given its neighbours, an attribute of a chain is independent of all others.
    for (const i of [1, 450, 898])
      near(
        model.conditional([names[i]], given(i)),
        model.conditional([names[i]], { [names[i - 1]]: (i - 1) % 4, [names[i + 1]]: (i + 1) % 4 }),
        1e-9,
      );
  });
});
