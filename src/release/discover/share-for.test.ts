import { expect, test } from 'vitest';
import { discoverShares, shareFor } from './share-for.js';

/** Thresholds as they are: 10 rows for all of the budget. */
const reach = (share: number): number => 10 / Math.sqrt(share);
const findsEdges = () => true;

test('a discovery takes the least share for which values of one row in fifty are told, and edges are found', () => {
  const { least, most } = discoverShares;
  expect(shareFor({ rows: 1e6, reach, findsEdges })).toBe(least);
  expect(shareFor({ rows: 1, reach, findsEdges })).toBe(most);
  expect(shareFor({ rows: 500, reach, findsEdges })).toBe(most);
  for (const rows of [1000, 1300, 2000]) {
    const share = shareFor({ rows, reach, findsEdges });
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(most);
    expect(reach(share)).toBeLessThanOrEqual(0.02 * rows);
    expect(reach(share - 0.002)).toBeGreaterThan(0.02 * rows);
  }
});

test('edges that no share finds are not paid for, and those that a larger one finds are', () => {
  expect(shareFor({ rows: 1e6, findsEdges: () => false })).toBe(discoverShares.least);
  expect(shareFor({ rows: 1e6, findsEdges: (share) => share >= 0.12 })).toBe(0.14);
  expect(shareFor({ rows: 1e6, reach, findsEdges: (share) => share >= 0.3 })).toBe(discoverShares.most);
});
