import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryDomain, arbitraryQuery, domainOf } from '../../test/support/arbitrary-query.js';
import { allRows, rowAnswers } from '../../test/support/row-answers.js';
import { InputError } from '../domain/input-error.js';
import { answerShape, answerSize } from './answer.js';
import type { Block } from './block/block.js';
import { describeQuery } from './describe-query.js';
import { marginal, total } from './marginal.js';
import { parseQuery } from './parse-query.js';
import { factored, prefix, type Query, range } from './query.js';
import { queryKey } from './query-key.js';

describe('a query on a domain', () => {
  const domain = domainOf(4, 3);
  const refused: [string, Query, string][] = [
    ['an unknown attribute', marginal('z'), 'query: its attributes must be among a, b, got "z"'],
    ['a repeated attribute', marginal('a', 'a'), 'query: an attribute may appear once, got "a" twice'],
    ['a cell out of range', factored({ b: { kind: 'value', cell: 3 } }), 'query block of "b": the cell must be'],
    ['a negative cell', factored({ b: { kind: 'value', cell: -1 } }), 'from 0 to 2, got -1'],
    ['a cell between cells', factored({ b: { kind: 'value', cell: 0.5 } }), 'got 0.5'],
    ['a cell that is no number', factored({ b: { kind: 'value', cell: Number.NaN } }), 'query block of "b"'],
    ['a set with a stray cell', factored({ a: { kind: 'set', cells: [0, 4] } }), 'from 0 to 3, got 4'],
    ['an empty set', factored({ a: { kind: 'set', cells: [] } }), 'at least one cell'],
    ['a set that repeats itself', factored({ a: { kind: 'set', cells: [1, 1] } }), 'must not repeat a cell'],
    ['a range that runs backwards', range('a', 2, 1), '0 <= low <= high <= 3, got [2,1]'],
    ['a range beyond the end', range('a', 0, 4), 'got [0,4]'],
    ['no range', factored({ a: { kind: 'ranges', ranges: [] } }), 'at least one range'],
    ['too few groups', factored({ a: { kind: 'regroup', groups: [0, 1], size: 2 } }), 'each of the 4 cells, got 2'],
    ['a stray group', factored({ b: { kind: 'regroup', groups: [0, 1, 2], size: 2 } }), 'from 0 to 1, got 2'],
    ['a missing group', factored({ b: { kind: 'regroup', groups: [], size: 0 } }), 'must be a positive integer'],
    ['no moment', factored({ a: { kind: 'moments', count: 0 } }), 'from 1 to 52, got 0'],
    ['moments beyond 2^53', factored({ a: { kind: 'moments', count: 34 } }), 'must stay below 2^53, got 34'],
    ['a matrix without rows', factored({ a: { kind: 'matrix', rows: [] } }), 'at least one row'],
    ['a short row', factored({ a: { kind: 'matrix', rows: [[1, 2, 3]] } }), 'each of the 4 cells, got 3'],
    ['a fraction', factored({ b: { kind: 'matrix', rows: [[1, 0.5, 3]] } }), 'an integer below 2^53, got 0.5'],
    ['rows for other cells', { kind: 'dense', attributes: ['a', 'b'], rows: [[1]] }, 'each of the 12 cells, got 1'],
    ['a repeated axis', { kind: 'dense', attributes: ['a', 'a'], rows: [[1]] }, 'may appear once, got "a" twice'],
    ['an unknown block', factored({ a: { kind: 'median' } as unknown as Block }), 'not known, got "median"'],
  ];
  it.each(refused)('refuses %s', (_, query, message) => {
    expect(() => answerShape(query, domain)).toThrow(InputError);
    expect(() => answerShape(query, domain)).toThrow(message);
    expect(() => parseQuery(JSON.parse(JSON.stringify(query)), domain)).toThrow(InputError);
  });

  it('may have so many entries in a matrix and no more', () => {
    const rows = new Array<number[]>(3_000_000).fill([1, 2, 3]);
    expect(() => answerShape(factored({ b: { kind: 'matrix', rows } }), domain)).toThrow(
      'may have 8388608 entries, got "3000000 rows of 3"',
    );
  });

  it('may have as many moments as doubles hold exactly', () => {
    // 3^33 < 2^53 < 3^34.
    expect(answerSize(factored({ a: { kind: 'moments', count: 33 } }), domain)).toBe(33);
  });

  it('has a size even where nobody could answer it', () => {
    const names = Array.from({ length: 60 }, (_, i) => `x${i}`);
    const wide = { attributes: names.map((name) => ({ name, size: 1000, spec: { name, type: 'boolean' as const } })) };
    expect(answerSize(marginal(...names), wide)).toBeCloseTo(1e180, -170);
  });
});

