import { describe, expect, it } from 'vitest';
import { cellsOf, type Domain } from '../src/domain/domain.js';
import { fromResiduals, residualsIn } from '../src/estimate/residuals/from-residuals.js';
import { noiseBounds } from '../src/evaluate/noise-bounds.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import { marginal, total } from '../src/query/marginal.js';
import { factored, prefix, type Query } from '../src/query/query.js';
import { allMarginals } from '../src/query/workload/all-marginals.js';
import { optimalParts, type PlannedResidual, residualPlan } from '../src/query/workload/residual-plan.js';
import { type Workload, workloadOf } from '../src/query/workload/workload.js';
import { normal } from '../src/random/normal.js';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';
import { domainOf } from './support/arbitrary-query.js';

const domain = domainOf(2, 3, 5, 4);
const pairs = allMarginals(domain, 2);

/** Counts of the marginal of some attributes from the counts of the whole table. */
const marginalOf = (table: Float64Array, names: readonly string[]): Float64Array => {
  const whole = domain.attributes.map(({ name }) => name);
  const sums = factored(
    Object.fromEntries(
      whole.map((name, i) => [
        name,
        names.includes(name) ? { kind: 'keep' } : { kind: 'ranges', ranges: [[0, domain.attributes[i].size - 1]] },
      ]),
    ) as never,
  );
  return answerFrom(sums, domain, table);
};

const table = Float64Array.from({ length: 120 }, (_, cell) => (cell * 7919) % 23);

/** Variances that a split of a budget of one gives each residual: p / (part of the budget). */
const variancesAt = (residuals: readonly PlannedResidual[], parts: readonly number[]): number[] => {
  const sum = parts.reduce((all, part) => all + part, 0);
  return residuals.map(({ privacy }, i) => (privacy * sum) / parts[i]);
};

/** Measurements of residuals of the table with noise of these variances, exact where `random` is undefined. */
const measured = (
  residuals: readonly PlannedResidual[],
  variances: readonly number[],
  random?: ReturnType<typeof seeded>,
): Measurement[] =>
  residuals.map(({ query, attributes }, i) => {
    const counts = marginalOf(table, attributes);
    const noisy =
      random === undefined ? counts : counts.map((count) => count + Math.sqrt(variances[i]) * normal(random));
    const values = attributes.length === 0 ? noisy : answerFrom(query, domain, noisy);
    return { query, values, noise: { kind: 'gaussian', scale: Math.sqrt(variances[i]) } };
  });

/** The weighted sum of the variances of all cells. */
const sumOfVariances = (workload: Workload, list: readonly Measurement[], of: Domain = domain): number => {
  const residuals = residualsIn(list, of);
  return workload.queries.reduce(
    (sum, { query, weight }) =>
      sum + weight * fromResiduals(residuals, of, query)!.variances.reduce((all, variance) => all + variance, 0),
    0,
  );
};

describe('the residuals that a workload needs', () => {
  it('are those of all sets inside its marginals, once each', () => {
    const plan = residualPlan(workloadOf([marginal('c', 'a'), marginal('b', 'a')]), domain, 'add-remove', 1);
    expect(plan.map(({ attributes }) => attributes.join())).toEqual(['', 'a', 'b', 'c', 'a,b', 'a,c']);
    expect(plan[0].query).toEqual(total());
    expect(plan.map(({ privacy }) => privacy)).toEqual([1, 1 / 2, 2 / 3, 4 / 5, 1 / 3, 2 / 5]);
    const narrow = residualPlan(workloadOf([marginal('a', 'b')]), domainOf(1, 3), 'replace-one', 1);
    expect(narrow.map(({ attributes, privacy }) => [attributes.join(), privacy])).toEqual([
      ['', 0],
      ['b', 2],
    ]);
  });

  it('give every marginal back, and any query of its attributes, exactly when they are exact', () => {
    const plan = residualPlan(workloadOf([marginal('a', 'b', 'c')]), domain, 'add-remove', 1);
    const residuals = residualsIn(
      measured(
        plan,
        plan.map(() => 1),
      ),
      domain,
    );
    const queries: Query[] = [
      marginal('c', 'a', 'b'),
      marginal('b'),
      total(),
      prefix('c'),
      factored({ c: { kind: 'mean' }, a: { kind: 'value', cell: 1 } }),
      factored({ a: { kind: 'keep' }, b: { kind: 'sum' } }),
    ];
    for (const query of queries) {
      const expected = answerFrom(query, domain, reorderedMarginal(query));
      fromResiduals(residuals, domain, query)!.values.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[i], 9);
      });
    }
    expect(fromResiduals(residuals, domain, marginal('d'))).toBeUndefined();
  });

  it('have the variances that are simulated (6,000 runs of a fixed seed, within 11%: six standard errors)', () => {
    const plan = residualPlan(workloadOf([marginal('a', 'b')]), domain, 'add-remove', 1);
    const variances = plan.map((_, i) => 1 + i);
    const random = seeded(12);
    for (const query of [marginal('a', 'b'), factored({ b: { kind: 'prefix' }, a: { kind: 'value', cell: 0 } })]) {
      const truth = answerFrom(query, domain, reorderedMarginal(query));
      const claimed = fromResiduals(residualsIn(measured(plan, variances), domain), domain, query)!.variances;
      const seen = new Float64Array(truth.length);
      for (let run = 0; run < 6_000; run++)
        fromResiduals(residualsIn(measured(plan, variances, random), domain), domain, query)!.values.forEach(
          (value, i) => {
            seen[i] += (value - truth[i]) ** 2 / 6_000;
          },
        );
      seen.forEach((variance, i) => {
        expect(Math.abs(variance / claimed[i] - 1)).toBeLessThan(0.11);
      });
    }
  });
});

