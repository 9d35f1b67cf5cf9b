import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { redraw } from '../../model/redraw.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { clumpBetween, drawnAnew, worth } from './public-distance.js';

const domain = plainDomain([10, 8, 6]);
const random = seeded(5);
const records = 20_000;
const rows = Array.from({ length: records }, () => [10, 8, 6].map((size) => uniformInteger(random, size)));
const truth = supportModel(supportOf(plainTable(domain, rows)), records);
const pairs = allMarginals(domain, 2).queries.map(({ query }) => query);

const measuredWith = (scale: number): readonly Measurement[] =>
  pairs.map((query) => ({
    query,
    values: truth.answer(query).map((count) => count + scale * normal(random)),
    noise: { kind: 'gaussian', scale },
  }));

/** Of a public table of any size. */
const countless = Number.POSITIVE_INFINITY;

describe('a public table drawn anew', () => {
  it.each([4, 8, 40])(
    'is as far from the truth as the public table is, by what was measured of both: clumps of %i records are found, to a fifth in the mean of 20',
    (clump) => {
      const found = Array.from({ length: 20 }, () => {
        const table = redraw(truth, random, clump);
        return clumpBetween(measuredWith(10), (attributes) => table.marginal(attributes), countless);
      });
      const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
      expect(mean / clump).toBeGreaterThan(0.8);
      expect(mean / clump).toBeLessThan(1.2);
    },
  );

  it('is no nearer than chance alone makes it, and than noise leaves open, and has a hundred draws at least', () => {
    const own = (attributes: readonly string[]) => truth.marginal(attributes);
    const alone = (attributes: readonly string[]) =>
      own(attributes).map((_, i, { length }) => (i === 0 ? records - length + 1 : 1));
    expect(clumpBetween(measuredWith(1), own, countless)).toBe(1);
    expect(clumpBetween(measuredWith(1), own, records / 4)).toBe(5);
    expect(clumpBetween(measuredWith(300), own, countless)).toBeGreaterThan(20);
    expect(clumpBetween(measuredWith(1), alone, countless)).toBe(records / 100);
    expect(clumpBetween([], own, countless)).toBe(1);
  });

  it('says something else of each marginal each time, with the same noise, around the model', async () => {
    const taken = measuredWith(3);
    const draws = await Promise.all(Array.from({ length: 40 }, () => drawnAnew(taken, truth, 50, random, {})));
    taken.forEach((one, i) => {
      const right = truth.answer(pairs[i]);
      const mean = right.map((_, j) => draws.reduce((sum, drawn) => sum + drawn[i].values[j], 0) / draws.length);
      const off = mean.reduce((sum, count, j) => sum + Math.abs(count - right[j]), 0);
      const first = draws[0][i].values.reduce((sum, count, j) => sum + Math.abs(count - right[j]), 0);
      // The mean of 40 is off by a sixth of what each of them is; twice that is allowed.
      expect(off).toBeLessThan(first / 3);
      expect(draws[0][i].values).not.toEqual(draws[1][i].values);
      expect(draws[0][i].noise).toBe(one.noise);
    });
    expect(await drawnAnew([], truth, 50, random, {})).toEqual([]);
  });

  it('is worth what it is off by, and never less than the measurement that it was preferred to', () => {
    const taken = measuredWith(30);
    const scaleOf = ({ noise }: Measurement): number => (noise.kind === 'none' ? 0 : noise.scale);
    const near = worth(taken, 2).map(scaleOf);
    const far = worth(taken, 1e6).map(scaleOf);
    taken.forEach(({ values }, i) => {
      // Cells of m records in clumps of 2 are off by the root of 2 m.
      expect(near[i] / Math.sqrt((2 * records) / values.length)).toBeCloseTo(1, 1);
      expect(far[i]).toBe(30);
    });
  });
});
