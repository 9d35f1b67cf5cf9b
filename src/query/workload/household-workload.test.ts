import { describe, expect, it } from 'vitest';
import { householdDomain } from '../../../test/support/households.js';
import { seeded } from '../../random/seeded.js';
import { describeQuery } from '../describe-query.js';
import { holding } from '../holding.js';
import { marginal } from '../marginal.js';
import { parseQuery } from '../parse-query.js';
import { queryKey } from '../query-key.js';
import { householdWorkload } from './household-workload.js';
import { parseWorkload } from './parse-workload.js';
import { workloadCells } from './workload.js';

const attributesIn = (query: unknown): readonly string[] => (query as { attributes: string[] }).attributes;

describe('householdWorkload', () => {
  // "Towards Differentially Private Query Release for Hierarchical Data", A.1: ACS-SMALL has sizes 5, 3, 2, 2 and 2, 2, 2, 2.
  const small = householdDomain([5, 3, 2, 2], [2, 2, 2, 2], 3);

  it('has 1,640 queries on the small design of the paper, half of them of households', () => {
    const workload = householdWorkload(small);
    expect(workloadCells(workload, small)).toBe(1640);
    expect(workload.queries.length).toBe(2 * 56);
    expect(workload.queries.slice(0, 2).map(({ query }) => query)).toEqual([
      holding('g', 'h', 'i'),
      marginal('g', 'h', 'i'),
    ]);
  });

  it('draws as many sets as asked for each number of household attributes, or all there are, each with both queries', () => {
    const wide = householdDomain(new Array<number>(5).fill(2), new Array<number>(5).fill(3), 5);
    const shared = wide.households!.attributes;
    const { queries } = householdWorkload(wide, { sets: 12, random: seeded(1) });
    const sets = queries.filter((_, i) => i % 2 === 0).map(({ query }) => attributesIn(query));
    const numbers = sets.map((names) => names.filter((name) => shared.includes(name)).length);
    expect([0, 1, 2, 3].map((number) => numbers.filter((own) => own === number).length)).toEqual([10, 12, 12, 10]);
    expect(new Set(sets.map(String)).size).toBe(44);
    for (let i = 0; i < queries.length; i += 2) {
      expect(queries[i].query.kind).toBe('holding');
      expect(queries[i + 1].query).toEqual(marginal(...attributesIn(queries[i].query)));
    }
    expect(householdWorkload(wide, { sets: 12, random: seeded(1) })).toEqual({ queries });
    expect(householdWorkload(wide, { sets: 12, random: seeded(2) })).not.toEqual({ queries });
  });

  it('leaves out the number of persons unless it is named, and refuses a plain domain', () => {
    const sized = householdDomain([2], [2, 2], 3, true);
    expect(householdWorkload(sized, { attributes: 2 }).queries.length).toBe(6);
    expect(workloadCells(householdWorkload(sized, { attributes: 1, within: ['size'] }), sized)).toBe(6);
    expect(() => householdWorkload({ attributes: sized.attributes })).toThrow('needs a domain with households');
  });
});

describe('a count of households', () => {
  const domain = householdDomain([2], [3], 2);

  it('is read from JSON against its domain, and refused in one sentence where it does not fit', () => {
    const json = { kind: 'holding', attributes: ['g', 'a'] };
    expect(parseQuery(json, domain)).toEqual(holding('g', 'a'));
    expect(parseWorkload({ queries: [{ query: json }] }, domain).queries[0].query).toEqual(holding('g', 'a'));
    expect(() => parseQuery(json, { attributes: domain.attributes })).toThrow(
      'query: households can be counted in a table that declares them',
    );
    expect(() => parseQuery({ kind: 'holding', attributes: ['g', 'x'] }, domain)).toThrow(
      'query: its attributes must be among g, a, got "x"',
    );
    expect(() => parseQuery({ kind: 'holding', attributes: ['g', 'g'] }, domain)).toThrow('got "g" twice');
  });

  it('has words and a key of its own', () => {
    expect([holding(), holding('g', 'a')].map(describeQuery)).toEqual(['households', 'households with g x a']);
    expect(queryKey(holding('g', 'a'))).not.toBe(queryKey(marginal('g', 'a')));
    expect(queryKey(holding('g', 'a'))).not.toBe(queryKey(holding('a', 'g')));
  });
});
