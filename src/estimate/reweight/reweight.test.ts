import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import type { Table } from '../../domain/table.js';
import { openJointRows } from '../../model/support/joint-rows.js';
import { reweighted, type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { prefix, type Query } from '../../query/query.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { startDescent } from './descent.js';
import { estimateReweighted } from './reweight.js';
import { targetsOf } from './targets.js';

const domain = plainDomain([3, 4, 5, 2, 6, 4, 3]);

/** Random rows whose attributes depend on a hidden type. */
const randomTable = (rows: number, seed: number): Table => {
  const random = seeded(seed);
  const columns = domain.attributes.map(() => new Uint8Array(rows));
  for (let row = 0; row < rows; row++) {
    const type = uniformInteger(random, 4);
    domain.attributes.forEach(({ size }, a) => {
      columns[a][row] = uniform(random) < 0.7 ? (type * (a + 1)) % size : uniformInteger(random, size);
    });
  }
  return { domain, length: rows, columns };
};

const names = domain.attributes.map(({ name }) => name);
const pairs: Query[] = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal(a, b)));

/** The support with weights tilted away from the public ones, by attribute and a little by row: what private rows may be. */
const tilted = (support: Support, seed: number): Support => {
  const random = seeded(seed);
  const tilt = domain.attributes.map(({ size }) => Array.from({ length: size }, () => 0.5 * normal(random)));
  const own = support.weights.map((weight) => weight * Math.exp(0.3 * normal(random)));
  return reweighted(
    support,
    own.map((weight, row) => weight * Math.exp(tilt.reduce((sum, by, a) => sum + by[support.columns[a][row]], 0))),
  );
};

const measure = (
  truth: Support,
  total: number,
  queries: readonly Query[],
  scale: number,
  seed: number,
): Measurement[] => {
  const model = supportModel(truth, total);
  const random = seeded(seed);
  return queries.map((query) => ({
    query,
    values: model.answer(query).map((value) => value + scale * normal(random)),
    noise: { kind: 'gaussian', scale },
  }));
};

const distance = (a: Support, b: Support, attributes: string[]): number => {
  const [x, y] = [a, b].map((support) => supportModel(support, 1).marginal(attributes));
  return x.reduce((sum, value, i) => sum + Math.abs(value - y[i]), 0) / 2;
};
const tripleError = (a: Support, b: Support): number =>
  [
    ['a', 'b', 'c'],
    ['a', 'b', 'd'],
    ['a', 'c', 'd'],
    ['e', 'f', 'g'],
  ].reduce((sum, triple) => sum + distance(a, b, triple) / 4, 0);

describe('a descent', () => {
  it('has the gradient of its loss: chi falls at the rate the slope predicts', async () => {
    const support = supportOf(randomTable(500, 1));
    const queries = [...pairs, prefix('c')];
    const { marginals, targets } = targetsOf(measure(tilted(support, 2), 1000, queries, 3, 3), domain);
    const rows = await openJointRows(support, marginals);
    const fit = await startDescent(rows, targets, 1000);
    const before = fit.chi;
    await fit.findDirection();
    const { chi, slope } = await fit.attempt(1e-12);
    expect((chi - before) / 2 / slope).toBeCloseTo(1, 4);
    rows.close();
  });

  it('is the same on one thread and on two', async () => {
    const support = supportOf(randomTable(20_000, 4));
    const measurements = measure(tilted(support, 5), 5000, pairs, 5, 6);
    const [one, two] = await Promise.all(
      [1, 2].map((threads) =>
        estimateReweighted(support, measurements, { random: seeded(1), threads, workers: nodeWorkers, iterations: 20 }),
      ),
    );
    expect(two.trace.length).toBe(one.trace.length);
    expect(two.chosen.risk).toBeCloseTo(one.chosen.risk, 6);
  });
});

