import { describe, expect, test } from 'vitest';
import { randomFactors } from '../../test/support/full-table.js';
import { codesAt } from '../domain/cell-index.js';
import { rowCondition } from '../domain/constraints/condition.js';
import { cellsOf } from '../domain/domain.js';
import { domainOf } from '../domain/domain-of.js';
import { seeded } from '../random/seeded.js';
import { uniformInteger } from '../random/uniform.js';
import { conditioned } from './conditioned.js';
import { graphicalModel } from './graphical/graphical-model.js';
import { junctionTree } from './graphical/tree/junction-tree.js';
import { productMixture } from './mixture/product-mixture.js';
import type { Model } from './model.js';
import { supportOf } from './support/support.js';
import { supportModel } from './support/support-model.js';

const domain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 3 },
  { name: 'b', type: 'integer', edges: [0, 10, 20, 40], null: true },
  { name: 'c', type: 'category', values: ['x', 'y', 'z'] },
  { name: 'd', type: 'integer', min: 0, max: 2 },
]);
const names = domain.attributes.map(({ name }) => name);
const sizes = domain.attributes.map(({ size }) => size);

const graphical = (): Model => {
  const cliques = [['a', 'b'], ['b', 'c'], ['d']];
  const tree = junctionTree(domain, cliques);
  return graphicalModel(tree, randomFactors(tree, cliques, 3, 1), 1000);
};
const support = (): Model => {
  const random = seeded(2);
  const columns = sizes.map((size) => Uint8Array.from({ length: 300 }, () => uniformInteger(random, size)));
  return supportModel(supportOf({ domain, length: 300, columns }), 1000);
};

/** Conditions, and the part of a row's cells that meets each: a second implementation. */
const conditions: readonly [string, (a: number, b: number, c: number, d: number) => number][] = [
  ['a = 2', (a) => Number(a === 2)],
  ["a < 2 AND c IN ('x', 'z')", (a, _, c) => Number(a < 2 && c !== 1)],
  // The bin from 10 to 19 counts by half, an empty b is neither.
  ['b < 15', (_, b) => [1, 0.5, 0, 0][b]],
  ['NOT b < 15 AND d <> 1', (_, b, __, d) => [0, 0.5, 1, 0][b] * Number(d !== 1)],
  ['b IS NULL', (_, b) => Number(b === 3)],
  // No product over columns, and across what the model holds apart.
  ["a = d OR c = 'y'", (a, _, c, d) => Number(a === d || c === 1)],
  ['a <= d', (a, _, __, d) => Number(a <= d)],
];

describe.each([
  ['a graphical model', graphical],
  ['a support', support],
])('%s', (_, make) => {
  test.each(conditions)('under %s has the distribution that enumeration gives', (text, weight) => {
    const model = make();
    const { factors } = rowCondition(domain, text, 'where');
    const given = conditioned(model, factors);
    const joint = model.marginal(names);
    const expected = joint.map((count, cell) => {
      const [a, b, c, d] = codesAt(cell, sizes);
      return count * weight(a, b, c, d);
    });
    const total = expected.reduce((sum, count) => sum + count, 0);
    expect(given.total).toBeCloseTo(total, 8);
    const found = given.marginal(names);
    for (let cell = 0; cell < cellsOf(domain, names); cell++) expect(found[cell]).toBeCloseTo(expected[cell], 8);
    const drawn = given.sample(500, seeded(1));
    for (let row = 0; row < 500; row++) {
      const [a, b, c, d] = drawn.columns.map((column) => column[row]);
      expect(weight(a, b, c, d)).toBeGreaterThan(0);
    }
  });

  test('refuses what no record meets', () => {
    const { factors } = rowCondition(domain, 'a = 1 AND a = 2', 'where');
    expect(() => conditioned(make(), factors)).toThrow(/must be possible under the model/);
  });
});

test('a model of another kind is drawn from until there are enough, and refuses what is too rare', () => {
  const heads = Float32Array.from(
    sizes.flatMap((size, i) => Array.from({ length: size }, (_, cell) => (i === 3 ? Number(cell === 0) : 1 / size))),
  );
  const model = productMixture(domain, heads, 100);
  const { factors } = rowCondition(domain, "a < 2 AND c = 'x'", 'where');
  const drawn = conditioned(model, factors).sample(200, seeded(1));
  expect(drawn.length).toBe(200);
  expect(drawn.columns[0].every((code) => code < 2) && drawn.columns[2].every((code) => code === 0)).toBe(true);
  const never = rowCondition(domain, 'd = 2', 'where');
  expect(() => conditioned(model, never.factors).sample(1, seeded(1))).toThrow(
    /must be met by one record in 10000 or more/,
  );
});
