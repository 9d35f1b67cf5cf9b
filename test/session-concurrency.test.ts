import { describe, expect, it } from 'vitest';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { nameCells } from '../src/privacy/answers/named-cells.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { exactPrimitives } from '../src/privacy/primitives.js';
import { sessionOn } from '../src/privacy/session/open-session.js';
import type { Session } from '../src/privacy/session/session.js';
import { marginal } from '../src/query/marginal.js';
import { prefix } from '../src/query/query.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import type { PrivateSource } from '../src/source/source.js';
import { plainDomain, plainSource, type Row } from './support/plain-source.js';
import { noiseless } from './support/replay.js';

const domain = plainDomain([3, 4, 5, 2]);
const random = seeded(4);
const rows: Row[] = Array.from({ length: 60 }, () => domain.attributes.map(({ size }) => uniformInteger(random, size)));
const budget = { rho: 50, delta: 1e-6 };

/** A source that takes its time, a different one every time: so that acts overtake one another wherever they can. */
const slow = (source: PrivateSource): PrivateSource => {
  const delays = seeded(7);
  return {
    ...source,
    counts: async (marginals, options) => {
      await new Promise((resolve) => setTimeout(resolve, uniformInteger(delays, 4)));
      return source.counts(marginals, options);
    },
  };
};

const open = async (memory: number, over: Partial<PrivateSource> = {}): Promise<Session> => {
  const source = { ...slow(plainSource(domain, rows)), ...over };
  return sessionOn({ source, budget, ledger: await memoryLedger(budgetOf(budget), 'plain'), memory }, noiseless, false);
};

/** Everything a session can be asked, as separate acts. */
const acts = (session: Session): (() => Promise<unknown>)[] => [
  () => session.total(0.01),
  () => session.measure([marginal('a', 'b'), marginal('c')], 0.01),
  () => session.measure([prefix('c'), marginal('b', 'd')], 0.01),
  () =>
    session.select(
      [marginal('a'), marginal('b')].map((query, i) => ({ query, reference: new Array(3 + i).fill(9) })),
      0.01,
    ),
  () => session.selectCell([{ query: marginal('b', 'c'), cells: nameCells([2, 7]), reference: [3, 3] }], 0.01),
  () => session.largestError([{ query: marginal('c', 'd'), reference: new Array(10).fill(4) }], 0.01),
  () =>
    session.partition(['a'], 0.01, (groups) =>
      Promise.all(groups.map((group) => group.measure([marginal('b'), marginal('c', 'd'), marginal('c')], 1))),
    ),
  () =>
    session.partition(['d', 'b'], 0.01, (groups) =>
      Promise.all(
        groups.map(async (group, i) => [
          await group.measure([i % 2 === 0 ? marginal('a') : marginal('c')], 0.5),
          await group.measure([marginal('a', 'c')], 0.5),
        ]),
      ),
    ),
];

describe('acts at the same time', () => {
  // The joint table of all attributes takes 960 bytes, so 960 drops the counts of the others all the time.
  it.each([960, 2000, 2 ** 20])('give what they give one after the other, with %d bytes of counts', async (memory) => {
    const one = await open(memory);
    const inTurn: unknown[] = [];
    for (const act of acts(one)) inTurn.push(await act());
    const other = await open(memory);
    const list = acts(other);
    const atOnce = await Promise.all([...list, ...list].map((act) => act()));
    expect(atOnce.slice(0, list.length)).toEqual(inTurn);
    expect(atOnce.slice(list.length)).toEqual(inTurn);
  });
});

describe('what goes wrong after an act was paid for', () => {
  it('says nothing about the table, is charged, and leaves the session usable', async () => {
    for (const wrong of ['source', 'listener', 'short counts'] as const) {
      const messages = new Set<string>();
      for (const table of [rows, rows.slice(1), []]) {
        let fail = true;
        const plain = plainSource(domain, table);
        const source: PrivateSource = {
          ...plain,
          counts: async (marginals, options) => {
            if (fail && wrong === 'source') throw new Error('the disk failed');
            const counts = await plain.counts(marginals, options);
            return fail && wrong === 'short counts' ? counts.slice(1) : counts;
          },
        };
        const onProgress = (): void => {
          if (fail && wrong === 'listener') throw new Error('the listener failed');
        };
        const ledger = await memoryLedger(budgetOf(budget), 'plain');
        const primitives = exactPrimitives(seededEntropy(3));
        const session = sessionOn({ source, budget, ledger, onProgress }, primitives, true);
        messages.add((await session.measure([marginal('a')], 0.1).catch(String)) as string);
        expect(session.remaining).toBeCloseTo(0.9, 6);
        fail = false;
        expect((await session.measure([marginal('a')], 0.1))[0].values.length).toBe(3);
        const { spent, reserved } = await ledger.status();
        expect(spent > reserved).toBe(true);
        await session.close();
        expect((await ledger.status()).reserved).toBe(0n);
        expect(session.remaining).toBeCloseTo(0.8, 6);
      }
      expect(messages.size).toBe(1);
      expect([...messages][0]).not.toMatch(/\d/);
    }
  });
});
