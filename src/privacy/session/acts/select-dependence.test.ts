import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../../../../experiments/statistics/chi-square.js';
import { plainDomain, plainSource, type Row } from '../../../../test/support/plain-source.js';
import { noiseless } from '../../../../test/support/replay.js';
import { budgetOf } from '../../accounting/budget.js';
import { dependenceGrid } from '../../answers/dependence-grid.js';
import { dependenceScore } from '../../answers/dependence-scores.js';
import { seededEntropy } from '../../entropy.js';
import { memoryLedger } from '../../ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../primitives.js';
import { rationalNumber } from '../../rational.js';
import { type SessionOptions, sessionOn } from '../open-session.js';
import type { Dependence } from '../session.js';

const domain = plainDomain([2, 3, 3, 2]);
/** b follows c; a and d have nothing to do with anything. */
const rows: Row[] = Array.from({ length: 36 }, (_, i) => [i % 2, i % 3, i % 9 === 0 ? 2 : i % 3, (i >> 1) % 2]);
const candidates: Dependence[] = [
  { of: ['a'], on: ['b', 'd'] },
  { of: ['b'], on: ['c'] },
  { of: ['c'], on: [] },
  { of: ['a', 'd'], on: ['b'] },
];

interface Asked {
  readonly scores: readonly number[];
  readonly sensitivity: number;
  readonly epsilon: number;
}

/** What the primitive was asked, and the best candidate for an answer. */
const spying = (asked: Asked[]): Primitives => ({
  ...noiseless,
  choose: (mechanism, scores, sensitivity, epsilon) => {
    asked.push({ scores: Array.from(scores.single), sensitivity, epsilon: rationalNumber(epsilon) });
    return noiseless.choose(mechanism, scores, sensitivity, epsilon);
  },
});

const open = async (primitives: Primitives, over: Partial<SessionOptions> = {}) => {
  const source = plainSource(domain, rows);
  const given = { source, budget: { epsilon: 4 }, ...over };
  const { relation } = given;
  const ledger =
    over.ledger ?? (await memoryLedger(budgetOf(given.budget), 'plain', { relation, unit: given.source.unit }));
  return { source, session: sessionOn({ ...given, ledger }, primitives, true) };
};

