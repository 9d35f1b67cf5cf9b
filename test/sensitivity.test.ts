import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../src/domain/domain.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import type { Block } from '../src/query/block/block.js';
import { marginal, total } from '../src/query/marginal.js';
import { factored, prefix, type Query, range } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { batchSensitivity, type Sensitivity, sensitivity } from '../src/query/sensitivity/sensitivity.js';
import { allRanges } from '../src/query/workload/range-workloads.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { arbitraryBlock, arbitraryDomain, arbitraryQuery, domainOf } from './support/arbitrary-query.js';
import { allRows, countRows, type Row, rowAnswers } from './support/row-answers.js';

const relations: readonly Relation[] = ['add-remove', 'replace-one'];

type Sizes = Omit<Sensitivity, 'exact'>;

/** All multisets of `low` to `high` of the items. */
const multisets = <T>(items: readonly T[], low: number, high: number): T[][] => {
  const grow = (from: number, left: number): T[][] =>
    left === 0 ? [[]] : items.slice(from).flatMap((item, i) => grow(from + i, left - 1).map((rest) => [item, ...rest]));
  return Array.from({ length: high - low + 1 }, (_, i) => grow(0, low + i)).flat();
};

/** Everything one unit may be. Under replace-one with one row a unit, n is public and every unit is exactly one row. */
const unitsOf = (domain: Domain, relation: Relation, maxRecords: number): Row[][] =>
  multisets(allRows(domain), relation === 'replace-one' && maxRecords === 1 ? 1 : 0, maxRecords);

const larger = (sizes: Sizes, a: ArrayLike<number>, b: ArrayLike<number>): Sizes => {
  let [l1, l2, lInf] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const change = Math.abs(a[i] - b[i]);
    l1 += change;
    l2 += change * change;
    if (change > lInf) lInf = change;
  }
  if (l1 <= sizes.l1 && l2 <= Number(sizes.l2Squared) && lInf <= sizes.lInf) return sizes;
  return {
    l1: Math.max(l1, sizes.l1),
    l2Squared: BigInt(Math.max(l2, Number(sizes.l2Squared))),
    lInf: Math.max(lInf, sizes.lInf),
  };
};

const none: Sizes = { l1: 0, l2Squared: 0n, lInf: 0 };

/**
 * Visits the answers on all pairs of neighbours with at most `maxUnits` units: every table is written out, counted, and
 * answered with the software's own `answerFrom`, as a session would.
 */
const visitNeighbours = (
  queries: readonly Query[],
  domain: Domain,
  { relation, maxRecords, maxUnits }: { relation: Relation; maxRecords: number; maxUnits: number },
  visit: (one: Float64Array, other: Float64Array) => void,
): void => {
  const units = unitsOf(domain, relation, maxRecords);
  const answers = (table: readonly Row[][]) =>
    Float64Array.from(
      queries.flatMap((query) => [...answerFrom(query, domain, countRows(domain, attributesOf(query), table.flat()))]),
    );
  for (const others of multisets(units, 0, maxUnits - 1)) {
    const withUnit = units.map((unit) => answers([...others, unit]));
    const before = relation === 'add-remove' ? [answers(others)] : withUnit;
    for (const one of before) for (const other of withUnit) visit(one, other);
  }
};

/** The largest changes over all pairs of neighbouring tables. */
const overTables = (
  queries: readonly Query[],
  domain: Domain,
  relation: Relation,
  maxRecords: number,
  maxUnits: number,
) => {
  let worst = none;
  visitNeighbours(queries, domain, { relation, maxRecords, maxUnits }, (one, other) => {
    worst = larger(worst, one, other);
  });
  return worst;
};

/** The same without the units that both neighbours share: answers are linear, so those cancel. */
const overUnits = (queries: readonly Query[], domain: Domain, relation: Relation, maxRecords: number): Sizes => {
  const width = queries.reduce((sum, query) => sum + rowAnswers(query, domain, allRows(domain)[0]).length, 0);
  const contributions = new Map<string, number[]>();
  const columns = new Map(
    allRows(domain).map((row) => [row.join(), queries.flatMap((query) => rowAnswers(query, domain, row))]),
  );
  for (const unit of unitsOf(domain, relation, maxRecords)) {
    const sum: number[] = new Array(width).fill(0);
    for (const row of unit) for (const [i, value] of columns.get(row.join())!.entries()) sum[i] += value;
    contributions.set(sum.join(), sum);
  }
  const all = [...contributions.values()];
  let worst = none;
  if (relation === 'add-remove') {
    const nothing = new Float64Array(width);
    for (const one of all) worst = larger(worst, one, nothing);
  } else for (let i = 0; i < all.length; i++) for (let j = 0; j < i; j++) worst = larger(worst, all[i], all[j]);
  return worst;
};

