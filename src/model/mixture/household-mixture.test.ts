import { describe, expect, it } from 'vitest';
import { allCodes, type Household, householdAnswers, householdDomain } from '../../../test/support/households.js';
import { holding, holdingCell } from '../../query/holding.js';
import { marginal, total } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { householdHeads } from '../households/household-heads.js';
import { householdMixture } from './household-mixture.js';

const [household, person, maxSize] = [[2, 3], [2, 2], 3];
const domain = householdDomain(household, person, maxSize, true);
const { sizes } = householdHeads(domain);
const random = seeded(8);
const components = Array.from({ length: 3 }, () =>
  sizes.map((size) => {
    const odds = Array.from({ length: size }, () => uniform(random) ** 3);
    const sum = odds.reduce((all, one) => all + one, 0);
    return odds.map((one) => one / sum);
  }),
);
const probabilities = Float32Array.from(components.flat(2));
const model = householdMixture(domain, probabilities, 500);

/** Every household with ordered persons, and its probability. */
const kinds = allCodes(person);
const listed = allCodes(household).flatMap((own) =>
  [1, 2, 3].flatMap((size) =>
    allCodes(new Array<number>(size).fill(kinds.length)).map((members) => {
      const persons = members.map((kind) => kinds[kind]);
      const chance = components.reduce((sum, [bySize, ...heads]) => {
        const codes = [...own, ...persons.flat()];
        return sum + codes.reduce((product, code, i) => product * heads[i][code], bySize[size - 1]) / 3;
      }, 0);
      return { home: { own, persons } satisfies Household, chance };
    }),
  ),
);
const byDefinition = (query: Query): number[] => {
  const sums = householdAnswers(query, domain, [listed[0].home]).fill(0);
  for (const { home, chance } of listed)
    householdAnswers(query, domain, [home]).forEach((count, cell) => {
      sums[cell] += 500 * chance * count;
    });
  return [...sums];
};

const queries: Query[] = [
  holding('g', 'a', 'b'),
  marginal('g', 'a', 'b'),
  holding('b', 'h'),
  marginal('a', 'size', 'g'),
  holding('size', 'b', 'h'),
  holding('g', 'h'),
  holding('size'),
  marginal('size', 'h'),
  holding(),
  total(),
  holdingCell(['g', 'b', 'size'], 7),
  holdingCell(['a', 'b'], 2),
  prefix('h'),
  factored({ a: { kind: 'value', cell: 1 }, g: { kind: 'keep' }, size: { kind: 'set', cells: [0, 2] } }),
  factored({ h: { kind: 'set', cells: [0, 2] }, b: { kind: 'value', cell: 0 }, a: { kind: 'keep' } }),
];

describe('a mixture of product distributions of households', () => {
  it('answers what counts persons and what counts households as all households do, each by its probability', () => {
    for (const query of queries)
      expect([...model.answer(query)], JSON.stringify(query)).toEqual(
        byDefinition(query).map((answer) => expect.closeTo(answer, 4)),
      );
    expect([...model.marginal(['b', 'g'])]).toEqual(
      byDefinition(marginal('b', 'g')).map((answer) => expect.closeTo(answer, 4)),
    );
    expect(model.householdTotal).toBe(500);
    expect(model.total).toBeCloseTo(byDefinition(total())[0], 4);
  });

  it('draws households that answer as it does, in which everything agrees', () => {
    const count = 100_000;
    const drawn = model.households(count, seeded(4));
    expect(drawn.offsets).toHaveLength(count + 1);
    expect(drawn.offsets[count]).toBe(drawn.length);
    const [g, h, a, b, size] = drawn.columns;
    const homes: Household[] = [];
    for (let home = 0; home < count; home++) {
      const [from, to] = [drawn.offsets[home], drawn.offsets[home + 1]];
      const rows = Array.from({ length: to - from }, (_, i) => from + i);
      if (!rows.every((row) => g[row] === g[from] && h[row] === h[from] && size[row] === to - from - 1))
        expect.fail(`household ${home} contradicts itself`);
      homes.push({ own: [g[from], h[from]], persons: rows.map((row) => [a[row], b[row]]) });
    }
    expect(homes.every(({ persons }) => persons.length >= 1 && persons.length <= maxSize)).toBe(true);
    const kept = new Map<string, { home: Household; times: number }>();
    for (const home of homes) {
      const key = JSON.stringify(home);
      kept.set(key, { home, times: (kept.get(key)?.times ?? 0) + 1 });
    }
    // Hoeffding for independent draws of counts from 0 to 3: off by 0.03 a household with a chance of 2 exp(-2 n (0.03 / 3)^2) < 1e-8; these deviate less.
    for (const query of queries) {
      const sums = householdAnswers(query, domain, [homes[0]]).fill(0);
      for (const { home, times } of kept.values())
        householdAnswers(query, domain, [home]).forEach((one, cell) => {
          sums[cell] += one * times;
        });
      model.answer(query).forEach((answer, cell) => {
        expect(Math.abs(sums[cell] / count - answer / 500), JSON.stringify([query, cell])).toBeLessThan(0.03);
      });
    }
    expect(model.households(0, seeded(1)).length).toBe(0);
  });

  it('refuses probabilities that are none, and what its domain does not have', () => {
    expect(() => householdMixture(domain, probabilities.slice(1), 10)).toThrow(/20 probabilities a component, got 59/);
    expect(() =>
      householdMixture(
        domain,
        probabilities.map((p) => 2 * p),
        10,
      ),
    ).toThrow(/of "number of persons" must add up to 1/);
    expect(() => model.answer(holding('z'))).toThrow(/must be among/);
    expect(() => householdMixture({ ...domain, households: undefined }, probabilities, 10)).toThrow(/must declare/);
  });
});
