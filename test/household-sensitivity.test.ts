import { describe, expect, it } from 'vitest';
import { cellsOf, type Domain } from '../src/domain/domain.js';
import { holding, holdingCell } from '../src/query/holding.js';
import { marginal, total } from '../src/query/marginal.js';
import { factored, prefix, type Query } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { batchSensitivity, type Sensitivity, sensitivity } from '../src/query/sensitivity/sensitivity.js';
import type { Unit } from '../src/query/unit.js';
import { allCodes, allHouseholds, type Household, householdAnswers, householdDomain } from './support/households.js';

/** Household and person attributes, the largest size, and whether the size is an attribute. */
const shapes: { household: number[]; person: number[]; maxSize: number; size?: boolean }[] = [
  { household: [2], person: [2], maxSize: 1 },
  { household: [2], person: [3], maxSize: 2 },
  { household: [1], person: [2], maxSize: 2 },
  { household: [1], person: [5], maxSize: 2 },
  { household: [3], person: [2], maxSize: 3 },
  { household: [2], person: [1], maxSize: 3 },
  { household: [2, 2], person: [2, 2], maxSize: 2 },
  { household: [], person: [7], maxSize: 3 },
  { household: [], person: [2], maxSize: 2, size: true },
  { household: [], person: [5], maxSize: 2, size: true },
  { household: [2], person: [3], maxSize: 3, size: true },
  { household: [2], person: [2], maxSize: 1, size: true },
];

const named = shapes.map((shape) => ({
  ...shape,
  name: `${shape.household.join('x') || 'none'} | ${shape.person.join('x')}, up to ${shape.maxSize}${shape.size ? ', sized' : ''}`,
}));

type Sizes = Omit<Sensitivity, 'exact'>;

const worstOf = (pairs: Iterable<readonly [ArrayLike<number>, ArrayLike<number>]>): Sizes => {
  let worst = { l1: 0, l2: 0, lInf: 0 };
  for (const [one, other] of pairs) {
    const changes = Array.from(one, (value, i) => Math.abs(value - other[i]));
    worst = {
      l1: Math.max(
        worst.l1,
        changes.reduce((a, b) => a + b, 0),
      ),
      l2: Math.max(
        worst.l2,
        changes.reduce((a, b) => a + b * b, 0),
      ),
      lInf: Math.max(worst.lInf, ...changes),
    };
  }
  return { l1: worst.l1, l2Squared: BigInt(worst.l2), lInf: worst.lInf };
};

/** All households that can stand for one another when what is said of one person changes. */
const withOneChanged = ({ own, persons }: Household, person: readonly number[]): Household[] =>
  persons.flatMap((_, place) =>
    allCodes(person).map((codes) => ({ own, persons: persons.map((kept, i) => (i === place ? codes : kept)) })),
  );

type Shape = (typeof shapes)[number];

/** Every pair of neighbours that differ in one unit: the tables around it, of `others`, are both's. */
function* neighbours(
  { household, person, maxSize }: Shape,
  unit: Unit,
  relation: Relation,
  others: readonly Household[] = [],
): Generator<readonly [Household[], Household[]]> {
  const all = allHouseholds(household, person, maxSize);
  for (const one of all) {
    if (unit.kind === 'person')
      for (const other of withOneChanged(one, person))
        yield [
          [...others, one],
          [...others, other],
        ];
    else {
      // A household that was left out for its size is as good as none.
      yield [[...others, one], [...others]];
      if (relation === 'replace-one')
        for (const other of all)
          yield [
            [...others, one],
            [...others, other],
          ];
    }
  }
}

const observed = (
  queries: readonly Query[],
  domain: Domain,
  shape: Shape,
  unit: Unit,
  relation: Relation,
  others?: readonly Household[],
): Sizes => {
  const answers = (table: Household[]) => queries.flatMap((query) => [...householdAnswers(query, domain, table)]);
  const pairs = function* () {
    for (const [one, other] of neighbours(shape, unit, relation, others)) yield [answers(one), answers(other)] as const;
  };
  return worstOf(pairs());
};

