import { expect, it } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import { openedSupport } from '../../model/support/prior-of.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { residual } from '../../query/residual.js';
import { withOpenShares } from './open-start.js';

const domain = domainOf([
  { name: 'a', type: 'integer', min: 0, max: 1, open: 'above' },
  { name: 'b', type: 'integer', min: 0, max: 1, open: 'both' },
]);
const table = { domain, length: 4, columns: [Uint8Array.of(0, 0, 1, 1), Uint8Array.of(1, 2, 1, 2)] };
const prior = openedSupport(supportOf(table));
/** 100 records: 40 beyond the end of a, 30 beyond the upper end of b, 10 of them beyond both; 2 below b. */
const truth = supportModel(
  supportOf({
    domain,
    length: 100,
    columns: [
      Uint8Array.from({ length: 100 }, (_, i) => (i < 40 ? 2 : i % 2)),
      Uint8Array.from({ length: 100 }, (_, i) => (i >= 30 && i < 60 ? 3 : i < 2 ? 0 : 1 + (i % 2))),
    ],
  }),
  100,
);
const measured = (scale: number, ...queries: Query[]): Measurement[] =>
  queries.map((query) => ({ query, values: truth.answer(query), noise: { kind: 'gaussian', scale } }));
const shares = (measurements: readonly Measurement[], total?: number): number[] => {
  const model = supportModel(withOpenShares(prior, measurements, total), 1);
  const [a, b] = [model.marginal(['a']), model.marginal(['b'])];
  return [a[2], b[0], b[3]];
};

it('a fit begins with the shares beyond ends that marginals clearly tell, and leaves the others where they were', () => {
  const [, below] = shares(measured(1e6, marginal('a', 'b')));
  const found = shares(measured(1, marginal('a', 'b')));
  expect(found[0]).toBeCloseTo(0.4, 1);
  expect(found[2]).toBeCloseTo(0.3, 9);
  // Two records of standard deviation sqrt(3): not clear.
  expect(found[1]).toBeCloseTo(below, 2);
  expect(shares(measured(1, marginal('a'), marginal('b')), 200)[2]).toBeCloseTo(0.15, 9);
});

it('residuals of all subsets tell them as well', () => {
  const found = shares(measured(0.1, marginal(), residual('a'), residual('b')));
  expect(found[2]).toBeCloseTo(0.3, 6);
  expect(found[1]).toBeCloseTo(0.02, 2);
});

it('a support is as it was where noise hides everything, or nothing was measured of the attribute', () => {
  expect(withOpenShares(prior, measured(1e6, marginal('a', 'b')))).toBe(prior);
  expect(withOpenShares(prior, [], 100)).toBe(prior);
});
