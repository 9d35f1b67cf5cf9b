import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../../test/support/plain-source.js';
import { openOracle } from '../../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../../privacy/measurement.js';
import { attributesOf } from '../../../query/answer.js';
import { marginal } from '../../../query/marginal.js';
import { normal } from '../../../random/normal.js';
import { seeded } from '../../../random/seeded.js';
import { uniform, uniformInteger } from '../../../random/uniform.js';
import { estimateGraphical } from '../estimate.js';
import { squaredLoss } from '../loss/squared-loss.js';
import { targetsOf } from '../targets.js';
import { evenShares } from './even-steps.js';
import { startFit } from './fit.js';

const domain = plainDomain([12, 9, 6, 4]);
const sets = [['a', 'b'], ['b', 'c'], ['a', 'd'], ['c', 'd'], ['a'], ['b'], ['c'], ['d']];

/** Codes of spots, a few of which hold most records, that nearly determine each other; measured with little noise. */
const codesOfPlaces = (records: number, noise: number, seed: number): Measurement[] => {
  const random = seeded(seed);
  const counts = sets.map((names) => new Float64Array(names.reduce((cells, name) => cells * sizeOf(name), 1)));
  for (let record = 0; record < records; record++) {
    const spot = Math.floor(36 ** uniform(random)) - 1;
    const codes = domain.attributes.map(({ size }) =>
      uniform(random) < 0.01 ? uniformInteger(random, size) : Math.floor((spot * size) / 36),
    );
    sets.forEach((names, s) => {
      counts[s][names.reduce((cell, name) => cell * sizeOf(name) + codes[placeOf(name)], 0)]++;
    });
  }
  return sets.map((names, s) => ({
    query: marginal(...names),
    values: counts[s].map((count) => count + noise * normal(random)),
    noise: { kind: 'gaussian', scale: noise },
  }));
};

const placeOf = (name: string): number => domain.attributes.findIndex((attribute) => attribute.name === name);
const sizeOf = (name: string): number => domain.attributes[placeOf(name)].size;

describe('steps that are longer in cells of small shares', () => {
  it('come to the same residual on nearly deterministic tables in less than two thirds as many, at a model as near as twice the noise is', async () => {
    for (const seed of [1, 2, 3]) {
      const measurements = codesOfPlaces(300_000, 20, seed);
      const { chosen } = await estimateGraphical(domain, measurements, { until: 'validated' });
      const [plain, even] = [
        await estimateGraphical(domain, measurements, { until: { chi: chosen.chi } }),
        await estimateGraphical(domain, measurements, { until: { chi: chosen.chi }, even: true }),
      ];
      expect(even.chosen.chi).toBeLessThanOrEqual(chosen.chi);
      expect(even.trace.length).toBeLessThan((2 / 3) * plain.trace.length);
      for (const names of sets) {
        const [one, other] = [plain.model.marginal(names), even.model.marginal(names)];
        const apart = Math.sqrt(one.reduce((sum, count, i) => sum + (count - other[i]) ** 2, 0) / one.length);
        expect(apart).toBeLessThan(40);
      }
    }
  });

  it('end within half a percent of the loss where plain ones do when they go on', async () => {
    const measurements = codesOfPlaces(20_000, 50, 4);
    const run = { until: 'converged', tolerance: 1e-9, iterations: 5000 } as const;
    const plain = await estimateGraphical(domain, measurements, run);
    const even = await estimateGraphical(domain, measurements, { ...run, even: true });
    expect(even.chosen.loss / plain.chosen.loss).toBeCloseTo(1, 2);
  });

  it('are never too long by the unit of the loss: each gains at least half of what its gradient promises', async () => {
    const random = seeded(5);
    for (let trial = 0; trial < 20; trial++) {
      const measurements = codesOfPlaces(2000, 1 + 30 * uniform(random), 100 + trial);
      const cliques = measurements.map(({ query }) => attributesOf(query));
      const oracle = await openOracle(domain, cliques);
      const { targets } = targetsOf(domain, measurements, cliques, true);
      const loss = squaredLoss(oracle, targets, 2000);
      const start = oracle.vector();
      for (let i = 0; i < start.view.length; i++) start.view[i] = 3 * normal(random);
      const fit = await startFit(oracle, loss, start, { even: evenShares(oracle, targets, 2000) });
      const before = fit.chi;
      const { chi, slope } = await fit.attempt(loss.unit);
      expect(slope).toBeLessThan(0);
      // Chi is twice the loss, so half of what the gradient promises of it is the slope itself.
      expect(before - chi).toBeGreaterThanOrEqual(-slope);
      oracle.close();
    }
  });
});
