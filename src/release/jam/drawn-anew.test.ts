import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { redraw } from '../../model/redraw.js';
import { supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { clumpBetween, drawnAnew } from './drawn-anew.js';

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

describe('a public table drawn anew', () => {
  it.each([1, 8, 40])(
    'is as far from the truth as the public table is, by what was measured of both: clumps of %i records are found, to a fifth in the mean of 20',
    (clump) => {
      const found = Array.from({ length: 20 }, () => {
        const table = redraw(truth, random, clump);
        return clumpBetween(measuredWith(10), (attributes) => table.marginal(attributes));
      });
      const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
      expect(mean / clump).toBeGreaterThan(0.8);
      expect(mean / clump).toBeLessThan(1.2);
    },
  );

  it('has at least a hundred draws, and one record a draw at least, however far or near the tables are', () => {
    const same = clumpBetween(measuredWith(10), (attributes) => truth.marginal(attributes));
    const alone = clumpBetween(measuredWith(10), (attributes) =>
      truth.marginal(attributes).map((_, i, { length }) => (i === 0 ? records - length + 1 : 1)),
    );
    expect(same).toBe(1);
    expect(alone).toBe(records / 100);
    expect(clumpBetween([], () => new Float64Array(1))).toBe(1);
  });

  it('says of marginals something else each time, around the model, and no farther from it than the noise that they were preferred to', async () => {
    const taken = measuredWith(3);
    const [one, other] = [await drawnAnew(taken, truth, 50, random, {}), await drawnAnew(taken, truth, 50, random, {})];
    one.forEach((measurement, i) => {
      const right = truth.answer(pairs[i]);
      const off = measurement.values.reduce((sum, count, j) => sum + Math.abs(count - right[j]), 0);
      // Clumps of 50 scatter by 7 times as much as single records, far beyond this noise.
      expect(off).toBeCloseTo(expectedError(measurement.noise) * right.length, 6);
      expect(measurement.values).not.toEqual(other[i].values);
      expect(measurement.noise).toBe(taken[i].noise);
    });
  });
});