const sizesOnly = ({ l1, l2Squared, lInf }: Sensitivity): Sizes => ({ l1, l2Squared, lInf });

const blocksOf = (size: number): Block[] => [
  { kind: 'keep' },
  { kind: 'sum' },
  { kind: 'value', cell: size - 1 },
  { kind: 'set', cells: [0] },
  { kind: 'set', cells: Array.from({ length: size }, (_, cell) => cell) },
  { kind: 'prefix' },
  { kind: 'ranges', ranges: [[0, size - 1]] },
  {
    kind: 'ranges',
    ranges: [
      [0, 0],
      [0, size - 1],
      [size - 1, size - 1],
      [size - 1, size - 1],
    ],
  },
  { kind: 'regroup', groups: Array.from({ length: size }, (_, cell) => cell % 2), size: 2 },
  { kind: 'regroup', groups: Array.from({ length: size }, () => 1), size: 3 },
  { kind: 'mean' },
  { kind: 'moments', count: 1 },
  { kind: 'moments', count: 3 },
  { kind: 'matrix', rows: [[3, ...new Array<number>(size - 1).fill(-2)]] },
  {
    kind: 'matrix',
    rows: Array.from({ length: 3 }, (_, r) => Array.from({ length: size }, (_, c) => (r - c) * (r + 1))),
  },
];