describe('reweighting', () => {
  it('run to convergence, reproduces answers that some weights have (1e-3 of the total)', async () => {
    const support = supportOf(randomTable(400, 7));
    const truth = tilted(support, 8);
    const measurements = measure(truth, 10_000, pairs, 1e-3, 9).map((measurement) => ({
      ...measurement,
      noise: { kind: 'gaussian' as const, scale: 10 },
    }));
    const fit = await estimateReweighted(support, measurements, {
      random: seeded(1),
      until: 'converged',
      iterations: 4000,
    });
    for (const pair of [
      ['a', 'b'],
      ['c', 'd'],
    ])
      expect(distance(fit.support, truth, pair)).toBeLessThan(1e-3);
    expect(fit.total).toBeCloseTo(10_000, 0);
  });

  it('never moves without reason: answers equal to the prior’s leave it as it is', async () => {
    const support = supportOf(randomTable(400, 10));
    const exact = measure(support, 1000, pairs, 0, 1).map((measurement) => ({
      ...measurement,
      noise: { kind: 'gaussian' as const, scale: 5 },
    }));
    const { chosen } = await estimateReweighted(support, exact, { random: seeded(2) });
    expect(chosen.divergence).toBeLessThan(1e-6);
  });

  it('stops within a tenth of the best stopping point, below the prior, and below convergence unless there is little noise', async () => {
    const support = supportOf(randomTable(3000, 11));
    const truth = tilted(support, 12);
    for (const scale of [20, 80, 320]) {
      let sums = { validated: 0, oracle: 0, converged: 0 };
      for (let seed = 0; seed < 4; seed++) {
        const measurements = measure(truth, 10_000, pairs, scale, 100 + seed);
        let oracle = Number.POSITIVE_INFINITY;
        const validated = await estimateReweighted(support, measurements, { random: seeded(seed) });
        const converged = await estimateReweighted(support, measurements, {
          random: seeded(seed),
          until: 'converged',
          iterations: 1500,
          onStep: async (_, weights) => {
            oracle = Math.min(oracle, tripleError({ ...support, weights: await weights() }, truth));
          },
        });
        sums = {
          validated: sums.validated + tripleError(validated.support, truth),
          oracle: sums.oracle + oracle,
          converged: sums.converged + tripleError(converged.support, truth),
        };
      }
      expect(sums.validated / 4).toBeLessThan(tripleError(support, truth));
      expect(sums.validated).toBeLessThan(1.1 * sums.oracle);
      // With little noise convergence is best, and the rule must come close to it.
      expect(sums.validated).toBeLessThan((scale > 20 ? 0.95 : 1.02) * sums.converged);
    }
  });

  it('knows its own risk: the estimate at the chosen point is near the true squared error, averaged over noise', async () => {
    const support = supportOf(randomTable(2000, 13));
    const truth = tilted(support, 14);
    const model = supportModel(truth, 10_000);
    let estimated = 0;
    let actual = 0;
    for (let seed = 0; seed < 8; seed++) {
      const measurements = measure(truth, 10_000, pairs, 60, 200 + seed);
      const fit = await estimateReweighted(support, measurements, { random: seeded(seed), total: 10_000, probes: 4 });
      const own = supportModel(fit.support, 10_000);
      estimated += fit.chosen.risk;
      for (const query of pairs)
        own.answer(query).forEach((value, i) => {
          actual += ((value - model.answer(query)[i]) / 60) ** 2;
        });
    }
    // The chosen point minimises the estimate, so it is a little below the truth.
    expect(estimated / actual).toBeGreaterThan(0.6);
    expect(estimated / actual).toBeLessThan(1.2);
  });

  it('ends at once when it is cancelled', async () => {
    const support = supportOf(randomTable(300, 15));
    const control = new AbortController();
    control.abort();
    const measurements = measure(support, 100, pairs, 3, 1);
    await expect(
      estimateReweighted(support, measurements, { random: seeded(1), signal: control.signal }),
    ).rejects.toThrow();
  });
});
