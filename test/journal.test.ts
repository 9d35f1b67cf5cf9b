import { describe, expect, it } from 'vitest';
import { formatAmount } from '../src/privacy/accounting/amount.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { inspectLedger } from '../src/privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../src/privacy/ledger/store.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { rational } from '../src/privacy/rational.js';
import type { Journal, JournalEntry } from '../src/privacy/session/journal/journal.js';
import { entryLine, headerLine, readJournal } from '../src/privacy/session/journal/journal-lines.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Session } from '../src/privacy/session/session.js';
import { marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { SourceLost } from '../src/source/source-lost.js';
import { plainDomain, plainSource, type Row } from './support/plain-source.js';

const domain = plainDomain([2, 3, 4]);
const rows: readonly Row[] = Array.from({ length: 60 }, (_, i) => [i % 2, i % 3, (i * i) % 4]);
const budget = { rho: 0.5, delta: 1e-6 };
const release = '0123456789abcdef0123456789abcdef';
const header = { release, seed: 7, request: 'a'.repeat(64), how: 'surmise release t.csv --resume' };

/** What outlives a process: a ledger and a journal, which end at their n-th write, before it or behind it. */
const disk = () => {
  const ledger = memoryStore(firstLine(ledgerTerms({ budget: budgetOf(budget), dataset: 'plain', seeds: true })));
  let journal: Uint8Array = headerLine(header);
  return {
    /** A process on this disk that is killed at a write; never with Infinity. */
    process(killedAt: number, behind: boolean) {
      let writes = 0;
      let dead = false;
      const alive = (): void => {
        if (dead) throw new Error('killed');
      };
      const write = async <T>(act: () => Promise<T>): Promise<T> => {
        alive();
        const last = ++writes === killedAt;
        dead = last && !behind;
        alive();
        const done = await act();
        dead = last;
        alive();
        return done;
      };
      const store: LedgerStore = {
        name: ledger.name,
        read: async (from) => {
          alive();
          return ledger.read(from);
        },
        append: (bytes) => write(() => ledger.append(bytes)),
      };
      const found = readJournal(journal)!;
      const kept: Journal = {
        entries: found.entries,
        append: (entry) =>
          write(async () => {
            const line = entryLine(entry);
            const next = new Uint8Array(journal.length + line.length);
            next.set(journal);
            next.set(line, journal.length);
            journal = next;
          }),
      };
      return { store, journal: kept, writes: () => writes };
    },
    inspect: () => inspectLedger(ledger),
    entries: () => readJournal(journal)!.entries,
  };
};

/** Asks for something of every kind, the later depending on the earlier. */
const mechanism = async (session: Session): Promise<unknown> => {
  const total = await session.total(0.1);
  const [first] = await session.measure([marginal('a')], 0.2);
  const candidates = [marginal('b'), marginal('c')].map((query, i) => ({ query, reference: new Float64Array(3 + i) }));
  const chosen = await session.select(candidates, 0.1);
  const cell = await session.selectCell(candidates, 0.1);
  const groups = await session.partition(['a'], 0.2, async (doors) => {
    const seen: unknown[] = [];
    for (const door of doors) {
      seen.push((await door.measure([marginal('b')], 0.5))[0].values);
      seen.push((await door.measure([marginal('c')], 0.5))[0].values);
    }
    return seen;
  });
  const error = await session.largestError(candidates, 0.1);
  const drawn = await session.drawCells(candidates, 0.1, { draws: 3 });
  const rest = await session.measure([marginal('b', 'c'), candidates[chosen].query], session.remaining);
  return { total, first, chosen, cell, groups, error, drawn, rest };
};

const run = async ({ store, journal }: { store: LedgerStore; journal: Journal }) => {
  const source = plainSource(domain, rows);
  const ledger = await storedLedger(store, { durable: false });
  const session = openSession({ source, ledger, budget, release, journal, entropy: seededEntropy(11) });
  try {
    const result = await mechanism(session);
    await session.close();
    return { result, acts: session.acts(), statement: session.statement(), reads: source.reads() };
  } finally {
    await session.suspend().catch(() => undefined);
  }
};

const lostIn = (entries: readonly JournalEntry[]): number =>
  entries.filter(({ kind }) => kind === 'begin').length - entries.filter(({ kind }) => kind === 'done').length;

describe('a session with a journal', () => {
  it('comes to the same after a kill at any write, or has lost one act and spent no more', async () => {
    const quiet = disk();
    const whole = quiet.process(Number.POSITIVE_INFINITY, false);
    const expected = await run(whole);
    const planned = (await quiet.inspect()).status.spent;
    expect(whole.writes()).toBeGreaterThan(40);
    let [lost, stuck] = [0, 0];
    for (let write = 1; write <= whole.writes(); write++)
      for (const behind of [false, true]) {
        const own = disk();
        // The last write gives back what is left, which may fail without harm.
        const died = await run(own.process(write, behind)).then(
          () => false,
          () => true,
        );
        expect(died).toBe(write < whole.writes());
        const gone = lostIn(own.entries());
        expect(gone).toBeLessThanOrEqual(1);
        lost += gone;
        const after = await run(own.process(Number.POSITIVE_INFINITY, false)).catch((error: unknown) => {
          // The last act of a group, or of all, has nothing behind it to take from.
          expect([gone, String(error)]).toEqual([1, expect.stringContaining('got all of it lost to an interruption')]);
          return undefined;
        });
        const { status, open, runs, damage } = await own.inspect();
        expect(damage).toBeUndefined();
        // Never more, and all of it but for what is lost to rounding down.
        expect(status.spent <= status.total).toBe(true);
        if (after === undefined) {
          stuck++;
          continue;
        }
        expect([open, runs]).toEqual([[], []]);
        expect(after.statement.spent).toBe(formatAmount(status.spent));
        expect(Number(planned - status.spent) / Number(planned)).toBeLessThan(1e-6);
        if (gone === 0) {
          expect(after.result).toEqual(expected.result);
          expect(after.acts.map(({ charges }) => charges)).toEqual(expected.acts.map(({ charges }) => charges));
        } else expect(after.acts.length).toBeGreaterThanOrEqual(expected.acts.length);
      }
    // The kills between beginning and end of an act, in front of and behind two writes each.
    expect(lost).toBeGreaterThan(10);
    expect(stuck).toBeLessThan(lost / 2);
  }, 60_000);

  it('survives any number of kills', async () => {
    const random = seeded(5);
    const endless = () => Number.POSITIVE_INFINITY;
    const { result } = await run(disk().process(endless(), false));
    let same = 0;
    for (let trial = 0; trial < 60; trial++) {
      const own = disk();
      for (let kill = 0; kill < 3; kill++)
        await run(own.process(1 + uniformInteger(random, 20), kill % 2 === 0)).catch(() => undefined);
      const gone = lostIn(own.entries());
      const after = await run(own.process(endless(), false)).catch((error: unknown) => {
        expect([gone > 0, String(error)]).toEqual([true, expect.stringContaining('lost to an interruption')]);
        return undefined;
      });
      const { status, damage } = await own.inspect();
      expect([damage, status.spent <= status.total]).toEqual([undefined, true]);
      if (after === undefined) continue;
      expect(after.statement.spent).toBe(formatAmount(status.spent));
      if (gone > 0) continue;
      expect(after.result).toEqual(result);
      same++;
    }
    expect(same).toBeGreaterThan(10);
  });

  it('reads nothing again that it has, and refuses to do something else', async () => {
    const own = disk();
    await run(own.process(Number.POSITIVE_INFINITY, false));
    const again = await run(own.process(Number.POSITIVE_INFINITY, false));
    expect(again.reads).toBe(0);
    const { store, journal } = own.process(Number.POSITIVE_INFINITY, false);
    const source = plainSource(domain, rows);
    const session = openSession({
      source,
      ledger: await storedLedger(store, { durable: false }),
      budget,
      release,
      journal,
      entropy: seededEntropy(11),
    });
    await expect(session.total(0.2)).rejects.toThrow('must do again what it did before it was interrupted');
    await session.suspend();
    expect(source.reads()).toBe(0);
  });

  it.each(['cancelling', 'losing its rows'])(
    'goes on after %s with nothing lost, where no noise was drawn yet',
    async (how) => {
      const own = disk();
      const { store, journal } = own.process(Number.POSITIVE_INFINITY, false);
      const controller = new AbortController();
      const plain = plainSource(domain, rows);
      const source = {
        ...plain,
        counts: async (...asked: Parameters<typeof plain.counts>) => {
          if (plain.reads() === 2 && how !== 'cancelling') throw new SourceLost('source: lost');
          if (plain.reads() === 2) controller.abort();
          controller.signal.throwIfAborted();
          return plain.counts(...asked);
        },
      };
      const session = openSession({
        source,
        ledger: await storedLedger(store, { durable: false }),
        budget,
        release,
        journal,
        signal: controller.signal,
        entropy: seededEntropy(11),
      });
      await expect(mechanism(session)).rejects.toThrow();
      await session.suspend();
      expect(lostIn(own.entries())).toBe(0);
      const { result } = await run(own.process(Number.POSITIVE_INFINITY, false));
      expect(result).toEqual((await run(disk().process(Number.POSITIVE_INFINITY, false))).result);
    },
  );

  it('does not go on with a ledger that knows nothing of it', async () => {
    const own = disk();
    await run(own.process(Number.POSITIVE_INFINITY, false));
    const { journal } = own.process(Number.POSITIVE_INFINITY, false);
    await expect(run({ store: disk().process(Number.POSITIVE_INFINITY, false).store, journal })).rejects.toThrow(
      'ledger: must hold the release that goes on',
    );
  });
});

describe('a journal', () => {
  const charges = [{ kind: 'gaussian', sensitivitySquared: rational(1), sigmaSquared: rational(3, 2) }] as const;
  const entries: readonly JournalEntry[] = [
    { kind: 'begin', at: 3, what: 'measure a', charges: charges as never },
    { kind: 'done', at: 3, values: [Float64Array.of(1, -2, 0.1 + 0.2), new Float64Array()], drawn: 12 },
    { kind: 'partition', at: 5, what: 'partition by a', most: '0.1' },
    { kind: 'begin', at: { partition: 5, group: 1 }, what: 'measure b', charges: [] },
  ];
  const bytes = Uint8Array.from([headerLine(header), ...entries.map(entryLine)].flatMap((line) => [...line]));

  it('is read as it was written, without a line that was not finished', () => {
    const found = readJournal(bytes)!;
    expect(found.header).toEqual(header);
    expect(found.whole).toBe(bytes.length);
    expect(found.entries).toEqual(entries);
    for (let cut = 0; cut < bytes.length; cut++) {
      const part = readJournal(bytes.subarray(0, cut));
      if (part === undefined) expect(cut).toBeLessThan(headerLine(header).length);
      else expect(part.entries).toEqual(entries.slice(0, part.entries.length));
    }
  });

  it('is refused with any letter changed', () => {
    for (let place = 0; place < bytes.length; place++) {
      if (bytes[place] === 0x0a) continue;
      const other = bytes.slice();
      other[place] ^= 1;
      expect(() => readJournal(other)).toThrow('journal: must be as surmise wrote it');
    }
  });
});
