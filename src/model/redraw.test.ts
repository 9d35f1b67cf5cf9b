import { expect, it } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import { seeded } from '../random/seeded.js';
import { uniformSupport } from '../release/mwem/uniform-support.js';
import { groupedModel } from './grouped-model.js';
import { redraw } from './redraw.js';
import { supportModel } from './support/support-model.js';

const domain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 3 },
  { name: 'b', type: 'boolean' },
]);
const support = uniformSupport(domain);
const weights = Float64Array.of(0.001, 0.009, 0.04, 0.1, 0.15, 0.2, 0.2, 0.3);

it.each([1, 7])(
  'draws tables whose counts scatter around the model as independent clumps of %i records do',
  (clump) => {
    const model = supportModel({ ...support, weights }, 1000);
    const random = seeded(11);
    const runs = 4000;
    const mean = new Float64Array(8);
    const square = new Float64Array(8);
    for (let run = 0; run < runs; run++) {
      const drawn = redraw(model, random, clump);
      expect(drawn.total).toBe(1000);
      drawn.marginal(['a', 'b']).forEach((count, cell) => {
        mean[cell] += count / runs;
        square[cell] += (count - 1000 * weights[cell]) ** 2 / runs;
      });
    }
    weights.forEach((weight, cell) => {
      const variance = clump * 1000 * weight * (1 - weight);
      // Five standard errors; the seed is fixed.
      expect(Math.abs(mean[cell] - 1000 * weight)).toBeLessThan(5 * Math.sqrt(variance / runs) + 0.01);
      expect(square[cell] / variance).toBeGreaterThan(0.85);
      expect(square[cell] / variance).toBeLessThan(1.15);
    });
  },
);

it('draws rows of any other model, and keeps a model of no records as it is', () => {
  const shared = { domain: { attributes: [domain.attributes[0]] }, length: 2, columns: [Uint8Array.of(1, 3)] };
  const groups = [{ key: [1], total: 40, rows: Uint32Array.of(0, 1) }];
  const drawn = redraw(groupedModel(domain, ['b'], shared, groups), seeded(2));
  expect(drawn.total).toBe(40);
  expect([...drawn.marginal(['b'])]).toEqual([0, 40]);
  const none = supportModel({ ...support, weights }, 0);
  expect(redraw(none, seeded(1))).toBe(none);
});
