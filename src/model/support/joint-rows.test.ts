import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { checkJointRows, jointWork, openJointRows } from './joint-rows.js';
import { supportOf } from './support.js';
import { supportModel } from './support-model.js';

const domain = plainDomain([3, 2, 5, 300, 4, 2, 7]);
const random = seeded(1);
const support = supportOf(
  plainTable(
    domain,
    Array.from({ length: 6000 }, () => domain.attributes.map(({ size }) => uniformInteger(random, size))),
  ),
);
const names = domain.attributes.map(({ name }) => name);
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));

// Sets within each other, in another order, of one attribute, of none, and one of 63,000 cells.
const lists = {
  pairs,
  mixed: [...pairs.slice(3), ['a'], ['c', 'a'], ['a', 'b', 'c'], [], ['g', 'e', 'a'], ['a', 'b', 'c', 'd', 'g']],
};

describe('rows seen through joint tables', () => {
  for (const [what, marginals] of Object.entries(lists))
    for (const threads of [1, 2])
      it(`sum their weights to ${what}, and gather what their cells have, on ${threads} threads`, async () => {
        const opened = await openJointRows(support, marginals, { threads, workers: nodeWorkers });
        try {
          const weights = opened.vector();
          weights.view.set(support.weights.map((weight) => weight * (0.5 + uniform(random))));
          const gathered = opened.vector();
          opened.potentials.view.set(opened.potentials.view.map(() => uniform(random) - 0.5));
          // Twice, since nothing may be left of the first time.
          for (let time = 0; time < 2; time++) {
            await opened.run((slice) => [...opened.scatter(weights, slice), ...opened.gather(gathered, slice)]);
            opened.collect();
          }
          const model = supportModel({ ...support, weights: weights.view.slice() }, 1);
          const back = new Float64Array(support.length);
          for (const [m, attributes] of marginals.entries()) {
            const { from, cells } = opened.maps[m];
            const expected = model.marginal(attributes);
            expect(expected.length).toBe(cells);
            const found = opened.sums.view.subarray(from, from + cells);
            expect(Math.max(...found.map((sum, i) => Math.abs(sum - expected[i])))).toBeLessThan(1e-12);
            for (let row = 0; row < support.length; row++) {
              const cell = attributes.reduce((index, name) => {
                const at = names.indexOf(name);
                return index * domain.attributes[at].size + support.columns[at][row];
              }, 0);
              back[row] += opened.potentials.view[from + cell];
            }
          }
          expect(Math.max(...back.map((sum, row) => Math.abs(sum - gathered.view[row])))).toBeLessThan(1e-12);
        } finally {
          opened.close();
        }
      });

  it('are looked up in fewer tables than there are marginals', () => {
    const wide = plainDomain(Array.from({ length: 40 }, (_, i) => 2 + (i % 5)));
    const all = wide.attributes.flatMap(({ name: a }, i) => wide.attributes.slice(i + 1).map(({ name: b }) => [a, b]));
    const { joints, cells } = jointWork(wide, all, 40_000, 1);
    expect(joints).toBeLessThan(all.length / 8);
    expect(cells).toBeLessThanOrEqual(joints * 16_384);
  });

  it('are refused where the marginals have too many cells, whatever their number', () => {
    const large = plainDomain(Array.from({ length: 10 }, () => 5000));
    const one = supportOf(plainTable(large, [large.attributes.map(() => 0)]));
    const all = large.attributes.map(({ name }, i) => [name, large.attributes[(i + 1) % 10].name]);
    expect(() => checkJointRows(one, all)).toThrow(/^marginals: with 1 rows they must fit 3.5 GB .* need of 6.0 GB/);
    const many = plainDomain(Array.from({ length: 300 }, () => 7));
    const pairsOfMany = many.attributes.flatMap(({ name: a }, i) =>
      many.attributes.slice(i + 1).map(({ name: b }) => [a, b]),
    );
    expect(() => checkJointRows({ ...one, domain: many, length: 100_000 }, pairsOfMany)).not.toThrow();
  });
});
