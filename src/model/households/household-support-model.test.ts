import { describe, expect, it } from 'vitest';
import { type Household, householdAnswers, householdDomain, householdTable } from '../../../test/support/households.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { type Counted, holding, holdingCell } from '../../query/holding.js';
import { marginal, total } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { householdSupportModel } from './household-support-model.js';
import { checkWeightedHouseholds, openWeightedHouseholds } from './weighted-households.js';

const domain = householdDomain([3, 2], [2, 3], 4, true);
const random = seeded(15);
const code = (size: number) => uniformInteger(random, size);
const listed: Household[] = Array.from({ length: 25 }, () => ({
  own: [code(3), code(2)],
  persons: Array.from({ length: 1 + code(4) }, () => [code(2), code(3)]),
}));

const table = householdTable(domain, listed);
const raw = Float64Array.from(listed, () => uniform(random));
const sum = raw.reduce((all, weight) => all + weight);
const weights = raw.map((weight) => weight / sum);
const model = householdSupportModel({ table, weights }, 1000);

/** Answers by definition: those of each household alone, by its weight. */
const weighted = (query: Query, times: number): number[] => {
  const each = listed.map((household) => householdAnswers(query, domain, [household]));
  return Array.from(each[0], (_, cell) =>
    each.reduce((all, answers, h) => all + times * weights[h] * answers[cell], 0),
  );
};

const counted: Counted[] = [
  holding('g', 'a', 'b'),
  marginal('g', 'a', 'b'),
  holding('b', 'h'),
  holding('g'),
  holding('size', 'a'),
  marginal('b'),
  holding(),
  marginal(),
];

describe('a model of weighted households', () => {
  it('answers what counts persons and what counts households as each household alone does, by its weight', () => {
    const others: Query[] = [
      total(),
      prefix('b'),
      holdingCell(['g', 'a', 'b'], 7),
      factored({ a: { kind: 'value', cell: 1 }, g: { kind: 'keep' }, b: { kind: 'set', cells: [0, 2] } }),
    ];
    for (const query of [...counted, ...others])
      expect([...model.answer(query)], JSON.stringify(query)).toEqual(
        weighted(query, 1000).map((answer) => expect.closeTo(answer, 9)),
      );
    expect([...model.marginal(['h', 'a'])]).toEqual(
      weighted(marginal('h', 'a'), 1000).map((a) => expect.closeTo(a, 9)),
    );
  });

  it('says how many households and persons there are', () => {
    expect(model.householdTotal).toBe(1000);
    expect(model.answer(holding())[0]).toBeCloseTo(1000, 9);
    expect(model.total).toBeCloseTo(weighted(total(), 1000)[0], 9);
  });

  it('draws whole households, each kind as often as its weight says to within one', () => {
    const drawn = model.households(500, seeded(3));
    expect(drawn.offsets.length).toBe(501);
    expect(drawn.offsets[500]).toBe(drawn.length);
    const textOf = (of: HouseholdTable, h: number) =>
      JSON.stringify(of.columns.map((column) => [...column.subarray(of.offsets[h], of.offsets[h + 1])]));
    const counts = new Map<string, number>();
    for (let h = 0; h < 500; h++) counts.set(textOf(drawn, h), (counts.get(textOf(drawn, h)) ?? 0) + 1);
    const expected = new Map<string, number[]>();
    listed.forEach((_, h) => {
      expected.set(textOf(table, h), [...(expected.get(textOf(table, h)) ?? []), 500 * weights[h]]);
    });
    for (const text of counts.keys()) expect(expected.has(text)).toBe(true);
    for (const [text, means] of expected)
      expect(Math.abs((counts.get(text) ?? 0) - means.reduce((a, b) => a + b))).toBeLessThan(means.length + 1e-9);
    // In another order than they are listed in.
    expect(textOf(drawn, 0) === textOf(drawn, 1) && textOf(drawn, 1) === textOf(drawn, 2)).toBe(false);
    expect(model.households(0, seeded(1)).length).toBe(0);
  });

  it('refuses weights that are not one a household, and queries that its domain does not have', () => {
    expect(() => householdSupportModel({ table, weights: weights.slice(1) }, 10)).toThrow(/one for each/);
    expect(() => model.answer(holding('z'))).toThrow(/must be among/);
    expect(() => model.answer(holdingCell(['g'], 3))).toThrow(/from 0 to 2, got 3/);
  });
});

describe('households in kernel memory', () => {
  it('have the sums that their definitions say, for all queries at once and after new weights', async () => {
    const opened = await openWeightedHouseholds(table, counted, { threads: 1 });
    for (const scale of [1, 3]) {
      await opened.scatter(weights.map((weight) => weight * scale));
      for (const [q, query] of counted.entries())
        expect([...opened.sums(q)]).toEqual(weighted(query, scale).map((answer) => expect.closeTo(answer, 12)));
    }
    opened.close();
  });

  it('name the households of a cell and how often each counts', async () => {
    const opened = await openWeightedHouseholds(table, counted, { threads: 1 });
    for (const [q, query] of counted.entries())
      for (const cell of opened.sums(q).keys()) {
        const { households, counts } = opened.inCell(q, cell);
        const found = new Map([...households].map((h, i) => [h, counts[i]]));
        expect(listed.map((household) => householdAnswers(query, domain, [household])[cell])).toEqual(
          listed.map((_, h) => found.get(h) ?? 0),
        );
      }
    opened.close();
  });

  it('are refused before anything is loaded where they would not fit', () => {
    expect(() => checkWeightedHouseholds({ domain, length: 2e8 }, counted)).toThrow(/fit 3.5 GB .* got a need of/);
    expect(() => checkWeightedHouseholds({ domain, length: Infinity }, counted)).toThrow(/3.5 GB/);
  });
});