const settings = (maxSize: number): { unit: Unit; relation: Relation }[] => [
  { unit: { kind: 'household', column: 'key', maxRecords: maxSize }, relation: 'add-remove' },
  { unit: { kind: 'household', column: 'key', maxRecords: maxSize }, relation: 'replace-one' },
  { unit: { kind: 'person', maxRecords: 1 }, relation: 'replace-one' },
];

const subsets = (names: readonly string[]): string[][] =>
  Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_, i) => (bits >> i) % 2 === 1));

const sizesOnly = ({ l1, l2Squared, lInf }: Sensitivity): Sizes => ({ l1, l2Squared, lInf });

/** The claim is what neighbours show; where it says that it is a bound, no more than it. */
const expectClaim = (claimed: Sensitivity, found: Sizes, what: unknown): void => {
  if (claimed.exact) expect({ what, ...sizesOnly(claimed) }).toEqual({ what, ...found });
  else
    for (const norm of ['l1', 'l2Squared', 'lInf'] as const)
      expect(Number(found[norm]), JSON.stringify(what)).toBeLessThanOrEqual(Number(claimed[norm]));
};

describe.each(named)('with households $name', (shape) => {
  const { household, person, maxSize, size = false } = shape;
  const domain = householdDomain(household, person, maxSize, size);
  const names = domain.attributes.map(({ name }) => name);

  it('every count of households has exactly the sensitivity that all neighbours show, for both units', () => {
    for (const { unit, relation } of settings(maxSize))
      for (const attributes of subsets(names)) {
        const query = holding(...attributes);
        const claimed = sensitivity(query, domain, relation, unit);
        expect(claimed.exact).toBe(true);
        expectClaim(claimed, observed([query], domain, shape, unit, relation), { attributes, unit, relation });
      }
  });

  it('every single cell of it has exactly the sensitivity that all neighbours show, for both units', () => {
    for (const { unit, relation } of settings(maxSize))
      for (const attributes of subsets(names))
        for (let cell = 0; cell < Math.min(6, cellsOf(domain, attributes)); cell++) {
          const query = holdingCell(attributes, cell);
          const claimed = sensitivity(query, domain, relation, unit);
          expect(claimed.exact).toBe(true);
          expectClaim(claimed, observed([query], domain, shape, unit, relation), { attributes, cell, unit, relation });
        }
  });

  it('every count of persons has the sensitivity that all neighbours show, for both units', () => {
    for (const { unit, relation } of settings(maxSize))
      for (const attributes of subsets(names)) {
        const query = marginal(...attributes);
        const claimed = sensitivity(query, domain, relation, unit);
        if (unit.kind === 'person' || !attributes.includes('size')) expect(claimed.exact).toBe(true);
        expectClaim(claimed, observed([query], domain, shape, unit, relation), { attributes, unit, relation });
      }
  });
});

const small = shapes[6];
const domain = householdDomain(small.household, small.person, small.maxSize);

it('other linear queries of persons have exactly the sensitivity that all neighbours show, for both units', () => {
  const queries: Query[] = [
    total(),
    prefix('a'),
    prefix('g'),
    factored({ g: { kind: 'prefix' }, a: { kind: 'prefix' } }),
    factored({ g: { kind: 'mean' }, b: { kind: 'moments', count: 2 } }),
    factored({ a: { kind: 'value', cell: 1 }, h: { kind: 'keep' }, b: { kind: 'prefix' } }),
    factored({
      g: { kind: 'matrix', rows: [[3, -2]] },
      a: {
        kind: 'matrix',
        rows: [
          [1, -1],
          [0, 4],
        ],
      },
    }),
    {
      kind: 'dense',
      attributes: ['g', 'a'],
      rows: [
        [1, 0, -2, 5],
        [0, 3, 1, 1],
      ],
    },
    { kind: 'dense', attributes: ['a', 'b'], rows: [[1, 0, -2, 5]] },
    { kind: 'dense', attributes: ['h'], rows: [[1, 7]] },
  ];
  for (const { unit, relation } of settings(small.maxSize))
    for (const query of queries) {
      const claimed = sensitivity(query, domain, relation, unit);
      const mixed = query.kind === 'dense' && query.attributes.length === 2 && query.attributes[0] === 'g';
      expect(claimed.exact).toBe(!(mixed && unit.kind === 'person'));
      expectClaim(claimed, observed([query], domain, small, unit, relation), { query, unit, relation });
    }
});

