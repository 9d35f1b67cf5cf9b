import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { cellsOf } from '../../domain/domain.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { attributesOf } from '../../query/answer.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type Design, designFor } from './design.js';
import { splitBudget, squaredError, toldParts } from './split-budget.js';

const domain = plainDomain([2, 12, 3, 12, 4]);
const random = seeded(1);
const rows = Array.from({ length: 2000 }, () => domain.attributes.map(({ size }) => uniformInteger(random, size)));
const prior = supportOf(plainTable(domain, rows));

const design = (budget: BudgetRequest, records = 20_000): Design =>
  designFor(planningDoor({ domain, budget: budgetOf(budget) }), prior, {
    share: 1,
    records,
    publicRecords: rows.length,
    maxCells: 1000,
    degree: 3,
  });

describe('what is measured beside a public table', () => {
  it('is attributes alone with little budget and all pairs with much, within the budget, and the more of them the larger it is', () => {
    for (const more of [{}, { delta: 1e-9 }]) {
      const designs = [0.003, 0.03, 0.3, 3, 30].map((epsilon) => design({ epsilon, ...more }));
      expect(designs[0].pairs).toBe(0);
      expect(designs[0].queries).toHaveLength(5);
      expect(designs[4].pairs).toBe(10);
      designs.slice(1).forEach((one, i) => {
        expect(one.pairs).toBeGreaterThanOrEqual(designs[i].pairs);
        expect(one.alone).toBeLessThan(designs[i].alone + 1e-9);
      });
      for (const { weights, queries } of designs) {
        const sum = weights.reduce((all, weight) => all + weight, 0);
        expect(sum).toBeGreaterThan(0.95);
        expect(sum).toBeLessThan(1 + 1e-9);
        expect(weights).toHaveLength(queries.length);
      }
    }
  });

  it('leaves no pair out once pairs have a part worth speaking of: half of it goes by their sizes', () => {
    const { queries, weights, pairs, alone } = design({ epsilon: 0.3, delta: 1e-9 });
    expect(alone).toBeLessThan(0.98);
    expect(pairs).toBe(10);
    const cells = queries.map((query) => cellsOf(domain, attributesOf(query)));
    const isPair = queries.map((query) => attributesOf(query).length === 2);
    const roots = cells.reduce((sum, count, i) => (isPair[i] ? sum + Math.cbrt(count) : sum), 0);
    weights.forEach((weight, i) => {
      if (isPair[i]) expect(weight).toBeGreaterThan((0.49 * (1 - alone) * Math.cbrt(cells[i])) / roots);
    });
  });

  it('has what triples have beyond their pairs where the budget is so large that noise misplaces less of it than few public rows do, and stays within its limits', () => {
    const few = supportOf(plainTable(domain, rows.slice(0, 200)));
    const of = (epsilon: number, from: Support, more: object = { delta: 1e-9 }, degree = 3): Design =>
      designFor(planningDoor({ domain, budget: budgetOf({ epsilon, ...more }) }), from, {
        share: 1,
        records: 50_000,
        publicRecords: from === few ? 200 : rows.length,
        maxCells: 1000,
        degree,
      });
    expect(of(0.03, prior).triples).toBe(0);
    expect(of(0.03, prior).ofTriples).toBe(0);
    const { queries, weights, triples, ofTriples, alone } = of(10, few);
    expect(triples).toBe(10);
    expect(ofTriples).toBeGreaterThan(of(3, few).ofTriples);
    expect(alone).toBeGreaterThan(0);
    // Residuals of each set once, whose parts are those of the whole budget.
    expect(new Set(queries.map((query) => attributesOf(query).join())).size).toBe(queries.length);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 1);
    const inTriples = weights.filter((_, i) => attributesOf(queries[i]).length === 3);
    expect(inTriples.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(ofTriples, 2);
    // Laplace noise goes with no residual.
    expect(of(10, few, {}).triples).toBe(0);
    expect(of(10, few, { delta: 1e-9 }, 2).triples).toBe(0);
  });

  it('measures at most as many triples as a fit can bear, those that promise most', () => {
    const wide = plainDomain(Array.from({ length: 16 }, (_, i) => 2 + (i % 3)));
    const draw = seeded(2);
    const table = plainTable(
      wide,
      Array.from({ length: 100 }, () => wide.attributes.map(({ size }) => uniformInteger(draw, size))),
    );
    const door = planningDoor({ domain: wide, budget: budgetOf({ epsilon: 100, delta: 1e-9 }) });
    const options = { share: 1, records: 1_000_000, publicRecords: 100, maxCells: 1000, degree: 3 };
    const { triples, queries } = designFor(door, supportOf(table), options);
    expect(triples).toBe(400);
    const cells = (attributes: number): number[] =>
      queries.map(attributesOf).flatMap((set) => (set.length === attributes ? [cellsOf(wide, set)] : []));
    const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
    // 560 triples have 28.6 cells in the mean; larger ones are those of which few public rows say least.
    expect(mean(cells(3))).toBeGreaterThan(29);
    const small = designFor(door, supportOf(table), { ...options, maxCells: 16 }).queries.map(attributesOf);
    expect(small.some((set) => set.length === 3)).toBe(true);
    for (const set of small) expect(cellsOf(wide, set)).toBeLessThanOrEqual(16);
    // More attributes than triples can be thought of have none.
    const wider = plainDomain(Array.from({ length: 28 }, () => 2));
    const rowsOfTwo = plainTable(wider, [wider.attributes.map(() => 0), wider.attributes.map(() => 1)]);
    const most = planningDoor({ domain: wider, budget: budgetOf({ epsilon: 100, delta: 1e-9 }) });
    expect(designFor(most, supportOf(rowsOfTwo), options).triples).toBe(0);
  });

  it('is more of the pairs the more records there are, and every attribute whatever the noise', () => {
    const [few, many] = [1000, 1_000_000].map((records) => design({ epsilon: 0.1, delta: 1e-9 }, records));
    expect(few.pairs).toBeLessThan(many.pairs);
    for (const { queries } of [few, many])
      expect(queries.filter((query) => attributesOf(query).length === 1)).toHaveLength(5);
  });
});