describe('the JSON form', () => {
  it('brings every query back', () => {
    const setting = arbitraryDomain(24).chain((domain) => fc.tuple(fc.constant(domain), arbitraryQuery(domain)));
    fc.assert(
      fc.property(setting, ([domain, query]) => {
        expect(parseQuery(JSON.parse(JSON.stringify(query)), domain)).toEqual(query);
      }),
    );
  });

  const wrong: [unknown, string][] = [
    [null, 'query: must be Object, got null'],
    ['a', 'query: must be Object, got "a"'],
    [{ kind: 'join' }, 'query kind: must be ("marginal" | "holding" | "factored" | "dense"), got "join"'],
    [{ kind: 'marginal' }, 'query attributes: must be'],
    [{ kind: 'marginal', attributes: ['a'], weight: 2 }, 'query weight: must be never, got "weight"'],
    [{ kind: 'marginal', attributes: [1] }, 'query attributes.0: must be string, got 1'],
    [{ kind: 'factored', factors: [{ attribute: 'a' }] }, 'query factors.0.block: must be'],
    [{ kind: 'factored', factors: [{ attribute: 'a', block: { kind: 'value', cell: '1' } }] }, 'got "1"'],
    [
      { kind: 'factored', factors: [{ attribute: 'a', block: { kind: 'ranges', ranges: [[0, 1, 2]] } }] },
      'query factors',
    ],
  ];
  it.each(wrong)('of %j is refused with the place and the rule', (json, message) => {
    expect(() => parseQuery(json, domainOf(3))).toThrow(InputError);
    expect(() => parseQuery(json, domainOf(3))).toThrow(message);
  });
});

describe('the key', () => {
  it('is shared only by queries with the same answers in the same order', () => {
    const domain = domainOf(3, 2);
    const answers = new Map<string, string>();
    let repeated = 0;
    for (const query of fc.sample(arbitraryQuery(domain), { numRuns: 3000, seed: 1 })) {
      const key = queryKey(query);
      const all = JSON.stringify(allRows(domain).map((row) => rowAnswers(query, domain, row)));
      if (answers.has(key)) repeated++;
      expect(answers.get(key) ?? all).toBe(all);
      answers.set(key, all);
    }
    expect(repeated).toBeGreaterThan(100);
  });

  it('sees through forms that mean the same and no further', () => {
    const keep: Block = { kind: 'keep' };
    expect(queryKey(factored({ a: keep, b: { kind: 'sum' }, c: keep }))).toBe(queryKey(marginal('a', 'c')));
    expect(queryKey(factored({ a: { kind: 'set', cells: [2, 0] } }))).toBe(
      queryKey(factored({ a: { kind: 'set', cells: [0, 2] } })),
    );
    expect(queryKey(factored({ a: { kind: 'value', cell: 1 } }))).toBe(
      queryKey(factored({ a: { kind: 'set', cells: [1] } })),
    );
    expect(queryKey(factored({}))).toBe(queryKey(total()));
    expect(queryKey(marginal('a', 'c'))).not.toBe(queryKey(marginal('c', 'a')));
    expect(queryKey(marginal('a"*"c'))).not.toBe(queryKey(marginal('a', 'c')));
    expect(queryKey(marginal('total'))).not.toBe(queryKey(total()));
    expect(queryKey(range('a', 1, 2))).not.toBe(queryKey(range('a', 1, 3)));
  });
});

describe('the description', () => {
  it('reads as a person would say it', () => {
    expect(describeQuery(total())).toBe('total');
    expect(describeQuery(marginal('region', 'sex'))).toBe('region x sex');
    expect(describeQuery(prefix('age'))).toBe('cumulative age');
    expect(describeQuery(range('age', 2, 5))).toBe('age in cells 2 to 5');
    expect(describeQuery({ kind: 'dense', attributes: ['age', 'sex'], rows: [[1], [2]] })).toBe(
      '2 linear combinations of age x sex',
    );
    expect(describeQuery(factored({ age: { kind: 'matrix', rows: [[1, -1]] } }))).toBe('1 linear combination of age');
    const query = factored({
      region: { kind: 'keep' },
      year: { kind: 'sum' },
      age: { kind: 'moments', count: 2 },
      job: { kind: 'regroup', groups: [0, 0, 1], size: 2 },
      sex: { kind: 'set', cells: [1] },
    });
    expect(describeQuery(query)).toBe('region x first 2 moments of age x job in 2 groups x sex in a set of 1 cell');
  });
});