it('households that both neighbours have change nothing, since every answer is a sum over households', () => {
  const shape = shapes[1];
  const own = householdDomain(shape.household, shape.person, shape.maxSize);
  const others = allHouseholds(shape.household, shape.person, shape.maxSize);
  for (const { unit, relation } of settings(shape.maxSize))
    for (const query of [holding('g', 'a'), marginal('g', 'a'), holding('a'), holding()])
      for (const other of others)
        expect(observed([query], own, shape, unit, relation, [other])).toEqual(
          observed([query], own, shape, unit, relation),
        );
});

it('a batch moves by no more than the sums say, and marginals of persons together by exactly that', () => {
  const batches: Query[][] = [
    [holding('g', 'a'), marginal('g', 'a')],
    [holding(), holding('g'), holding('a', 'b')],
    [holding('a'), holding('b'), marginal('g'), marginal()],
    [marginal('g', 'a'), marginal('h', 'b')],
  ];
  for (const { unit, relation } of settings(small.maxSize))
    for (const batch of batches) {
      const claimed = batchSensitivity(batch, domain, relation, unit);
      const each = batch.map((query) => sensitivity(query, domain, relation, unit));
      if (relation === 'add-remove') expect(claimed.l1).toBe(each.reduce((sum, { l1 }) => sum + l1, 0));
      expectClaim(claimed, observed(batch, domain, small, unit, relation), { batch, unit, relation });
    }
  const people = batchSensitivity(batches[3], domain, 'add-remove', settings(2)[0].unit);
  expect(people).toEqual({ l1: 4, l2Squared: 8n, lInf: 2, exact: true });
});

it('scores move by no more than the answers, and by as much when the reference is one of them', () => {
  for (const { unit, relation } of settings(small.maxSize))
    for (const query of [holding('g', 'a'), holding('a', 'b'), marginal('g', 'a')]) {
      const claimed = sensitivity(query, domain, relation, unit);
      let [most, largest] = [0, 0];
      const tables = [...neighbours(small, unit, relation)].map((pair) =>
        pair.map((table) => householdAnswers(query, domain, table)),
      );
      const references = [tables[0][0], tables[tables.length >> 1][1], new Float64Array(tables[0][0].length).fill(0.5)];
      for (const [one, other] of tables)
        for (const reference of [...references, other]) {
          const far = (answers: Float64Array) => Array.from(answers, (value, i) => Math.abs(value - reference[i]));
          const sum = (errors: number[]) => errors.reduce((a, b) => a + b, 0);
          most = Math.max(most, Math.abs(sum(far(one)) - sum(far(other))));
          largest = Math.max(largest, Math.abs(Math.max(...far(one)) - Math.max(...far(other))));
        }
      expect({ most, largest }).toEqual({ most: claimed.l1, largest: claimed.lInf });
    }
});

describe('a count of households is refused in one sentence', () => {
  const flat: Domain = { attributes: domain.attributes };

  it('by a domain that declares none', () => {
    expect(() => sensitivity(holding('g'), flat, 'add-remove', 1)).toThrow(
      'query: households can be counted in a table that declares them, and not within groups of it, got g; ask for the marginal, which counts rows',
    );
  });

  it('where rows or ids are protected', () => {
    expect(() => sensitivity(holding('g'), domain, 'add-remove', { kind: 'row', maxRecords: 1 })).toThrow(
      'query: households can be counted where a household or a person is protected, got a row; protect a household',
    );
  });
});
