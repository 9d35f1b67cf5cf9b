import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { supportOf } from '../../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { attributesOf } from '../../query/answer.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type Design, designFor } from './design.js';
import { splitBudget, squaredError } from './split-budget.js';

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
  });

describe('what is measured beside a public table', () => {
  it('is attributes alone with little budget, small pairs first with more, and all pairs with much, within the budget', () => {
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
    const some = [0.03, 0.1, 0.3]
      .map((epsilon) => design({ epsilon, delta: 1e-9 }, 5000))
      .find(({ pairs }) => pairs > 0 && pairs < 10)!;
    const pairs = some.queries.map((query) => attributesOf(query).join('')).filter((name) => name.length === 2);
    expect(pairs).toContain('ac');
    expect(pairs).not.toContain('bd');
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
    least: fc.constantFrom(0, 0.05),
  });
  fc.assert(
    fc.property(fc.array(member, { minLength: 3, maxLength: 6 }), fc.nat(), (members, seed) => {
      const sets = members.slice(2).map((_, i) => [0, 1, i + 2]);
      const errorOf = (parts: ArrayLike<number>): number =>
        sets.reduce(
          (sum, set) => sum + Math.sqrt(set.reduce((all, i) => all + squaredError(members[i], parts[i]), 0)),
          0,
        );
      const found = splitBudget(members, sets);
      expect(found.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 6);
      expect(members.every(({ least }, i) => found[i] >= least)).toBe(true);
      const draw = seeded(seed);
      const free = 1 - members.reduce((sum, { least }) => sum + least, 0);
      for (let trial = 0; trial < 50; trial++) {
        // Near what was found, and anywhere.
        const pulls = members.map(({ least }, i) =>
          trial % 2 ? uniform(draw) ** 3 : (found[i] - least) * Math.exp(uniform(draw) - 0.5),
        );
        const sum = pulls.reduce((all, pull) => all + pull, 0);
        const other = members.map(({ least }, i) => least + (sum === 0 ? 0 : (free * pulls[i]) / sum));
        expect(errorOf(found)).toBeLessThanOrEqual(errorOf(other) * (1 + 1e-3));
      }
    }),
    { numRuns: 60 },
  );
});
