import { describe, expect, it } from 'vitest';
import type { Attribute } from '../../domain/attribute/attribute.js';
import type { Domain } from '../../domain/domain.js';
import { cellsOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { seeded } from '../../random/seeded.js';
import { answerFrom, attributesOf } from '../answer.js';
import { marginal } from '../marginal.js';
import { factored, prefix } from '../query.js';
import { allMarginals } from './all-marginals.js';
import { binomial, combinations } from './combinations.js';
import { downwardClosure } from './downward-closure.js';
import { parseWorkload } from './parse-workload.js';
import { allRanges, prefixWorkload, tripleWorkload } from './range-workloads.js';
import { sampleMarginals } from './sample-marginals.js';
import { union, type Workload, workloadCells, workloadOf, workloadSensitivity } from './workload.js';

const categories = (name: string, size: number, ordered = false): Attribute => ({
  name,
  size,
  spec: { name, type: 'category', ordered, values: Array.from({ length: size }, (_, i) => `${i}`) },
});
const domain: Domain = {
  attributes: [
    categories('region', 3),
    { name: 'age', size: 10, spec: { name: 'age', type: 'integer', min: 0, max: 9 } },
    { name: 'sex', size: 2, spec: { name: 'sex', type: 'boolean' } },
    categories('degree', 4, true),
    { name: 'born', size: 5, spec: { name: 'born', type: 'date', by: 'year', min: '2000-01-01', max: '2004-12-31' } },
  ],
};
const wide: Domain = { attributes: Array.from({ length: 300 }, (_, i) => categories(`x${i}`, 2 + (i % 5))) };

const sets = ({ queries }: Workload) => queries.map(({ query }) => attributesOf(query).join());

describe('combinations', () => {
  it('are as many as the binomial coefficient says, different, increasing and in order', () => {
    for (let n = 0; n <= 8; n++)
      for (let k = 0; k <= n; k++) {
        const all = [...combinations(n, k)];
        expect(all).toHaveLength(binomial(n, k));
        const keys = all.map((list) => list.join('').padEnd(1));
        expect(keys).toEqual([...new Set(keys)].sort());
        for (const list of all) expect([...list].sort((a, b) => a - b)).toEqual(list);
      }
    expect(binomial(33, 3)).toBe(5456);
    expect(binomial(60, 30) / 1.1826458156486142e17).toBeCloseTo(1, 12);
    expect(binomial(3, 4)).toBe(0);
    expect([...combinations(3, 4)]).toEqual([]);
  });
});

describe('all marginals', () => {
  it('are all combinations of k attributes in column order', () => {
    expect(sets(allMarginals(domain, 2))).toEqual([
      'region,age',
      'region,sex',
      'region,degree',
      'region,born',
      'age,sex',
      'age,degree',
      'age,born',
      'sex,degree',
      'sex,born',
      'degree,born',
    ]);
    expect(sets(allMarginals(domain, 0))).toEqual(['']);
    expect(sets(allMarginals(domain, 2, { within: ['born', 'region', 'sex'] }))).toEqual([
      'region,sex',
      'region,born',
      'sex,born',
    ]);
  });

  it('leave out those above the limit of cells and no others', () => {
    const kept = sets(allMarginals(domain, 2, { maxCells: 12 }));
    expect(kept).toEqual(sets(allMarginals(domain, 2)).filter((names) => cellsOf(domain, names.split(',')) <= 12));
    expect(kept).not.toHaveLength(0);
  });

  it('are refused with the number when there are too many, too large or none', () => {
    expect(() => allMarginals(wide, 4)).toThrow(/at most 2000000 combinations are listed, got 330791175/);
    expect(() => allMarginals(domain, 2, { maxTotalCells: 100 })).toThrow(
      `may have 100 cells together, got ${workloadCells(allMarginals(domain, 2), domain)}`,
    );
    expect(() => allMarginals(domain, 2, { maxCells: 5 })).toThrow('the smallest 2-way marginal has 6 cells');
    expect(() => allMarginals(domain, 6)).toThrow('must be an integer from 0 to 5, got 6');
    expect(() => allMarginals(domain, 1.5)).toThrow(InputError);
    expect(() => allMarginals(domain, 1, { within: ['x'] })).toThrow('got "x"');
  });

  it('of 33 attributes have the sensitivity of 5,456 marginals', () => {
    const some = { attributes: wide.attributes.slice(0, 33) };
    const workload = allMarginals(some, 3);
    expect(workloadSensitivity(workload, some, 'replace-one', 2)).toEqual({
      l1: 2 * 2 * 5456,
      l2Squared: 4n * 2n * 5456n,
      lInf: 2,
      exact: true,
    });
  });
});

describe('sampled marginals', () => {
  it('are different, within the limits, and the same for the same seed', () => {
    for (const [of, k, count] of [
      [domain, 2, 6],
      [wide, 3, 200],
      [wide, 8, 50],
    ] as const) {
      const options = { maxCells: k === 8 ? 100_000 : 60 };
      const sample = sampleMarginals(of, k, count, seeded(7), options);
      expect(new Set(sets(sample)).size).toBe(count);
      const column = new Map(of.attributes.map(({ name }, i) => [name, i]));
      for (const { query } of sample.queries) {
        const names = attributesOf(query);
        expect(names).toHaveLength(k);
        expect(cellsOf(of, names)).toBeLessThanOrEqual(options.maxCells);
        expect(names).toEqual([...names].sort((a, b) => column.get(a)! - column.get(b)!));
      }
      expect(sampleMarginals(of, k, count, seeded(7), options)).toEqual(sample);
      expect(sets(sampleMarginals(of, k, count, seeded(8), options))).not.toEqual(sets(sample));
    }
  });

  it('taken to the last are all of them', () => {
    const all = sets(allMarginals(domain, 3, { maxCells: 100 }));
    expect(sets(sampleMarginals(domain, 3, all.length, seeded(1), { maxCells: 100 })).sort()).toEqual(all.sort());
    expect(() => sampleMarginals(domain, 3, all.length + 1, seeded(1), { maxCells: 100 })).toThrow(
      `there are ${all.length} such marginals, got a wish for ${all.length + 1}`,
    );
  });

  // Seeded, so it cannot fail by chance: the bound is 5 standard deviations of a binomial count.
  it.each([
    ['listed', 12],
    ['tried out', 150],
  ])('hold each attribute equally often when %s', (_, attributes) => {
    const of: Domain = { attributes: Array.from({ length: attributes }, (_, i) => categories(`x${i}`, 2)) };
    const counts = new Map<string, number>();
    const random = seeded(3);
    const draws = 4000;
    for (let i = 0; i < draws; i++)
      for (const name of attributesOf(sampleMarginals(of, 3, 1, random).queries[0].query))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    const share = 3 / attributes;
    const deviation = Math.sqrt(draws * share * (1 - share));
    expect(counts.size).toBe(attributes);
    for (const count of counts.values()) expect(Math.abs(count - draws * share)).toBeLessThan(5 * deviation);
  });

  it('give up with a sentence when no combination is small enough', () => {
    expect(() => sampleMarginals(wide, 4, 1, seeded(1), { maxCells: 15 })).toThrow(
      /101000 random 4-way marginals held 0 different ones of at most 15 cells/,
    );
    expect(() => sampleMarginals(domain, 2, 0, seeded(1))).toThrow('must be a positive integer, got 0');
  });
});

describe('ordered workloads', () => {
  it('have a prefix for every attribute whose order means something', () => {
    expect(prefixWorkload(domain)).toEqual(workloadOf([prefix('age'), prefix('degree'), prefix('born')]));
    expect(prefixWorkload(domain, ['sex'])).toEqual(workloadOf([prefix('sex')]));
    expect(() => prefixWorkload({ attributes: [categories('a', 2)] })).toThrow('no attribute is ordered');
  });

  it('have every range once', () => {
    const query = allRanges(domain, 'degree');
    expect([...answerFrom(query, domain, Float64Array.of(1, 10, 100, 1000))]).toEqual([
      1, 11, 111, 1111, 10, 110, 1110, 100, 1100, 1000,
    ]);
    const long = { attributes: [categories('a', 5000)] };
    expect(() => allRanges(long, 'a')).toThrow('at most 10000000, got 12502500');
  });

  it('of the experiments are triples with prefixes on the ordered attributes', () => {
    const workload = tripleWorkload(domain, seeded(5), { count: 10 });
    expect(new Set(sets(workload)).size).toBe(10);
    for (const { query } of workload.queries) {
      if (query.kind !== 'factored') throw new Error('every triple of this domain has an ordered attribute');
      for (const { attribute, block } of query.factors)
        expect(block.kind).toBe(['age', 'degree', 'born'].includes(attribute) ? 'prefix' : 'keep');
    }
    expect(tripleWorkload(wide, seeded(5)).queries).toHaveLength(15);
    expect(tripleWorkload(wide, seeded(5)).queries[0].query.kind).toBe('marginal');
  });
});

describe('workloads', () => {
  it('unite by adding the weights of equal queries', () => {
    const one: Workload = {
      queries: [
        { query: marginal('age', 'sex'), weight: 2 },
        { query: prefix('age'), weight: 1 },
      ],
    };
    const same = factored({ age: { kind: 'keep' }, sex: { kind: 'keep' } });
    expect(
      union(one, {
        queries: [
          { query: same, weight: 3 },
          { query: marginal('sex', 'age'), weight: 1 },
        ],
      }),
    ).toEqual({
      queries: [
        { query: marginal('age', 'sex'), weight: 5 },
        { query: prefix('age'), weight: 1 },
        { query: marginal('sex', 'age'), weight: 1 },
      ],
    });
  });

  it('close downward to every subset, with the weights that the definition of AIM gives', () => {
    const workload: Workload = {
      queries: [
        { query: marginal('sex', 'region'), weight: 2 },
        { query: factored({ age: { kind: 'prefix' }, sex: { kind: 'keep' }, born: { kind: 'sum' } }), weight: 1 },
        { query: marginal('region', 'age', 'sex'), weight: 0.5 },
      ],
    };
    const closure = downwardClosure(workload, domain);
    expect(sets(closure)).toEqual(['region', 'age', 'sex', 'region,age', 'region,sex', 'age,sex', 'region,age,sex']);
    for (const { query, weight } of closure.queries) {
      const own = attributesOf(query);
      const expected = workload.queries.reduce(
        (sum, s) => sum + s.weight * attributesOf(s.query).filter((name) => own.includes(name)).length,
        0,
      );
      expect(weight).toBe(expected);
    }
    const names = wide.attributes.slice(0, 25).map(({ name }) => name);
    expect(() => downwardClosure(workloadOf([marginal(...names)]), wide)).toThrow('got a query of 25 attributes');
  });

  it('come back from JSON, a missing weight as 1', () => {
    const workload = union(allMarginals(domain, 1), prefixWorkload(domain));
    expect(parseWorkload(JSON.parse(JSON.stringify(workload)), domain)).toEqual(workload);
    expect(parseWorkload({ queries: [{ query: { kind: 'marginal', attributes: ['age'] } }] }, domain)).toEqual(
      workloadOf([marginal('age')]),
    );
  });

  const query = { kind: 'marginal', attributes: ['age'] };
  it.each<[unknown, string]>([
    [{ queries: [] }, 'workload: queries must hold at least one query'],
    [[], 'workload'],
    [{ queries: [{ query, weight: 0 }] }, 'workload: queries[0].weight: must be >0, got 0'],
    [{ queries: [{ query, weight: Number.POSITIVE_INFINITY }] }, 'workload: queries[0].weight'],
    [{ queries: [{ query: { kind: 'marginal', attributes: ['job'] } }] }, 'got "job"'],
  ])('of %j are refused', (json, message) => {
    expect(() => parseWorkload(json, domain)).toThrow(InputError);
    expect(() => parseWorkload(json, domain)).toThrow(message);
  });
});
