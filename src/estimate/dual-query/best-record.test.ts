import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { climbToRecord, worthOf } from './best-record.js';
import { binaryQueries } from './binary-queries.js';
import { solveRecord } from './record-programme.js';

const domain = plainDomain([3, 4, 2, 5]);
const queries: readonly Query[] = [
  marginal('a', 'b'),
  prefix('d'),
  factored({ d: { kind: 'set', cells: [0, 4] }, c: { kind: 'value', cell: 1 } }),
  factored({ b: { kind: 'regroup', groups: [0, 1, 1, 0], size: 2 }, a: { kind: 'sum' }, d: { kind: 'prefix' } }),
  marginal('c', 'd', 'a'),
];
const records = Array.from({ length: 120 }, (_, i) => [
  Math.floor(i / 40),
  Math.floor(i / 10) % 4,
  Math.floor(i / 5) % 2,
  i % 5,
]);

describe('queries of zeros and ones', () => {
  const binary = binaryQueries(domain, [marginal(), ...queries]);

  it('count a record where the queries themselves count it', () => {
    expect(binary.queries.length).toBe(queries.length);
    for (const record of records) {
      const expected = queries.flatMap((query) => {
        const names = attributesOf(query);
        const at = names.map((name) => domain.attributes.findIndex((attribute) => attribute.name === name));
        const sizes = at.map((index) => domain.attributes[index].size);
        const counts = new Float64Array(sizes.reduce((a, b) => a * b, 1));
        counts[at.reduce((cell, index, i) => cell * sizes[i] + record[index], 0)] = 1;
        return [...answerFrom(query, domain, counts)];
      });
      expect([...binary.answersOf(record)]).toEqual([...expected.keys()].filter((answer) => expected[answer] === 1));
      for (let answer = 0; answer < binary.answers; answer++) {
        const met = binary.conditionsOf(answer).every(({ attribute, cells }) => cells[record[attribute]] === 1);
        expect(+met).toBe(expected[answer]);
      }
    }
  });

  it('are no means or moments, and ask about some attribute', () => {
    for (const block of [{ kind: 'mean' }, { kind: 'moments', count: 2 }] as const)
      expect(() => binaryQueries(domain, [factored({ d: block })])).toThrow(/^workload: must count records/);
    const diagonal = { kind: 'dense', attributes: ['c', 'a'], rows: [[1, 0, 0, 0, 1, 0]] } as const;
    expect(() => binaryQueries(domain, [diagonal])).toThrow(/^workload: must count records/);
    expect(() => binaryQueries(domain, [marginal()])).toThrow(/^workload: must ask about some attribute/);
  });
});

describe('the record of a round', () => {
  const binary = binaryQueries(domain, queries);
  const wishesOf = (seed: number, count: number) => {
    const random = seeded(seed);
    return Array.from({ length: count }, () => ({
      weight: uniformInteger(random, 2) === 0 ? 1 + uniformInteger(random, 2) : -1 - uniformInteger(random, 2),
      conditions: binary.conditionsOf(uniformInteger(random, binary.answers)),
    }));
  };
  const bestOf = (wishes: ReturnType<typeof wishesOf>) => Math.max(...records.map((record) => worthOf(wishes, record)));

  it('is the best of all by the integer programme, and by ascent from enough starts', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const wishes = wishesOf(seed, 4 + 3 * seed);
      const best = bestOf(wishes);
      const random = seeded(seed);
      const climbed = climbToRecord(domain, wishes, 60, random);
      expect(climbed.value).toBe(worthOf(wishes, climbed.record));
      expect(climbed.value).toBe(best);
      const solved = await solveRecord(domain, wishes, [0, 0, 0, 0], 10, random);
      expect(solved.proved).toBe(true);
      expect(worthOf(wishes, solved.record)).toBe(best);
    }
  });

  it('is never worse than where an integer programme without time was started', async () => {
    for (let seed = 20; seed < 24; seed++) {
      const wishes = wishesOf(seed, 60);
      const start = climbToRecord(domain, wishes, 1, seeded(seed));
      const { record } = await solveRecord(domain, wishes, start.record, 1e-9, seeded(seed));
      expect(worthOf(wishes, record)).toBeGreaterThanOrEqual(start.value);
    }
  });

  it('is random where no wish has a say', () => {
    const wishes = [{ weight: 1, conditions: binary.conditionsOf(0) }];
    const found = Array.from({ length: 60 }, (_, seed) => climbToRecord(domain, wishes, 1, seeded(seed)).record);
    expect(found.every(([a, b]) => a === 0 && b === 0)).toBe(true);
    expect(new Set(found.map(([, , , d]) => d)).size).toBe(5);
    expect(climbToRecord(domain, [], 3, seeded(1)).record.length).toBe(4);
  });

  it('is where an integer programme was started when all draws have cancelled and nothing is wished', async () => {
    expect(await solveRecord(domain, [], [2, 1, 0, 4], 10, seeded(1))).toEqual({ record: [2, 1, 0, 4], proved: true });
  });
});
