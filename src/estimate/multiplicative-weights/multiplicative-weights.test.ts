import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { codeColumn } from '../../domain/table.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { attributesOf } from '../../query/answer.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import type { Random } from '../../random/random.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type WeightedAnswers, weightedAnswers } from './multiplicative-weights.js';
import { planMarginals } from './plan.js';
import { rowFinder } from './rows.js';

/** Rows whose later columns depend on earlier ones, so that tuples repeat as in real tables. */
const randomSupport = (sizes: readonly number[], rows: number, random: Random): Support => {
  const columns = sizes.map((size) => codeColumn(size, rows));
  for (let row = 0; row < rows; row++)
    sizes.forEach((size, a) => {
      const free = uniformInteger(random, size);
      columns[a][row] = a > 0 && uniform(random) < 0.6 ? columns[a - 1][row] % size : free;
    });
  return supportOf({ domain: plainDomain(sizes), length: rows, columns });
};

const upTo = (support: Support, k: number): string[][] => [
  [],
  ...Array.from({ length: k }, (_, i) => allMarginals(support.domain, i + 1).queries).flatMap((queries) =>
    queries.map(({ query }) => attributesOf(query)),
  ),
];

/** Largest difference between the kept sums and the marginals of the present distribution, counted row by row. */
const worst = (answers: WeightedAnswers): number => {
  const { support, marginals } = answers.plan;
  const model = supportModel({ ...support, weights: answers.distribution() }, 1);
  let largest = 0;
  for (const [m, attributes] of marginals.entries()) {
    const sums = answers.allSums(m);
    model.marginal(attributes).forEach((probability, cell) => {
      largest = Math.max(largest, Math.abs(probability - sums[cell] / answers.mass));
    });
  }
  return largest;
};

describe('the plan', () => {
  it('evaluates every marginal of none to four attributes, in any order of attributes, like a count row by row', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 4, maxLength: 9 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer(),
        async (sizes, rows, seed) => {
          const random = seeded(seed);
          const support = randomSupport(sizes, rows, random);
          const turned = upTo(support, 4).map((names) => (uniform(random) < 0.5 ? names : names.toReversed()));
          const kept = turned.filter(() => uniform(random) < 0.5);
          if (kept.length === 0) return;
          const answers = await weightedAnswers(planMarginals(support, kept));
          await answers.refresh();
          expect(worst(answers)).toBeLessThan(1e-13);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('needs less than half the additions of going from the rows to each marginal', () => {
    const support = randomSupport([5, 4, 6, 3, 5, 4, 2, 6, 3, 4, 5, 3], 3000, seeded(2));
    const marginals = allMarginals(support.domain, 3).queries.map(({ query }) => attributesOf(query));
    const { cost } = planMarginals(support, marginals);
    expect(cost).toBeLessThan((support.length * marginals.length) / 2);
  });
});

describe('rows of a cell', () => {
  it('are those that hold its codes, for every cell', () => {
    const support = randomSupport([3, 4, 2], 60, seeded(3));
    const find = rowFinder(support);
    for (const attributes of [...upTo(support, 3), ['c', 'a']]) {
      const seen = new Uint8Array(support.length);
      const sizes = attributes.map((name) => ({ a: 3, b: 4, c: 2 })[name]!);
      const cells = sizes.reduce((product, size) => product * size, 1);
      for (let cell = 0; cell < cells; cell++)
        for (const row of find(attributes, cell)) {
          seen[row]++;
          let own = 0;
          attributes.forEach((name, i) => {
            own = own * sizes[i] + support.columns['abc'.indexOf(name)][row];
          });
          expect(own).toBe(cell);
        }
      expect(seen.every((times) => times === 1)).toBe(true);
    }
  });
});

describe('incremental answers', () => {
  it('equal a full evaluation within 1e-9 after 10,000 random updates, refreshed at random intervals', async () => {
    const random = seeded(4);
    const support = randomSupport([4, 3, 5, 2, 6, 3, 4], 2000, random);
    const marginals = upTo(support, 3);
    const answers = await weightedAnswers(planMarginals(support, marginals));
    const { cells } = answers.plan;
    const weights = Float64Array.from(support.weights);
    await answers.refresh();
    for (let update = 0; update < 10_000; update++) {
      const m = uniformInteger(random, marginals.length);
      const rows = answers.rowsIn(m, uniformInteger(random, cells[m]));
      const c = uniform(random) - 0.5;
      answers.scale(rows, c);
      for (const row of rows.view) weights[row] *= Math.exp(c);
      if (uniform(random) < 0.5) await answers.refresh();
      if (update % 2500 === 2499) {
        await answers.refresh();
        expect(worst(answers)).toBeLessThan(1e-9);
      }
    }
    expect(await answers.drift()).toBeLessThan(1e-9);
    // The weights themselves are those of scaling each row by hand.
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    answers.distribution().forEach((probability, row) => {
      expect(Math.abs(probability - weights[row] / total)).toBeLessThan(1e-12);
    });
  });

  it('survive scaling far beyond the range of doubles', async () => {
    const support = randomSupport([3, 3, 3], 100, seeded(5));
    const answers = await weightedAnswers(planMarginals(support, upTo(support, 2)));
    const rows = answers.rowsIn(1, 0);
    for (let i = 0; i < 3000; i++) {
      answers.scale(rows, 1);
      await answers.refresh();
    }
    expect(answers.sumOf(1, 0) / answers.mass).toBeCloseTo(1, 12);
    expect(worst(answers)).toBeLessThan(1e-12);
  });

  it('start over from given weights', async () => {
    const support = randomSupport([3, 4], 50, seeded(6));
    const answers = await weightedAnswers(planMarginals(support, upTo(support, 2)));
    answers.scale(answers.rowsIn(1, 1), 0.7);
    await answers.refresh();
    answers.restart(support.weights);
    await answers.refresh();
    expect(answers.distribution()).toEqual(support.weights);
    expect(worst(answers)).toBeLessThan(1e-15);
    expect(() => answers.restart(new Float64Array(support.length))).toThrow(/^weights: /);
  });
});
