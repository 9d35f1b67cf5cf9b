import { describe, expect, it } from 'vitest';
import { type Household, householdAnswers, householdDomain, householdTable } from '../../../test/support/households.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import { openSlicedHouseholds } from '../../model/households/sliced-households.js';
import type { Measurement } from '../../privacy/measurement.js';
import { holding, holdingCell } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { prefix, type Query } from '../../query/query.js';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { startDescent } from './descent.js';
import { householdTargets } from './household-targets.js';
import { estimateReweightedHouseholds, followHouseholds } from './reweight-households.js';

const domain = householdDomain([3, 2], [2, 3], 4, true);
const random = seeded(4);
const code = (size: number) => uniformInteger(random, size);
const listed: Household[] = Array.from({ length: 40 }, () => ({
  own: [code(3), code(2)],
  persons: Array.from({ length: 1 + code(4) }, () => [code(2), code(3)]),
}));
const start = Float64Array.from(listed, () => 1 / 40);
const support = { table: householdTable(domain, listed), weights: start };
const queries: Query[] = [
  holding('g', 'a'),
  marginal('g', 'a'),
  holding('h', 'b'),
  marginal('a', 'b'),
  holding('size'),
  holding(),
  prefix('b'),
  holdingCell(['g', 'b'], 4),
];

/** What each household adds to each answer, by definition. */
const added = queries.map((query) => listed.map((household) => householdAnswers(query, domain, [household])));
const answersOf = (weights: ArrayLike<number>, total: number): Float64Array[] =>
  added.map((each) => each[0].map((_, i) => each.reduce((sum, own, h) => sum + total * weights[h] * own[i], 0)));

const deviations = queries.map((_, q) => 3 + q);
const measured = (answers: readonly Float64Array[], noise: number): Measurement[] =>
  queries.map((query, q) => ({
    query,
    values: answers[q].map((answer) => answer + noise * deviations[q] * normal(random)),
    noise: { kind: 'gaussian', scale: deviations[q] },
  }));

/** Weights tilted away from the start by a factor for each household. */
const tilted = (() => {
  const raw = start.map((weight) => weight * Math.exp(0.7 * normal(random)));
  const sum = raw.reduce((a, b) => a + b);
  return raw.map((weight) => weight / sum);
})();

describe('a fit of households', () => {
  it('has the loss of its definition, and the gradient that finite differences of it have, for each household', async () => {
    const measurements = measured(answersOf(tilted, 500), 1);
    const { queries: seen, targets } = householdTargets(measurements, domain);
    const opened = await openSlicedHouseholds(support, seen, { threads: 1 });
    const fit = await startDescent(opened, targets, 500);
    const chiAt = (weights: ArrayLike<number>): number =>
      answersOf(weights, 500).reduce(
        (sum, answers, q) =>
          sum +
          answers.reduce((all, answer, i) => all + ((answer - measurements[q].values[i]) / deviations[q]) ** 2, 0),
        0,
      );
    expect(fit.chi / chiAt(start)).toBeCloseTo(1, 10);
    // A step of log weights by -s g moves the weights to w exp(-s g) / sum: read the gradient off them, up to a constant.
    await fit.findDirection();
    const step = 1e-9;
    await fit.attempt(step, 0);
    await fit.accept();
    const moved = await fit.distribution();
    const gradient = listed.map((_, h) => -Math.log(moved[h] / start[h]) / step);
    const differences = listed.map((_, h) => {
      const by = (change: number) => chiAt(start.map((weight, i) => (i === h ? weight + change : weight)));
      return (by(1e-6) - by(-1e-6)) / 4e-6;
    });
    const [a, b] = [gradient, differences].map((list) => {
      const mean = list.reduce((sum, value) => sum + value) / 40;
      return list.map((value) => value - mean);
    });
    const largest = Math.max(...b.map(Math.abs));
    a.forEach((value, h) => {
      expect(Math.abs(value - b[h]) / largest, `household ${h}`).toBeLessThan(1e-4);
    });
    opened.close();
  });

  it('run to convergence, reproduces answers that some weights have, and their total', async () => {
    const exact = answersOf(tilted, 500);
    const fit = await estimateReweightedHouseholds(support, measured(exact, 0), {
      random: seeded(1),
      threads: 1,
      until: 'converged',
      iterations: 3000,
    });
    const model = householdSupportModel(fit.support, fit.total);
    for (const [q, query] of queries.entries())
      model.answer(query).forEach((answer, i) => {
        expect(Math.abs(answer - exact[q][i]), JSON.stringify([query, i])).toBeLessThan(0.5);
      });
    expect(fit.total).toBeCloseTo(500, 0);
  });

  it('stays where it is when the answers are those of the public households, and followers do as it did', async () => {
    const fit = await estimateReweightedHouseholds(support, measured(answersOf(start, 500), 0), {
      random: seeded(1),
      threads: 1,
    });
    expect(fit.chosen.divergence).toBeLessThan(1e-6);
    const noisy = measured(answersOf(tilted, 5000), 1);
    const far = await estimateReweightedHouseholds(support, noisy, { random: seeded(1), threads: 1 });
    expect(far.chosen.divergence).toBeGreaterThan(0.01);
    const followed = await followHouseholds(support, noisy, far.strides, { threads: 1 });
    expect(followed.total).toBeCloseTo(far.total, 6);
    followed.support.weights.forEach((weight, h) => {
      expect(weight).toBeCloseTo(far.support.weights[h], 9);
    });
  });

  it('goes to answers without noise as far as they are right, and counts their errors as they are', async () => {
    const exact = answersOf(tilted, 500);
    // Nothing but noise beside an exact answer: a risk that took the exact answer for a noisy one would not reward its fit.
    const measurements: Measurement[] = [
      { query: queries[0], values: exact[0], noise: { kind: 'none', scale: 0 } },
      { ...measured(exact, 1)[3], noise: { kind: 'gaussian', scale: 40 } },
    ];
    const fit = await estimateReweightedHouseholds(support, measurements, {
      random: seeded(1),
      threads: 1,
      total: 500,
    });
    const error = (weights: ArrayLike<number>): number =>
      Math.max(...answersOf(weights, 500)[0].map((answer, i) => Math.abs(answer - exact[0][i])));
    expect(error(fit.support.weights)).toBeLessThan(0.5 * error(start));
  });
});
