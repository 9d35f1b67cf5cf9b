import { expect, test } from 'vitest';
import { plainDomain } from '../../../../test/support/plain-source.js';
import { openOracle } from '../../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../../privacy/measurement.js';
import { marginal } from '../../../query/marginal.js';
import { residual } from '../../../query/residual.js';
import { normal } from '../../../random/normal.js';
import { seeded } from '../../../random/seeded.js';
import { targetsOf } from '../targets.js';
import { squaredLoss } from './squared-loss.js';

test('where residuals are shared the gradient is the derivative of the loss, and chi is what it is without', async () => {
  const domain = plainDomain([9, 2, 12]);
  const [a, b, c] = domain.attributes.map(({ name }) => name);
  const random = seeded(1);
  const noisy = (query: Measurement['query'], cells: number): Measurement => ({
    query,
    values: Float64Array.from({ length: cells }, () => 50 * normal(random)),
    noise: { kind: 'gaussian', scale: 3 },
  });
  const measurements = [
    noisy(marginal(a, c), 108),
    noisy(marginal(b), 2),
    noisy(marginal(b, a), 18),
    noisy(residual(c), 12),
    noisy(residual(a, b), 18),
  ];
  const cliques = [[a, c], [b], [a, b], [c]];
  const sharing = new Map([
    [a, 1],
    [c, 8],
  ]);
  const oracle = await openOracle(domain, cliques, { threads: 1 });
  try {
    const own = oracle.factors.map(({ attributes }) => attributes);
    const { targets } = targetsOf(domain, measurements, own, true);
    const [plain, shared] = [undefined, sharing].map((each) => squaredLoss(oracle, targets, 500, 7, undefined, each));
    const [marginals, gradient, scratch] = [oracle.vector(), oracle.vector(), oracle.vector()];
    for (let i = 0; i < marginals.view.length; i++) marginals.view[i] = 0.02 + 0.01 * Math.sin(i);
    const loss = shared.evaluate(marginals, gradient);
    expect(loss).not.toBeCloseTo(plain.evaluate(marginals, scratch), 3);
    expect(shared.chi).toBeCloseTo(plain.chi, 6);
    expect(shared.unit).toBeLessThan(plain.unit);
    const slopes = gradient.view.slice();
    for (const [i, slope] of slopes.entries()) {
      const at = marginals.view[i];
      const lossAt = (share: number): number => {
        marginals.view[i] = share;
        return shared.evaluate(marginals, scratch);
      };
      // A quadratic: the central difference is exact.
      const difference = (lossAt(at + 0.01) - lossAt(at - 0.01)) / 0.02;
      marginals.view[i] = at;
      expect(Math.abs(difference - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
    }
  } finally {
    oracle.close();
  }
});
