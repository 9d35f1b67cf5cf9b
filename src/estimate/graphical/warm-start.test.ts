import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { estimateGraphical } from './estimate.js';
import { startWith } from './warm-start.js';

const domain = plainDomain([3, 4, 2]);
const total = 1000;
const tree = junctionTree(domain, [['a'], ['b'], ['c']]);
const model = graphicalModel(
  tree,
  [
    { attributes: ['a'], potential: Float64Array.of(0.5, 0.3, 0.2).map(Math.log) },
    { attributes: ['b'], potential: Float64Array.of(0.4, 0.3, 0.2, 0.1).map(Math.log) },
    { attributes: ['c'], potential: Float64Array.of(0.7, 0.3).map(Math.log) },
  ],
  total,
);
/** Counts of b by a, with b outermost: the measurement's order is not the tree's. */
const values = Float64Array.of(300, 50, 40, 100, 150, 10, 60, 80, 60, 40, 20, 90);
const measurement: Measurement = { query: marginal('b', 'a'), values, noise: { kind: 'gaussian', scale: 10 } };

describe('startWith', () => {
  it('gives the measured marginal at once where it joins what was apart, in whatever order it was measured', () => {
    const { factors } = startWith(model, measurement, model.marginal(['b', 'a']));
    const joined = graphicalModel(junctionTree(domain, [['a', 'b'], ['c']]), factors, total);
    joined.marginal(['b', 'a']).forEach((count, cell) => {
      expect(count).toBeCloseTo(values[cell], 6);
    });
    expect(joined.marginal(['c'])[0]).toBeCloseTo(700, 6);
  });

  it('is where a fit ends sooner, at the same loss', async () => {
    const measurements = [measurement];
    const options = { total, until: 'converged', tolerance: 1e-9 } as const;
    const cold = await estimateGraphical(domain, measurements, { ...options, start: model });
    const start = startWith(model, measurement, model.marginal(['b', 'a']));
    const warm = await estimateGraphical(domain, measurements, { ...options, start });
    expect(warm.trace[0].loss).toBeLessThan(1e-6);
    expect(cold.trace[0].loss).toBeGreaterThan(10);
    expect(Math.abs(warm.chosen.loss - cold.chosen.loss)).toBeLessThan(1e-3);
    expect(warm.trace.length).toBeLessThan(cold.trace.length);
  });

  it('keeps cells that the noise has emptied a little above zero, and every potential finite', () => {
    const noisy = { ...measurement, values: values.map((value, cell) => (cell % 3 === 0 ? -value : value)) };
    const { factors } = startWith(model, noisy, new Float64Array(12));
    for (const { potential } of factors) for (const value of potential) expect(Number.isFinite(value)).toBe(true);
  });

  it('adds nothing for a marginal that lies in a factor of the model', () => {
    const query = marginal('c');
    const again = { query, values: Float64Array.of(600, 400), noise: { kind: 'gaussian', scale: 1 } as const };
    expect(startWith(model, again, model.marginal(['c'])).factors).toBe(model.factors);
  });
});
