import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { estimateReweighted } from '../../estimate/reweight/reweight.js';
import { reweighted, type Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { neighbourOrder } from './neighbour-order.js';
import { carryBack, rowClasses } from './row-classes.js';
import { drawRows, rowPool } from './row-pool.js';

const sizes = [3, 4, 2, 5];
const randomSupport = (seed: number, length: number): Support => {
  const random = seeded(seed);
  const columns = sizes.map((size) => Uint8Array.from({ length }, () => uniformInteger(random, size)));
  const support = { domain: plainDomain(sizes), length, columns, weights: new Float64Array(length) };
  return reweighted(
    support,
    Float64Array.from({ length }, () => uniform(random)),
  );
};

describe('rowClasses', () => {
  it('joins exactly the rows that the attributes do not tell apart, and keeps their marginals', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.subarray(['a', 'b', 'c', 'd']), (seed, attributes) => {
        const support = randomSupport(seed, 40);
        const { support: classes, classOf } = rowClasses(support, attributes);
        const places = attributes.map((name) => 'abcd'.indexOf(name)).sort();
        const text = (row: number): string => places.map((a) => support.columns[a][row]).join();
        for (let row = 0; row < 40; row++) {
          expect(classes.columns.map((column) => column[classOf[row]]).join()).toBe(text(row));
          for (let other = 0; other < row; other++)
            expect(classOf[row] === classOf[other]).toBe(text(row) === text(other));
        }
        const names = classes.domain.attributes.map(({ name }) => name);
        const [mine, theirs] = [supportModel(classes, 9).marginal(names), supportModel(support, 9).marginal(names)];
        mine.forEach((count, cell) => {
          expect(count).toBeCloseTo(theirs[cell], 12);
        });
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('lets an estimate work on classes: carried back, it is the estimate on rows', async () => {
    const support = randomSupport(7, 300);
    const measurements = ['a', 'd'].map((name) => ({
      query: marginal(name),
      values: supportModel(support, 100)
        .marginal([name])
        .map((count, cell) => Math.round(count + 20 * Math.sin(cell + 1))),
      noise: { kind: 'gaussian', scale: 2 } as const,
    }));
    const options = { total: 100, threads: 1, until: 'converged' } as const;
    const classes = rowClasses(support, ['a', 'd']);
    const onRows = await estimateReweighted(support, measurements, { ...options, random: seeded(1) });
    const onClasses = await estimateReweighted(classes.support, measurements, { ...options, random: seeded(1) });
    carryBack(support, classes, onClasses.support.weights).forEach((weight, row) => {
      expect(weight).toBeCloseTo(onRows.support.weights[row], 8);
    });
  });
});

describe('neighbourOrder', () => {
  it('is a permutation in which every row is followed by a nearest one of those left', () => {
    const { columns } = randomSupport(3, 60);
    const order = neighbourOrder({ columns, length: 60 });
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, row) => row));
    const apart = (a: number, b: number): number => columns.filter((column) => column[a] !== column[b]).length;
    for (let i = 0; i + 1 < 60; i++) {
      const left = [...order.slice(i + 1)];
      expect(apart(order[i], order[i + 1])).toBe(Math.min(...left.map((row) => apart(order[i], row))));
    }
    expect(neighbourOrder({ columns: columns.map(() => new Uint8Array()), length: 0 }).length).toBe(0);
  });
});

describe('rowPool', () => {
  it('has each row within one of its expected number, in an order of neighbours', () => {
    const support = randomSupport(5, 50);
    const pool = rowPool(support, 200, seeded(1));
    expect(pool.support.length).toBe(200);
    const copies = new Float64Array(50);
    pool.rows.forEach((row, i) => {
      copies[row]++;
      expect(pool.support.columns.map((column) => column[i])).toEqual(support.columns.map((column) => column[row]));
    });
    copies.forEach((count, row) => {
      expect(Math.abs(count - 200 * support.weights[row])).toBeLessThan(1);
    });
    expect(() => rowPool(support, 0, seeded(1))).toThrow('pool');
  });

  it('draws along the pool with marginals nearer to the whole than independent draws have', () => {
    const support = randomSupport(9, 400);
    const pool = rowPool(support, 1000, seeded(1)).support;
    const truth = supportModel(pool, 40).marginal(['a', 'b']);
    const distance = (rows: ArrayLike<number>): number => {
      const counts = new Float64Array(truth.length);
      for (let i = 0; i < rows.length; i++) counts[pool.columns[0][rows[i]] * sizes[1] + pool.columns[1][rows[i]]]++;
      return counts.reduce((sum, count, cell) => sum + Math.abs(count - truth[cell]), 0);
    };
    const random = seeded(2);
    let [along, alone] = [0, 0];
    for (let i = 0; i < 200; i++) {
      along += distance(drawRows(pool.weights, 40, random));
      alone += distance(Uint32Array.from({ length: 40 }, () => uniformInteger(random, 1000)));
    }
    expect(along).toBeLessThan(0.9 * alone);
  });
});
