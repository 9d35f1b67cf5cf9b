import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import type { Measurement } from '../../privacy/measurement.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { estimateTotal } from './estimate-total.js';

const domain = plainDomain([4, 3]);
const measured = (query: Query, values: number[], scale: number): Measurement => ({
  query,
  values: Float64Array.from(values),
  noise: { kind: 'gaussian', scale },
});

describe('the total', () => {
  it('is the mean of what measurements tell, weighted by inverse variance, factored ones among them', () => {
    const list = [
      measured(marginal('a'), [1, 2, 3, 4], 1), // 10, variance 4
      measured(prefix('a'), [2, 5, 9, 14], 1), // 14, variance 1
      measured(factored({ a: { kind: 'prefix' }, b: { kind: 'keep' } }), [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 5], 2), // 12, variance 12
      measured(factored({ a: { kind: 'mean' } }), [1e6], 1e-3), // tells nothing
    ];
    const expected = (10 / 4 + 14 + 12 / 12) / (1 / 4 + 1 + 1 / 12);
    expect(estimateTotal(list, domain)).toBeCloseTo(expected, 10);
    expect(estimateTotal(list)).toBe(10);
  });

  it('cannot come from queries that miss records', () => {
    expect(() => estimateTotal([measured(factored({ a: { kind: 'value', cell: 1 } }), [3], 1)], domain)).toThrow(
      /total/,
    );
  });
});