describe('selectDependence', () => {
  it('scores each candidate by its own counts and picks the one that depends most', async () => {
    const asked: Asked[] = [];
    const { session } = await open(spying(asked));
    expect(await session.selectDependence(candidates, 0.25, { rows: 40 })).toBe(1);
    const grid = dependenceGrid(40);
    const counts = new Float64Array(9);
    for (const [, b, c] of rows) counts[b * 3 + c]++;
    expect(asked[0].scores[1]).toBe(dependenceScore(counts, [3, 3], grid));
    expect(asked[0].scores[2]).toBe(0);
    expect(asked[0].sensitivity).toBe(grid.largest);
    expect(asked[0].epsilon).toBeCloseTo(1, 5);
    expect(session.statement().spent).toBe('1');
  });

  it('has the sensitivity of the relation: sharper where the number of records is public, and double in groups', async () => {
    const asked: Asked[] = [];
    const { session } = await open(spying(asked), { relation: 'replace-one' });
    await session.selectDependence(candidates, 0.1, { rows: 36 });
    await session.selectDependence([candidates[0], candidates[2]], 0.1, { rows: 36 });
    const grid = dependenceGrid(36);
    expect(asked[0].sensitivity / grid.units).toBeCloseTo(2 * Math.log(37 / 2) + 35 * Math.log(37 / 35), 3);
    expect(asked[1].sensitivity / grid.units).toBeCloseTo(Math.log(36) + 35 * Math.log(36 / 35), 3);
    await session.partition(['a'], 0.2, ([group]) =>
      group.selectDependence([{ of: ['b'], on: ['d'] }], 1, { rows: 36 }),
    );
    expect(asked[2].sensitivity).toBe(2 * grid.largest);
    const unit = { kind: 'id', column: 'id', maxRecords: 4 } as const;
    const ids = await open(spying(asked), { relation: 'replace-one', source: plainSource(domain, rows, { unit }) });
    await ids.session.selectDependence(candidates, 0.1, { rows: 10 });
    expect(asked[3].sensitivity).toBe(8 * dependenceGrid(10).largest);
  });

  it('scores the rows of a group alone', async () => {
    const asked: Asked[] = [];
    const { session } = await open(spying(asked));
    await session.partition(['a'], 0.2, async (groups) => {
      for (const group of groups) await group.selectDependence([{ of: ['b'], on: ['c'] }], 0.5, { rows: 40 });
    });
    for (const a of [0, 1]) {
      const counts = new Float64Array(9);
      for (const row of rows) if (row[0] === a) counts[row[1] * 3 + row[2]]++;
      expect(asked[a].scores).toEqual([dependenceScore(counts, [3, 3], dependenceGrid(40))]);
    }
  });

  it('chooses with chances in proportion to exp(epsilon n I / (2 sensitivity)), and not of an epsilon a fifth larger', async () => {
    const observed = candidates.map(() => 0);
    const exact = exactPrimitives(seededEntropy(5));
    const asked: Asked[] = [];
    const { session } = await open({
      ...noiseless,
      // What the act hands over, drawn many times: a ledger's record for each would take long.
      choose: (...given) => {
        for (let i = 0; i < 25_000; i++) observed[exact.choose(...given)]++;
        return spying(asked).choose(...given);
      },
    });
    await session.selectDependence(candidates, 0.25, { rows: 40 });
    const [{ scores, sensitivity }] = asked;
    const chances = (epsilon: number): number[] => {
      const weights = scores.map((score) => Math.exp((epsilon * score) / (2 * (sensitivity + 1))));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.map((weight) => weight / sum);
    };
    expect(goodnessOfFit(observed, chances(1)).fits).toBe(true);
    expect(goodnessOfFit(observed, chances(1.2)).fits).toBe(false);
  });

  it('counts a candidate once, however often it is asked for with the same bound', async () => {
    const { session, source } = await open(noiseless);
    await session.selectDependence(candidates, 0.1, { rows: 40 });
    const before = source.reads();
    const again = await session.selectDependence([...candidates].reverse(), 0.1, { rows: 40 });
    expect([again, source.reads()]).toEqual([2, before]);
  });

  it('answers what was asked, whatever the caller changes meanwhile', async () => {
    const mine = candidates.map(({ of, on }) => ({ of: [...of], on: [...on] }));
    const ledger = await memoryLedger(budgetOf({ epsilon: 4 }), 'plain');
    const asked: Asked[] = [];
    const { session } = await open(spying(asked), {
      ledger: {
        ...ledger,
        run: async (request) => {
          mine[2].on.push('b');
          mine.pop();
          return ledger.run(request);
        },
      },
    });
    await session.selectDependence(mine, 0.1, { rows: 40 });
    expect(asked[0].scores.length).toBe(4);
    expect(asked[0].scores[2]).toBe(0);
  });

  it('refuses, before anything is spent, what it cannot score', async () => {
    const { session, source } = await open(noiseless, { memory: 64 });
    const refused = (given: unknown, rows = 40) =>
      expect(session.selectDependence(given as Dependence[], 0.1, { rows })).rejects;
    await refused([]).toThrow(/candidates: must be at least one/);
    await refused([{ of: [], on: ['a'] }]).toThrow(/`of` must name an attribute/);
    await refused([{ of: ['a'], on: ['b', 'a'] }]).toThrow(/none may be named twice, got a on b x a/);
    await refused([{ of: 'a', on: [] }]).toThrow(/must name attributes/);
    await refused([{ of: ['a'], on: ['z'] }]).toThrow(/z/);
    await refused([{ of: ['b'], on: ['c'] }]).toThrow(/must fit/);
    await refused([{ of: ['a'], on: ['d'] }], 1).toThrow(/rows: must be a whole number/);
    expect([session.remaining, source.reads()]).toEqual([1, 0]);
    const known = await open(noiseless, { relation: 'replace-one' });
    await expect(known.session.selectDependence(candidates, 0.1, { rows: 35 })).rejects.toThrow(
      /rows: must be at least the number of records, which is public, got 35 for 36/,
    );
    expect(known.session.remaining).toBe(1);
  });
});