it('splitBudget: no split of the budget that is tried at random leaves less to be wrong', () => {
  const member = fc.record({
    noise: fc.double({ min: 1e-4, max: 10, noNaN: true }),
    gap: fc.double({ min: 1e-3, max: 10, noNaN: true }),
  });
  const rates = fc.constantFrom(0, 0.1, 0.7, 2);
  fc.assert(
    fc.property(fc.array(member, { minLength: 3, maxLength: 6 }), rates, fc.nat(), (members, rate, seed) => {
      const sets = members.slice(2).map((_, i) => [0, 1, i + 2]);
      const tellings = sets.flatMap(([a, b, by]) => [
        { by, about: a, rate },
        { by, about: b, rate: rate / 2 },
      ]);
      const errorOf = (parts: ArrayLike<number>): number => {
        const told = toldParts(parts, tellings);
        return sets.reduce(
          (sum, set) => sum + Math.sqrt(set.reduce((all, i) => all + squaredError(members[i], told[i]), 0)),
          0,
        );
      };
      const found = splitBudget(members, sets, tellings);
      expect(found.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 6);
      const draw = seeded(seed);
      for (let trial = 0; trial < 50; trial++) {
        // Near what was found, and anywhere.
        const pulls = members.map((_, i) =>
          trial % 2 ? uniform(draw) ** 3 : found[i] * Math.exp(uniform(draw) - 0.5),
        );
        const sum = pulls.reduce((all, pull) => all + pull, 0);
        expect(errorOf(found)).toBeLessThanOrEqual(errorOf(pulls.map((pull) => pull / sum)) * (1 + 1e-3));
      }
    }),
    { numRuns: 60 },
  );
});

it('a set that counts more leaves less to be wrong', () => {
  const members = [
    { noise: 1, gap: 1 },
    { noise: 1, gap: 1 },
  ];
  const [even, uneven] = [
    [1, 1],
    [4, 1],
  ].map((counts) => splitBudget(members, [[0], [1]], [], counts));
  expect(even[0]).toBeCloseTo(0.5, 6);
  expect(uneven[0]).toBeGreaterThan(0.6);
});

it('a pair gets more where it also tells its attributes', () => {
  const members = [
    { noise: 1, gap: 1 },
    { noise: 1, gap: 1 },
    { noise: 5, gap: 0.5 },
  ];
  const tellings = [
    { by: 2, about: 0, rate: 0.8 },
    { by: 2, about: 1, rate: 0.8 },
  ];
  const [silent, telling] = [[], tellings].map((list) => splitBudget(members, [[0, 1, 2]], list));
  expect(silent[2]).toBeLessThan(0.01);
  expect(telling[2]).toBeGreaterThan(0.5);
});