describe.each(relations)('under %s', (relation) => {
  it.each([1, 2, 3])(
    'every block alone has the sensitivity that all tables of up to three units of %i rows show',
    (maxRecords) => {
      for (const size of [1, 2, 3])
        for (const block of blocksOf(size)) {
          const domain = domainOf(size);
          const query = factored({ a: block });
          const claimed = sensitivity(query, domain, relation, maxRecords);
          expect({ block, ...sizesOnly(claimed) }).toEqual({
            block,
            ...overTables([query], domain, relation, maxRecords, 3),
          });
          expect(claimed.exact).toBe(true);
        }
    },
  );

  it('products of two blocks of every kind have the sensitivity that all tables of two units show', () => {
    const domain = domainOf(2, 2);
    for (const first of blocksOf(2))
      for (const second of blocksOf(2)) {
        const query = factored({ b: first, a: second });
        const claimed = sensitivity(query, domain, relation, 1);
        expect({ query, ...sizesOnly(claimed) }).toEqual({ query, ...overTables([query], domain, relation, 1, 2) });
        expect(claimed.exact).toBe(true);
      }
  });

  it('whole tables show no more and no less than the units in which they differ', () => {
    const domain = domainOf(2, 2);
    for (const query of [marginal('a', 'b'), prefix('a'), factored({ a: { kind: 'mean' }, b: { kind: 'prefix' } })])
      for (const maxRecords of [1, 2])
        expect(overUnits([query], domain, relation, maxRecords)).toEqual(
          overTables([query], domain, relation, maxRecords, 2),
        );
  });

  it('random queries on domains of up to 24 cells have the sensitivity that all units of one row show', () => {
    const setting = arbitraryDomain(24).chain((domain) => fc.tuple(fc.constant(domain), arbitraryQuery(domain)));
    fc.assert(
      fc.property(setting, ([domain, query]) => {
        const claimed = sensitivity(query, domain, relation, 1);
        expect(sizesOnly(claimed)).toEqual(overUnits([query], domain, relation, 1));
        expect(claimed.exact).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('random queries on domains of up to 9 cells have the sensitivity that all units of up to three rows show', () => {
    const setting = arbitraryDomain(9).chain((domain) =>
      fc.tuple(fc.constant(domain), arbitraryQuery(domain), fc.constantFrom(2, 3)),
    );
    fc.assert(
      fc.property(setting, ([domain, query, maxRecords]) => {
        const claimed = sensitivity(query, domain, relation, maxRecords);
        expect(sizesOnly(claimed)).toEqual(overUnits([query], domain, relation, maxRecords));
      }),
      { numRuns: 100 },
    );
  });

  it('products of matrices of both signs, beside blocks of other kinds, have the sensitivity that all units show', () => {
    const signed = (size: number, rows: number) =>
      fc
        .array(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: size, maxLength: size }), {
          minLength: 1,
          maxLength: rows,
        })
        .map((rows): Block => ({ kind: 'matrix', rows }));
    const domain = domainOf(3, 2, 3);
    const setting = fc.tuple(
      signed(3, 4),
      signed(2, 4),
      fc.oneof(signed(3, 3), arbitraryBlock(3)),
      fc.constantFrom(1, 2),
    );
    fc.assert(
      fc.property(setting, ([a, b, c, maxRecords]) => {
        const query = factored({ a, b, c });
        const claimed = sensitivity(query, domain, relation, maxRecords);
        expect(sizesOnly(claimed)).toEqual(overUnits([query], domain, relation, maxRecords));
        expect(claimed.exact).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('a marginal and a prefix on 24 cells have the sensitivity that all units of three rows show', () => {
    const domain = domainOf(4, 3, 2);
    for (const query of [marginal('c', 'a'), factored({ a: { kind: 'prefix' }, b: { kind: 'mean' } })])
      expect(sizesOnly(sensitivity(query, domain, relation, 3))).toEqual(overUnits([query], domain, relation, 3));
  });

  it('batches of marginals attain the sum of their sensitivities', () => {
    const setting = fc.tuple(arbitraryDomain(12), fc.constantFrom(1, 2)).chain(([domain, maxRecords]) =>
      fc.tuple(
        fc.constant({ domain, maxRecords }),
        fc.array(
          fc.shuffledSubarray(domain.attributes.map(({ name }) => name)).map((names) => marginal(...names)),
          { minLength: 1, maxLength: 4 },
        ),
      ),
    );
    fc.assert(
      fc.property(setting, ([{ domain, maxRecords }, batch]) => {
        const claimed = batchSensitivity(batch, domain, relation, maxRecords);
        expect(sizesOnly(claimed)).toEqual(overUnits(batch, domain, relation, maxRecords));
        expect(claimed.exact).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('batches of any queries never move more than claimed, and as much where the claim is exact', () => {
    const setting = fc
      .tuple(arbitraryDomain(9), fc.constantFrom(1, 2))
      .chain(([domain, maxRecords]) =>
        fc.tuple(fc.constant({ domain, maxRecords }), fc.array(arbitraryQuery(domain), { maxLength: 3 })),
      );
    fc.assert(
      fc.property(setting, ([{ domain, maxRecords }, batch]) => {
        const claimed = batchSensitivity(batch, domain, relation, maxRecords);
        const found = overUnits(batch, domain, relation, maxRecords);
        if (claimed.exact) expect(sizesOnly(claimed)).toEqual(found);
        expect(found.l1).toBeLessThanOrEqual(claimed.l1);
        expect(found.l2Squared).toBeLessThanOrEqual(claimed.l2Squared);
        expect(found.lInf).toBeLessThanOrEqual(claimed.lInf);
      }),
      { numRuns: 300 },
    );
  });

  it.each<Score>(['l1', 'largest'])(
    'the %s score moves as far as its sensitivity says, for the worst reference',
    (score) => {
      const domain = domainOf(2, 2);
      const queries = [
        marginal('a', 'b'),
        marginal('b'),
        total(),
        prefix('a'),
        factored({ a: { kind: 'mean' }, b: { kind: 'keep' } }),
      ];
      for (const query of queries)
        for (const maxRecords of [1, 2]) {
          let worst = 0;
          visitNeighbours([query], domain, { relation, maxRecords, maxUnits: 2 }, (one, other) => {
            for (const reference of [one, one.map((value) => value + 0.5), one.map((_, i) => i - 1)])
              worst = Math.max(worst, Math.abs(scoreOf(score, one, reference) - scoreOf(score, other, reference)));
          });
          expect(worst).toBe(scoreSensitivity(score, query, domain, relation, maxRecords));
        }
    },
  );
});

/** How a session sums up the error of reference answers: see src/privacy/answers/candidate-scores.ts. */
type Score = 'l1' | 'largest';

const scoreOf = (score: Score, answers: Float64Array, reference: Float64Array): number =>
  answers.reduce((sum, answer, i) => {
    const error = Math.abs(answer - reference[i]);
    return score === 'l1' ? sum + error : Math.max(sum, error);
  }, 0);

/** What a session charges a score by. */
const scoreSensitivity = (score: Score, ...query: Parameters<typeof sensitivity>): number =>
  sensitivity(...query)[score === 'l1' ? 'l1' : 'lInf'];

describe('sensitivities', () => {
  it('are those of the table in privacy.md', () => {
    const domain = domainOf(4, 3, 2);
    const batch = [marginal('a'), marginal('a', 'b'), marginal('c', 'b', 'a')];
    for (const D of [1, 2, 3]) {
      const one = range('a', 1, 2);
      expect(sensitivity(one, domain, 'add-remove', D)).toEqual({
        l1: D,
        l2Squared: BigInt(D * D),
        lInf: D,
        exact: true,
      });
      expect(sensitivity(one, domain, 'replace-one', D)).toEqual({
        l1: D,
        l2Squared: BigInt(D * D),
        lInf: D,
        exact: true,
      });
      const added = batchSensitivity(batch, domain, 'add-remove', D);
      expect(added).toEqual({ l1: 3 * D, l2Squared: BigInt(3 * D * D), lInf: D, exact: true });
      const replaced = batchSensitivity(batch, domain, 'replace-one', D);
      expect(replaced).toEqual({ l1: 6 * D, l2Squared: BigInt(6 * D * D), lInf: D, exact: true });
      expect(scoreSensitivity('l1', marginal('a'), domain, 'add-remove', D)).toBe(D);
      expect(scoreSensitivity('l1', marginal('a'), domain, 'replace-one', D)).toBe(2 * D);
    }
  });

  it('of the total are zero under replace-one when every unit is one row, and D when it may be up to D', () => {
    const domain = domainOf(3);
    expect(sensitivity(total(), domain, 'replace-one', 1).l1).toBe(0);
    expect(sensitivity(total(), domain, 'replace-one', 3).l1).toBe(3);
    // The total and a marginal cannot both be at their worst: 2 D, not D + 2 D.
    expect(batchSensitivity([total(), marginal('a')], domain, 'replace-one', 3).l1).toBe(6);
  });

  it('are the same for a marginal and its factored form', () => {
    const domain = domainOf(4, 3, 1);
    for (const relation of relations)
      for (const names of [[], ['a'], ['c'], ['b', 'a'], ['a', 'c']]) {
        const kept = factored(Object.fromEntries(names.map((name) => [name, { kind: 'keep' }])));
        expect(sensitivity(kept, domain, relation, 2)).toEqual(sensitivity(marginal(...names), domain, relation, 2));
      }
  });

  it('hold for random pairs of rows where domains are too large to enumerate', () => {
    const sizes = [9, 12, 3];
    const domain = domainOf(...sizes);
    const row = fc.tuple(...sizes.map((size) => fc.nat(size - 1)));
    const [a, b, c] = sizes.map((size) => fc.oneof(arbitraryBlock(size), fc.constant(allOf(size))));
    fc.assert(
      fc.property(a, b, c, fc.array(fc.tuple(row, row), { minLength: 10, maxLength: 10 }), (a, b, c, pairs) => {
        const query = factored({ a, b, c });
        const claimed = sensitivity(query, domain, 'replace-one', 1);
        for (const [one, other] of pairs) {
          const found = larger(none, rowAnswers(query, domain, one), rowAnswers(query, domain, other));
          expect(found.l1).toBeLessThanOrEqual(claimed.l1);
          expect(found.l2Squared).toBeLessThanOrEqual(claimed.l2Squared);
          expect(found.lInf).toBeLessThanOrEqual(claimed.lInf);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('of all ranges of a long attribute are exact, and those of a very long one a bound that says so', () => {
    const apart = (s: number) => {
      let most = 0;
      for (let x = 1; x <= s; x++)
        for (let y = x; y <= s; y++) most = Math.max(most, shared(s, x, x) + shared(s, y, y) - 2 * shared(s, x, y));
      return most;
    };
    for (const s of [7, 200]) {
      const found = sensitivity(allRanges(domainOf(s), 'a'), domainOf(s), 'replace-one', 1);
      expect(found).toEqual({ l1: apart(s), l2Squared: BigInt(apart(s)), lInf: 1, exact: true });
    }
    const long = domainOf(600);
    const bound = sensitivity(allRanges(long, 'a'), long, 'replace-one', 1);
    expect(bound.exact).toBe(false);
    expect(bound.l1).toBeGreaterThanOrEqual(apart(600));
    expect(bound.l1).toBeLessThan(1.02 * apart(600));
    const added = sensitivity(allRanges(long, 'a'), long, 'add-remove', 1);
    expect(added).toEqual({ l1: 300 * 301, l2Squared: 300n * 301n, lInf: 1, exact: true });
  });

  it('of products with too many candidate pairs are a bound that says so, above all pairs and at most 15% above the worst', () => {
    const s = 120;
    const domain = domainOf(s, s);
    const bound = sensitivity(factored({ a: allOf(s), b: allOf(s) }), domain, 'replace-one', 1);
    expect(bound.exact).toBe(false);
    let worst = 0;
    const cells = Array.from({ length: s }, (_, i) => i + 1).filter((cell) => cell % 3 === 1);
    for (const x of cells)
      for (const y of cells)
        for (const z of cells)
          for (const w of cells) {
            const apart =
              shared(s, x, x) * shared(s, z, z) +
              shared(s, y, y) * shared(s, w, w) -
              2 * shared(s, x, y) * shared(s, z, w);
            if (apart > worst) worst = apart;
          }
    expect(bound.l1).toBeGreaterThanOrEqual(worst);
    expect(bound.l1).toBeLessThan(1.15 * worst);
  });

  it('of products of large matrices are exact in L2 and a bound in L1 that says so', () => {
    const sizes = [20, 18];
    const domain = domainOf(...sizes);
    const random = seeded(3);
    for (const least of [-5, 0]) {
      const matrixOf = (size: number): Block => ({
        kind: 'matrix',
        rows: Array.from({ length: 24 }, () =>
          Array.from({ length: size }, () => least + uniformInteger(random, 6 - least)),
        ),
      });
      const query = factored({ a: matrixOf(sizes[0]), b: matrixOf(sizes[1]) });
      const claimed = sensitivity(query, domain, 'replace-one', 1);
      expect(claimed.exact).toBe(false);
      const worst = overUnits([query], domain, 'replace-one', 1);
      expect(claimed.l2Squared).toBe(worst.l2Squared);
      expect(claimed.lInf).toBe(worst.lInf);
      expect(claimed.l1).toBeGreaterThanOrEqual(worst.l1);
      expect(claimed.l1).toBeLessThanOrEqual(2 * sensitivity(query, domain, 'add-remove', 1).l1);
    }
  });

  it('of a matrix with entries too large to compare are bounds that hold', () => {
    const domain = domainOf(2);
    const query: Query = {
      kind: 'dense',
      attributes: ['a'],
      rows: [
        [2 ** 40, -(2 ** 40)],
        [1, 1],
      ],
    };
    const { l1, l2Squared, lInf, exact } = sensitivity(query, domain, 'replace-one', 1);
    expect({ l1, lInf, exact }).toEqual({ l1: 2 ** 41 + 2, lInf: 2 ** 41, exact: false });
    expect(l2Squared).toBe(4n * (2n ** 80n + 1n));
  });

  it('beyond 2^53 are refused with their size', () => {
    const domain = domainOf(2000, 2000);
    const cubes = factored({ a: { kind: 'moments', count: 4 }, b: { kind: 'moments', count: 4 } });
    expect(() => sensitivity(cubes, domain, 'add-remove', 1)).toThrow(
      /query: its sensitivity must be below 2\^53, got \d+/,
    );
    expect(() => sensitivity(marginal('a'), domain, 'add-remove', 2 ** 53)).toThrow('maxRecords: must be a positive');
    for (const maxRecords of [0, -1, 1.5, Number.NaN])
      expect(() => sensitivity(marginal('a'), domain, 'add-remove', maxRecords)).toThrow('maxRecords');
  });
});

/** How many of all ranges of s cells hold both cell x and cell y, counted from 1. */
const shared = (s: number, x: number, y: number): number => Math.min(x, y) * (s + 1 - Math.max(x, y));

const allOf = (size: number): Block => allRanges(domainOf(size), 'a').factors[0].block;