describe('bounds', () => {
  it('of a query within a planned marginal come from its residuals, and of others from none', () => {
    const plan = residualPlan(workloadOf([marginal('a', 'b')]), domain, 'add-remove', 1);
    const list = measured(
      plan,
      plan.map(() => 4),
      seeded(5),
    );
    const query = factored({ b: { kind: 'prefix' } });
    const { values, variances } = fromResiduals(residualsIn(list, domain), domain, query)!;
    const { low, high } = noiseBounds(list, domain, query)!;
    values.forEach((value, i) => {
      expect(high[i] - value).toBeCloseTo(1.959964 * Math.sqrt(variances[i]) + 0.5, 5);
      expect(value - low[i]).toBeCloseTo(high[i] - value, 9);
    });
    expect(noiseBounds(list, domain, marginal('a', 'c'))).toBeUndefined();
  });
});

/** The marginal that a query needs, with axes in the order of its attributes. */
const reorderedMarginal = (query: Query): Float64Array => {
  const names = attributesOf(query);
  const whole = domain.attributes.map(({ name }) => name);
  const counts = new Float64Array(cellsOf(domain, names));
  for (let cell = 0; cell < table.length; cell++) {
    let left = cell;
    const codes: Record<string, number> = {};
    for (let axis = whole.length - 1; axis >= 0; axis--) {
      codes[whole[axis]] = left % domain.attributes[axis].size;
      left = Math.floor(left / domain.attributes[axis].size);
    }
    counts[names.reduce((at, name) => at * domain.attributes[whole.indexOf(name)].size + codes[name], 0)] +=
      table[cell];
  }
  return counts;
};

describe('the split of the budget', () => {
  it.each(['add-remove', 'replace-one'] as const)(
    'has the least sum of variances of all splits, under %s',
    (relation) => {
      const random = seeded(3);
      const workload: Workload = { queries: pairs.queries.map(({ query }, i) => ({ query, weight: 1 + (i % 3) })) };
      const plan = residualPlan(workload, domain, relation, 1).filter(({ privacy }) => privacy > 0);
      const free = residualPlan(workload, domain, relation, 1).filter(({ privacy }) => privacy === 0);
      const at = (parts: readonly number[]) =>
        sumOfVariances(workload, [...measured(plan, variancesAt(plan, parts)), ...measured(free, [0])]);
      const best = optimalParts(plan);
      const least = at(best);
      // In closed form (sum of sqrt(p v))^2.
      expect(least).toBeCloseTo(best.reduce((sum, part) => sum + part, 0) ** 2, 6);
      for (let tries = 0; tries < 200; tries++)
        expect(at(best.map((part) => part * Math.exp((tries < 100 ? 0.1 : 1) * normal(random))))).toBeGreaterThan(
          least,
        );
      expect(at(best.map((part) => part * (1 + 1e-4 * uniform(random))))).toBeCloseTo(least, 4);
    },
  );

  it('of a single marginal is as good as measuring it, and of all pairs better than measuring each', () => {
    for (const workload of [workloadOf([marginal('b', 'd')]), workloadOf([marginal('a')])]) {
      const plan = residualPlan(workload, domain, 'add-remove', 1);
      const list = measured(plan, variancesAt(plan, optimalParts(plan)));
      // One marginal with all of the budget has variance 1 a cell.
      expect(sumOfVariances(workload, list)).toBeCloseTo(cellsOf(domain, attributesOf(workload.queries[0].query)), 9);
    }
    const plan = residualPlan(pairs, domain, 'add-remove', 1);
    // The best split of independent measurements: parts as the square roots of the cells.
    const alone =
      pairs.queries.reduce((sum, { query }) => sum + Math.sqrt(cellsOf(domain, attributesOf(query))), 0) ** 2;
    const together = sumOfVariances(pairs, measured(plan, variancesAt(plan, optimalParts(plan))));
    expect(together).toBeLessThan(0.8 * alone);
  });
});
