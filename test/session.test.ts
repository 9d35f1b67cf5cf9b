import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../src/domain/domain.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { InputError } from '../src/domain/input-error.js';
import { amountToNumber } from '../src/privacy/accounting/amount.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { costOfAll } from '../src/privacy/accounting/charge.js';
import { answerLists } from '../src/privacy/answers/answer-lists.js';
import { candidateScores, type Scoring } from '../src/privacy/answers/candidate-scores.js';
import { exactAnswers } from '../src/privacy/answers/exact-answers.js';
import { nameCells } from '../src/privacy/answers/named-cells.js';
import { seededEntropy, webEntropy } from '../src/privacy/entropy.js';
import { BudgetError, type Ledger } from '../src/privacy/ledger/ledger.js';
import { memoryLedger, memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { exactPrimitives } from '../src/privacy/primitives.js';
import { openSession, type SessionOptions, sessionOn } from '../src/privacy/session/open-session.js';
import { ownCandidates } from '../src/privacy/session/own-input.js';
import type { Group, Session } from '../src/privacy/session/session.js';
import { marginal } from '../src/query/marginal.js';
import { type FactoredQuery, prefix, type Query } from '../src/query/query.js';
import type { Relation } from '../src/query/relation.js';
import { sensitivity } from '../src/query/sensitivity/sensitivity.js';
import { seeded } from '../src/random/seeded.js';
import { memorySource } from '../src/source/memory-source.js';
import { expandScores } from './support/expand-scores.js';
import { plainDomain, plainSource, type Row } from './support/plain-source.js';
import { noiseless, recording, replaying } from './support/replay.js';

const domain = plainDomain([2, 3, 4]);
const rows: Row[] = [
  [0, 0, 0],
  [0, 1, 3],
  [1, 2, 2],
  [1, 2, 1],
  [1, 0, 3],
];
const rho = { rho: 0.5, delta: 1e-6 };

const options = async (over: Partial<SessionOptions> = {}): Promise<SessionOptions> => ({
  source: plainSource(domain, rows),
  budget: rho,
  ledger: await memoryLedger(budgetOf(over.budget ?? rho), 'plain', {
    relation: over.relation,
    unit: over.source?.unit,
  }),
  entropy: seededEntropy(1),
  ...over,
});

describe('measure', () => {
  it('adds the noise that the share buys under the relation, and charges it', async () => {
    for (const [relation, squared] of [
      ['add-remove', 1],
      ['replace-one', 2],
    ] as const) {
      const given = await options({ relation });
      const session = openSession(given);
      const [one, two] = await session.measure([marginal('a'), marginal('b', 'c')], 0.5);
      // Each query gets rho/4 = S^2/(2 sigma^2).
      expect(one.noise.kind).toBe('gaussian');
      expect(one.noise.scale).toBeCloseTo(Math.sqrt(squared / (2 * 0.125)), 5);
      expect(two.noise).toEqual(one.noise);
      expect([one.values.length, two.values.length]).toEqual([2, 12]);
      expect([...one.values, ...two.values].every(Number.isInteger)).toBe(true);
      expect(session.remaining).toBeCloseTo(0.5, 6);
      await session.close();
      const { spent } = await given.ledger.status();
      expect(amountToNumber(spent)).toBeLessThanOrEqual(0.25);
      expect(amountToNumber(spent)).toBeGreaterThan(0.2499);
    }
  });

  it('uses Laplace noise under a pure budget, with the L1 sensitivity', async () => {
    const session = openSession(await options({ budget: { epsilon: 1 }, relation: 'replace-one' }));
    const [measurement] = await session.measure([prefix('c')], 0.5);
    expect(measurement.noise).toEqual({ kind: 'laplace', scale: 6 });
    expect(session.statement()).toMatchObject({ currency: 'pure', spent: '0.5', epsilon: '0.5' });
  });

  it('divides a share by the weights', async () => {
    const session = openSession(await options());
    const noises = session.preview([marginal('a'), marginal('b')], 1, { weights: [3, 1] });
    expect(noises[1].scale / noises[0].scale).toBeCloseTo(Math.sqrt(3), 4);
    expect(session.remaining).toBe(1);
  });

  it('protects everything an id contributes', async () => {
    const source = plainSource(domain, rows, { unit: { kind: 'id', column: 'person', maxRecords: 3 } });
    const session = openSession(await options({ source }));
    const [noise] = session.preview([marginal('a')], 0.5);
    expect(noise.scale).toBeCloseTo(3 * Math.sqrt(1 / (2 * 0.25)), 5);
  });

  it('gives the exact answers when noise is taken away, for every query type', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const [a, c] = await session.measure([marginal('a'), prefix('c')], 0.1);
    expect([...a.values]).toEqual([2, 3]);
    expect([...c.values]).toEqual([1, 2, 3, 5]);
  });

  it('counts in batches when the memory limit is small, and refuses a marginal beyond it before spending', async () => {
    const small = await options({ memory: 8 * 12 });
    const session = sessionOn(small, noiseless, false);
    const queries = [marginal('a'), marginal('b', 'c'), marginal('c'), marginal('b', 'a'), marginal('a')];
    const measured = await session.measure(queries, 0.1);
    expect(measured.map(({ values }) => values.reduce((sum, value) => sum + value))).toEqual([5, 5, 5, 5, 5]);
    expect([...measured[4].values]).toEqual([2, 3]);
    const before = session.remaining;
    await expect(session.measure([marginal('a', 'b', 'c')], 0.1)).rejects.toThrow(/a x b x c/);
    expect(session.remaining).toBe(before);
  });
});

describe('total', () => {
  it('is measured under add-remove and is public, free and exact under replace-one', async () => {
    const private_ = openSession(await options());
    expect((await private_.total(0.1)).noise.kind).toBe('gaussian');
    expect(private_.remaining).toBeCloseTo(0.9, 6);
    const public_ = openSession(await options({ relation: 'replace-one' }));
    expect(await public_.total(0.1)).toMatchObject({ values: Float64Array.of(5), noise: { kind: 'none', scale: 0 } });
    expect(public_.remaining).toBe(1);
  });
});

describe('the budget', () => {
  it('is never exceeded: ten tenths fit and nothing more', async () => {
    const given = await options();
    const session = openSession(given);
    for (let i = 0; i < 10; i++) await session.measure([marginal('a')], 0.1);
    await expect(session.measure([marginal('a')], 0.1)).rejects.toThrow(BudgetError);
    const { spent, total } = await given.ledger.status();
    expect(spent <= total).toBe(true);
  });

  it('refuses what the ledger no longer holds, without reading a count', async () => {
    const source = plainSource(domain, rows);
    const ledger = await memoryLedger(budgetOf({ rho: 0.1, delta: 1e-6 }), 'plain');
    const session = openSession(await options({ source, ledger }));
    await expect(session.measure([marginal('a')], 1)).rejects.toThrow(/remaining/);
    expect(source.reads()).toBe(0);
    expect(session.remaining).toBe(1);
  });

  it('admits one of two simultaneous calls that fit only once', async () => {
    const session = openSession(await options());
    const both = await Promise.allSettled([session.total(0.6), session.total(0.6)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([0, -0.1, 1.5, Number.NaN])('refuses a share of %d', async (share) => {
    const session = openSession(await options());
    await expect(session.total(share)).rejects.toThrow(InputError);
  });

  it('refuses the ledger of another dataset, and Gaussian noise on a pure ledger', async () => {
    const other = await memoryLedger(budgetOf(rho), 'another');
    const given = await options({ ledger: other });
    expect(() => openSession(given)).toThrow(/another/);
    const pure = await options({ ledger: await memoryLedger(budgetOf({ epsilon: 1 }), 'plain') });
    expect(() => openSession(pure)).toThrow(/pure/);
  });

  it('charges a pure session on a zCDP ledger half of epsilon squared', async () => {
    const ledger = await memoryLedger(budgetOf(rho), 'plain');
    const session = openSession(await options({ budget: { epsilon: 0.5 }, ledger }));
    await session.total(1);
    await session.close();
    expect(amountToNumber((await ledger.status()).spent)).toBeCloseTo(0.125, 12);
  });
});

describe('the order of events', () => {
  const spied = async (faults: { counts?: boolean; commit?: boolean } = {}) => {
    const events: string[] = [];
    const inner = plainSource(domain, rows);
    const ledger = await memoryLedger(budgetOf(rho), 'plain');
    const source = {
      ...inner,
      counts: async (...args: Parameters<typeof inner.counts>) => {
        events.push('read');
        if (faults.counts) throw new Error('the source failed');
        return inner.counts(...args);
      },
    };
    const spy: Ledger = {
      ...ledger,
      run: async (request) => {
        const run = await ledger.run(request);
        events.push('set aside');
        return {
          ...run,
          reserve: async (asked) => {
            const reservation = await run.reserve(asked);
            events.push('reserved');
            return {
              ...reservation,
              commit: async (charges) => {
                if (faults.commit) throw new Error('the disk failed');
                await reservation.commit(charges);
                events.push('committed');
              },
            };
          },
        };
      },
    };
    const exact = exactPrimitives(seededEntropy(5));
    const noisy = {
      ...exact,
      addNoise: (...args: Parameters<typeof exact.addNoise>) => {
        events.push('noise');
        return exact.addNoise(...args);
      },
    };
    const session = sessionOn(await options({ source, ledger: spy }), noisy, true);
    return { events, session, ledger };
  };

  it('is reserve, read, noise, commit', async () => {
    const { events, session } = await spied();
    await session.total(0.1);
    await session.total(0.1);
    expect(events).toEqual(
      ['set aside', ...Array(2).fill(['reserved', 'read', 'noise', 'committed']).flat()].toSpliced(6, 1),
    );
  });

  it('leaves the reservation spent when reading fails', async () => {
    const { session, ledger } = await spied({ counts: true });
    await expect(session.total(0.1)).rejects.toThrow('the source failed');
    expect(session.remaining).toBeCloseTo(0.9, 6);
    await session.close();
    expect(amountToNumber((await ledger.status()).spent)).toBeCloseTo(0.05, 6);
  });

  it('hands out nothing when the commit fails', async () => {
    const { session, ledger } = await spied({ commit: true });
    await expect(session.total(0.1)).rejects.toThrow('the disk failed');
    await session.close();
    expect(amountToNumber((await ledger.status()).spent)).toBeCloseTo(0.05, 6);
  });

  it('spends nothing after it is cancelled', async () => {
    const control = new AbortController();
    const given = await options({ signal: control.signal });
    const session = openSession(given);
    await session.total(0.1);
    control.abort();
    await expect(session.total(0.1)).rejects.toThrow();
    await session.close();
    expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.05, 6);
  });
});

describe('what can be reached through a session', () => {
  const reach = (value: unknown, seen = new Set<unknown>()): unknown[] => {
    if (seen.has(value)) return [];
    seen.add(value);
    if (typeof value !== 'object' && typeof value !== 'function') return [value];
    if (value === null) return [];
    return [
      value,
      ...Reflect.ownKeys(value).flatMap((key) => reach((value as Record<PropertyKey, unknown>)[key], seen)),
    ];
  };

  it('never includes the source, its rows or exact counts', async () => {
    const many = Array.from({ length: 7777 }, (_, i): Row => [i % 2, i % 3, i % 4]);
    const source = plainSource(domain, many);
    const session = openSession(await options({ source }));
    await session.measure([marginal('a')], 0.1);
    await session.select([{ query: marginal('b'), reference: [0, 0, 0] }], 0.1);
    await session.partition(['a'], 0.1, async (groups) => {
      await groups[0].total(0.5);
      expect(reach(groups)).not.toContain(source.counts);
    });
    const reached = reach(session);
    expect(reached.length).toBeGreaterThan(20);
    expect(reached).not.toContain(source);
    expect(reached).not.toContain(source.counts);
    expect(reached).not.toContain(7777);
    expect(reached.filter((value) => value instanceof Float64Array)).toEqual([]);
  });
});

describe('select', () => {
  it('prefers the candidate that its reference serves worst, by weight and offset', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const good = { query: marginal('a'), reference: [2, 3] };
    const bad = { query: marginal('b'), reference: [5, 0, 0] };
    expect(await session.select([good, bad], 0.1)).toBe(1);
    expect(await session.select([good, { ...bad, offset: 7 }], 0.1)).toBe(0);
    expect(await session.select([{ ...good, reference: [0, 5], weight: 3 }, bad], 0.1, { distance: 'largest' })).toBe(
      0,
    );
  });

  it('finds the single answer that is furthest off', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const candidates = [
      { query: marginal('a'), reference: [2, 3] },
      { query: marginal('b'), reference: [2, 1, 0] },
    ];
    expect(await session.selectCell(candidates, 0.1)).toEqual({ candidate: 1, cell: 2 });
  });

  it('keep their references apart when several are asked for at once', async () => {
    const session = sessionOn(await options(), noiseless, false);
    // The far reference is on another cell each time, and cells are named so that some stay unscored.
    const asked = [0, 1, 2, 3].map((far) => [
      {
        query: marginal('c'),
        cells: nameCells([0, 1, 2, 3]),
        reference: [0, 1, 2, 3].map((cell) => (cell === far ? 1e6 : 0)),
      },
    ]);
    const chosen = await Promise.all(asked.map((candidates) => session.selectCell(candidates, 0.05)));
    expect(chosen).toEqual([0, 1, 2, 3].map((cell) => ({ candidate: 0, cell })));
  });

  it('charges by the mechanism: eps^2/8 for the exponential mechanism, eps^2/2 for permute-and-flip', async () => {
    for (const mechanism of ['exponential', 'permute-and-flip'] as const) {
      const given = await options();
      const session = openSession(given);
      await session.select([{ query: marginal('a'), reference: [0, 0] }], 0.5, { mechanism });
      await session.close();
      expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.25, 5);
    }
  });

  it('refuses references of the wrong length, NaN, and no candidates', async () => {
    const session = openSession(await options());
    await expect(session.select([], 0.1)).rejects.toThrow(InputError);
    await expect(session.select([{ query: marginal('a'), reference: [1] }], 0.1)).rejects.toThrow(/2 answers/);
    await expect(session.select([{ query: marginal('a'), reference: [1, Number.NaN] }], 0.1)).rejects.toThrow(/finite/);
    expect(session.remaining).toBe(1);
  });

  it('has integer scores that no neighbour moves by more than the stated sensitivity, and one moves as much', async () => {
    const small = plainDomain([2, 3]);
    const cells = [0, 1].flatMap((a) => [0, 1, 2].map((b): Row => [a, b]));
    const table: Row[] = [
      [0, 0],
      [1, 2],
    ];
    const queries: Query[] = [marginal('a'), marginal('a', 'b'), prefix('b'), marginal('b')];
    const score = async (
      data: readonly Row[],
      references: readonly number[][],
      scoring: Scoring,
      relation: Relation,
    ) => {
      const moves = queries.map((query) => sensitivity(query, small, relation, 1)[scoring === 'l1' ? 'l1' : 'lInf']);
      const all = queries.map((query, i) => ({ query, reference: references[i], weight: i + 0.3, offset: i }));
      // The last answer of every other query has no reference: it is listed only where it is not 0.
      const candidates = all.map(({ reference, ...rest }, i) =>
        i % 2 === 0
          ? { ...rest, reference }
          : { ...rest, reference: reference.slice(0, -1), cells: nameCells([...reference.keys()].slice(0, -1)) },
      );
      const scoring_ = candidateScores(ownCandidates(candidates), moves, scoring, small, { epsilon: 2 });
      const lists = answerLists(exactAnswers(plainSource(small, data), 2 ** 20), 2 ** 20);
      return { ...scoring_, scores: expandScores(await scoring_.read(lists)) };
    };
    const neighbours = {
      'add-remove': [...cells.map((cell) => [...table, cell]), [table[0]], [table[1]]],
      'replace-one': cells.flatMap((cell) => [
        [cell, table[1]],
        [table[0], cell],
      ]),
    };
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const scoring of ['l1', 'largest', 'cells'] as const) {
        let most = 0;
        let stated = 0;
        const reference = fc.array(fc.double({ min: -3, max: 5, noNaN: true }), { minLength: 6, maxLength: 6 });
        const samples = fc.sample(fc.tuple(reference, reference, reference, reference), { numRuns: 20, seed: 3 });
        const exactReferences = [
          [1, 1],
          [1, 0, 0, 0, 0, 1],
          [1, 1, 2],
          [1, 0, 1],
        ];
        for (const sample of [exactReferences, ...samples]) {
          const references = sample.map((values, i) => values.slice(0, [2, 6, 3, 3][i]));
          const base = await score(table, references, scoring, relation);
          stated = base.sensitivity;
          expect(base.scores.every(Number.isSafeInteger)).toBe(true);
          for (const neighbour of neighbours[relation]) {
            const { scores } = await score(neighbour, references, scoring, relation);
            for (let i = 0; i < scores.length; i++) most = Math.max(most, Math.abs(scores[i] - base.scores[i]));
          }
        }
        expect(most).toBeLessThanOrEqual(stated);
        // The prefix query is the heaviest mover for l1; the weights decide the others. Each bound is attained.
        expect(most / stated).toBeGreaterThan(scoring === 'l1' && relation === 'replace-one' ? 0.6 : 0.99);
      }
  });
});

describe('partition', () => {
  it('answers within each group, by cells and by a declared mapping', async () => {
    const session = sessionOn(await options(), noiseless, false);
    const byCell = await session.partition(['a'], 0.2, async (groups) =>
      Promise.all(groups.map(async (group) => [group.key, [...(await group.measure([marginal('b')], 1))[0].values]])),
    );
    expect(byCell).toEqual([
      [[0], [1, 1, 0]],
      [[1], [1, 0, 2]],
    ]);
    const key = { attribute: 'c', groups: [0, 0, 1, 1], size: 3 };
    const mapped = await session.partition([key, 'a'], 0.2, async (groups) =>
      Promise.all(groups.map(async (group) => (await group.total(1)).values[0])),
    );
    expect(mapped).toEqual([1, 1, 1, 2, 0, 0]);
  });

  it('costs what the dearest group spent, and gives back the rest', async () => {
    const given = await options();
    const session = openSession(given);
    await session.partition(['b'], 0.4, async (groups) => {
      expect(groups.map(({ domain: inside }) => inside.attributes.map(({ name }) => name))).toEqual(
        Array.from({ length: 3 }, () => ['a', 'c']),
      );
      await groups[0].total(0.5);
      await groups[1].total(0.25);
      await groups[1].total(0.25);
      await expect(groups[0].total(0.6)).rejects.toThrow(BudgetError);
    });
    expect(session.remaining).toBeCloseTo(0.8, 5);
    await session.close();
    expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.1, 5);
  });

  it('settles what was spent when its body fails, and spends nothing when no group did', async () => {
    const given = await options();
    const session = openSession(given);
    const failing = session.partition(['b'], 0.4, async ([group]) => {
      await group.total(0.5);
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(session.remaining).toBeCloseTo(0.8, 5);
    await session.partition(['b'], 0.4, async () => undefined);
    expect(session.remaining).toBeCloseTo(0.8, 5);
    await session.close();
    const status = await given.ledger.status();
    expect(status.reserved).toBe(0n);
  });

  it('lets the body use the whole table too', async () => {
    const session = openSession(await options());
    await session.partition(['b'], 0.4, async ([group]) => {
      await group.total(1);
      await session.total(0.1);
    });
    expect(session.remaining).toBeCloseTo(0.5, 5);
  });

  it.each(['add-remove', 'replace-one'] as const)(
    'charges at least what any neighbour can learn over all groups together under %s, and no more than needed',
    async (relation) => {
      const small = plainDomain([2, 2, 3]);
      const cells = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1, 2].map((c): Row => [a, b, c])));
      for (const records of [1, 2]) {
        // A unit holds up to `records` rows; every multiset of them, and the empty one where units come and go.
        let contents: Row[][] = [[]];
        const all: Row[][] = [];
        for (let k = 0; k < records; k++) {
          contents = contents.flatMap((held) => cells.map((cell) => [...held, cell]));
          all.push(...contents);
        }
        if (records > 1 || relation === 'add-remove') all.push([]);
        const unit =
          records === 1
            ? ({ kind: 'row', maxRecords: 1 } as const)
            : ({ kind: 'id', column: 'id', maxRecords: records } as const);
        for (const query of [marginal('b', 'c'), prefix('c'), marginal('b')]) {
          const answers = await Promise.all(
            all.map(async (content) => {
              const source = plainSource(small, content, { unit });
              const session = sessionOn(await options({ source, relation }), noiseless, false);
              return session.partition(['a'], 1, async (groups) => {
                const measured = await Promise.all(groups.map((group) => group.measure([query], 1)));
                return measured.map(([{ values, noise }]) => ({ values, variance: noise.scale ** 2 }));
              });
            }),
          );
          let most = 0;
          const pairs = relation === 'add-remove' ? answers.map((x) => [x, answers[answers.length - 1]]) : [];
          if (relation === 'replace-one') for (const x of answers) for (const y of answers) pairs.push([x, y]);
          for (const [x, y] of pairs) {
            const loss = x.reduce((sum, { values, variance }, g) => {
              const squared = values.reduce((s, value, i) => s + (value - y[g].values[i]) ** 2, 0);
              return sum + squared / (2 * variance);
            }, 0);
            most = Math.max(most, loss);
          }
          expect(most).toBeLessThanOrEqual(0.5 + 1e-9);
          expect(most).toBeGreaterThan(0.5 * 0.999);
        }
      }
    },
  );
});

describe('item 1: a door closes', () => {
  it('a group measures nothing after its partition, and everything it did is charged', async () => {
    const given = await options();
    const session = openSession(given);
    let kept: readonly Group[] = [];
    await session.partition(['b'], 0.5, async (groups) => {
      kept = groups;
      await groups[0].total(0.5);
    });
    const acts: ((group: Group) => Promise<unknown>)[] = [
      (group) => group.total(0.5),
      (group) => group.measure([marginal('a')], 0.5),
      (group) => group.select([{ query: marginal('a'), reference: [0, 0] }], 0.5),
      (group) => group.selectCell([{ query: marginal('a'), reference: [0, 0] }], 0.5),
      (group) => group.largestError([{ query: marginal('a'), reference: [0, 0] }], 0.5),
      (group) => group.selectDependence([{ of: ['a'], on: [] }], 0.5, { rows: 5 }),
    ];
    for (const act of acts) await expect(act(kept[0])).rejects.toThrow(/after its end/);
    await session.close();
    expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.125, 5);
    expect(Number(session.statement().spent)).toBeCloseTo(0.125, 5);
  });

  it('acts that the body did not wait for are waited for and charged, also when one of several groups fails', async () => {
    for (const fails of [false, true]) {
      const given = await options();
      const session = openSession(given);
      const stray: Promise<unknown>[] = [];
      const work = session.partition(['b'], 0.5, async ([first, second, third]) => {
        stray.push(second.measure([marginal('a')], 1), third.measure([marginal('a')], 1));
        if (fails) await Promise.all([first.measure([{ kind: 'marginal', attributes: ['nothing'] }], 1), ...stray]);
      });
      await (fails ? expect(work).rejects.toThrow(/nothing/) : work);
      await Promise.all(stray);
      const [charge] = session.acts().flatMap(({ charges }) => charges);
      expect(charge).toMatchObject({ kind: 'parallel', groups: [[{ kind: 'gaussian' }]] });
      await session.close();
      expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.25, 5);
    }
  });

  it('the statement counts an open partition with all that it may spend', async () => {
    const session = openSession(await options());
    await session.partition(['b'], 0.5, async ([group]) => {
      expect(session.statement().spent).toBe('0.25');
      await group.total(0.1);
      expect(session.statement().spent).toBe('0.25');
    });
    expect(Number(session.statement().spent)).toBeCloseTo(0.025, 5);
  });

  it('a session measures nothing after its end, and its open groups neither; what they did is committed', async () => {
    const given = await options();
    const session = openSession(given);
    await session.measure([marginal('a')], 0.1);
    const late: unknown[] = [];
    await session.partition(['b'], 0.5, async ([group, other]) => {
      await group.total(0.5);
      const under = other.total(0.5);
      await session.close();
      await under;
      late.push(await group.total(0.5).catch((error: Error) => error.message));
      late.push(await session.total(0.1).catch((error: Error) => error.message));
    });
    expect(late).toEqual([expect.stringMatching(/after its end/), expect.stringMatching(/after its end/)]);
    // Cached answers are no way around it.
    await expect(session.measure([marginal('a')], 0.1)).rejects.toThrow(/after its end/);
    await expect(session.partition(['b'], 0.1, async () => undefined)).rejects.toThrow(/after its end/);
    await session.close();
    const { spent, reserved } = await given.ledger.status();
    expect(amountToNumber(spent)).toBeCloseTo(0.05 + 0.125, 5);
    expect(reserved).toBe(0n);
  });

  it('neither does it when its source or its ledger is closed', async () => {
    for (const close of ['source', 'ledger'] as const) {
      const source = plainSource(domain, rows);
      const given = await options({ source });
      const session = openSession(given);
      await session.measure([marginal('a')], 0.1);
      await session.partition(['b'], 0.2, async ([group]) => {
        await group.total(0.5);
        if (close === 'source') source.close();
        else given.ledger.close();
        await expect(group.total(0.5)).rejects.toThrow(/closed/);
      });
      await expect(session.measure([marginal('a')], 0.1)).rejects.toThrow(/closed/);
      await session.close();
      expect((await given.ledger.status()).reserved).toBe(0n);
    }
  });
});

describe('item 2: what was planned is what is answered', () => {
  /** A ledger that changes what a caller handed in while the session waits for the reservation. */
  const meddling = async (meddle: () => void): Promise<Ledger> => {
    const ledger = await memoryLedger(budgetOf(rho), 'plain');
    return {
      ...ledger,
      run: async (request) => {
        meddle();
        return ledger.run(request);
      },
    };
  };
  /** Replaces everything in `target` by what is in `by`. */
  const become = (target: object, by: object): void => {
    for (const key of Object.keys(target)) delete (target as Record<string, unknown>)[key];
    Object.assign(target, structuredClone(by));
  };

  it('by every act, whatever a caller changes meanwhile', async () => {
    const cheap = { kind: 'factored', factors: [{ attribute: 'c', block: { kind: 'value', cell: 0 } }] };
    const dear = { kind: 'factored', factors: [{ attribute: 'c', block: { kind: 'moments', count: 6 } }] };
    const acts: ((session: Session, query: Query) => Promise<unknown>)[] = [
      async (session, query) => {
        const [{ query: answered, values }] = await session.measure([query], 0.1);
        expect(answered).toEqual(cheap);
        return [...values];
      },
      (session, query) =>
        session.select(
          [
            { query, reference: [0] },
            { query: marginal('a'), reference: [2, 3] },
          ],
          0.1,
        ),
      (session, query) =>
        session.selectCell(
          [
            { query, reference: [0] },
            { query: marginal('a'), reference: [2, 3] },
          ],
          0.1,
        ),
      (session, query) => session.largestError([{ query, reference: [0] }], 0.1),
    ];
    for (const act of acts) {
      const run = async (meddles: boolean): Promise<unknown> => {
        const query = structuredClone(cheap) as Query;
        const ledger = await meddling(() => meddles && become(query, dear));
        return act(sessionOn(await options({ ledger }), noiseless, true), query);
      };
      expect(await run(true)).toEqual(await run(false));
    }
  });

  it('by best mixture errors and by groups', async () => {
    const bothTimes = async (act: (session: Session, change: { by?: () => void }) => Promise<unknown>) => {
      const results: unknown[] = [];
      for (const meddles of [false, true]) {
        const change: { by?: () => void } = {};
        const ledger = await meddling(() => meddles && change.by?.());
        results.push(await act(sessionOn(await options({ ledger }), noiseless, true), change));
      }
      expect(results[1]).toEqual(results[0]);
    };
    await bothTimes((session, change) => {
      const asked = { kind: 'marginal' as const, attributes: ['a'] };
      const columns = [Uint8Array.of(0, 1), Uint8Array.of(0, 0), Uint8Array.of(0, 0)];
      const publicRows = { domain: structuredClone(domain), length: 2, columns };
      change.by = () => {
        asked.attributes = ['b', 'c'];
        columns[0].fill(0);
      };
      return session.bestMixtureError(publicRows, [asked], 5, 0.1);
    });
    await bothTimes(async (session, change) => {
      const key = { attribute: 'c', groups: [0, 0, 1, 1], size: 2 };
      change.by = () => {
        key.groups = [0, 1, 1, 1];
      };
      return session.partition([key], 0.1, async (groups) => {
        change.by?.();
        return Promise.all(groups.map(async (group) => (await group.total(1)).values[0]));
      });
    });
  });

  it('reads each part of what it is handed once: a query that answers differently each time is one query', async () => {
    let reads = 0;
    const shifty = {
      kind: 'factored',
      factors: [
        {
          attribute: 'c',
          get block() {
            return reads++ === 0 ? { kind: 'value', cell: 0 } : { kind: 'moments', count: 6 };
          },
        },
      ],
    } as Query;
    const session = sessionOn(await options(), noiseless, true);
    const [{ values, query }] = await session.measure([shifty], 0.1);
    expect([[...values], reads]).toEqual([[1], 1]);
    expect(Object.isFrozen(query)).toBe(true);
    expect(Object.isFrozen((query as FactoredQuery).factors[0].block)).toBe(true);
    await expect(session.measure([new Proxy(() => 1, {}) as unknown as Query], 0.1)).rejects.toThrow(InputError);
    await expect(session.measure([{ kind: 'marginal', attributes: 'a' } as unknown as Query], 0.1)).rejects.toThrow(
      InputError,
    );
  });

  it("the domain is that of the opening: later changes of the source's object change no sensitivity", async () => {
    const own = structuredClone(domain) as unknown as { attributes: { size: number }[] };
    const session = openSession(await options({ source: plainSource(own as unknown as Domain, rows) }));
    const [before] = session.preview([prefix('c')], 0.1);
    own.attributes[2].size = 1;
    expect(session.preview([prefix('c')], 0.1)).toEqual([before]);
    expect(Object.isFrozen(session.domain.attributes)).toBe(true);
  });

  it('groups that ask at once, beyond what is kept in memory, get their own answers', async () => {
    const session = sessionOn(await options({ memory: 8 * 24 }), noiseless, true);
    const asked = [marginal('b', 'c'), marginal('c'), marginal('b')];
    const answers = await session.partition(['a'], 0.9, async (groups) =>
      Promise.all(
        groups.flatMap((group) =>
          asked.map(async (query) => [...(await group.measure([query], 0.3))[0].values].reduce((x, y) => x + y)),
        ),
      ),
    );
    expect(answers).toEqual([2, 2, 2, 3, 3, 3]);
  });
});

describe('item 4: one ledger has one meaning', () => {
  it('refuses another relation, another unit and another bound, and says what to do', async () => {
    const ledger = await memoryLedger(budgetOf(rho), 'plain');
    const id = (maxRecords: number) => ({ kind: 'id', column: 'person', maxRecords }) as const;
    const refusal = async (over: Partial<SessionOptions>) => {
      const given = await options({ ledger, ...over });
      expect(() => openSession(given)).toThrow(InputError);
      expect(() => openSession(given)).toThrow(/do not add to them; .*another ledger/);
    };
    await refusal({ relation: 'replace-one' });
    await refusal({ source: plainSource(domain, rows, { unit: id(3) }) });
    const byPerson = await memoryLedger(budgetOf(rho), 'plain', { unit: id(3) });
    await refusal({ ledger: byPerson });
    await refusal({ ledger: byPerson, source: plainSource(domain, rows, { unit: id(2) }) });
    openSession(await options({ ledger: byPerson, source: plainSource(domain, rows, { unit: id(3) }) }));
  });

  it('refuses noise from a seed where the ledger lasts, and exact noise where it was made for seeds', async () => {
    const kept = async (seeds: boolean) =>
      storedLedger(memoryStore(firstLine(ledgerTerms({ dataset: 'plain', budget: budgetOf(rho), seeds }))));
    const { entropy: _, ...exact } = await options({ ledger: await kept(true) });
    expect(() => openSession(exact)).toThrow(/made for noise from a seed/);
    const fromSeed = await options({ ledger: await kept(false) });
    expect(() => openSession(fromSeed)).toThrow(/protects nobody/);
    openSession({ ...fromSeed, ledger: await kept(true) });
    openSession({ ...exact, ledger: await kept(false) });
  });
});

describe('randomness', () => {
  it('that only says that it is not seeded is marked, and so is a choice of rows that somebody could predict', async () => {
    const { entropy: _, ...exact } = await options();
    expect(openSession(exact).statement().seeded).toBe(false);
    const pretending = { seeded: false, uint32: () => 4 };
    expect(openSession({ ...exact, entropy: pretending }).statement().seeded).toBe(true);
    const real = webEntropy();
    expect(() => Object.assign(real, { uint32: () => 4 })).toThrow();
    const source = { ...plainSource(domain, rows), seeded: true };
    expect(openSession({ ...exact, source }).statement().seeded).toBe(true);
    const table = encodeTable(domain, { a: [0, 1], b: [0, 1], c: [0, 1] });
    const unit = { kind: 'id', column: 'person', maxRecords: 1 } as const;
    for (const [random, marked] of [
      [webEntropy(), false],
      [seeded(1), true],
    ] as const) {
      const byPerson = await memorySource({ table, dataset: 'plain', unit, ids: [1, 1], random, threads: 1 });
      expect(byPerson.seeded).toBe(marked);
      await byPerson.close();
    }
  });
});

describe('what was paid', () => {
  it('can be read by everybody and changed by nobody', async () => {
    const session = openSession(await options());
    await session.measure([marginal('a')], 0.5);
    const before = session.statement();
    const [act] = session.acts();
    expect(Object.isFrozen(act.charges) && Object.isFrozen(act.charges[0])).toBe(true);
    expect(() => Object.assign(act.charges[0], { sigmaSquared: { numerator: 10n ** 9n, denominator: 1n } })).toThrow();
    (session.acts() as unknown[]).length = 0;
    expect(session.acts()).toHaveLength(1);
    expect(session.statement()).toEqual(before);
  });
});

describe('item 10: a run is reserved whole', () => {
  it('of several sessions that do not fit together, some run to their end and the others spend nothing', async () => {
    const ledger = await memoryLedger(budgetOf({ rho: 1 }), 'plain');
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => {
        const session = openSession(await options({ ledger, budget: { rho: 0.4 }, entropy: seededEntropy(seed) }));
        try {
          for (let act = 0; act < 4; act++) await session.total(0.25);
          return 'whole';
        } catch (error) {
          expect(error).toBeInstanceOf(BudgetError);
          return session.remaining;
        }
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'whole')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(2);
  });

  it('a run that another process has ended, or whose end cannot be recorded, costs nothing that was paid for', async () => {
    const ledger = await memoryLedger(budgetOf(rho), 'plain');
    const failing: Ledger = {
      ...ledger,
      run: async (request) => ({ ...(await ledger.run(request)), end: () => Promise.reject(new Error('disk full')) }),
    };
    const session = openSession(await options({ ledger: failing }));
    await session.total(0.1);
    await session.close();
    expect(session.acts()).toHaveLength(1);
    expect(amountToNumber((await ledger.status()).spent)).toBe(0.5);
  });

  it('what was set aside and not spent goes back when the session closes, and not before', async () => {
    const given = await options();
    const session = openSession(given);
    await session.total(0.1);
    expect(amountToNumber((await given.ledger.status()).spent)).toBe(0.5);
    await session.close();
    expect(amountToNumber((await given.ledger.status()).spent)).toBeCloseTo(0.05, 6);
  });
});

describe('record and replay', () => {
  /** A small mechanism that uses everything a session offers, and everything that leaves it. */
  const mechanism = async (session: Session): Promise<unknown> => {
    const total = await session.total(0.1);
    const first = await session.measure([marginal('a'), prefix('c')], 0.2, { weights: [1, 2] });
    const chosen = await session.select(
      [marginal('a', 'b'), marginal('b')].map((query) => ({
        query,
        reference: query.attributes.length > 1 ? [0, 0, 0, 1, 1, 1] : [1, 1, 1],
      })),
      0.1,
    );
    const cell = await session.selectCell([{ query: marginal('c'), reference: [1, 1, 1, 1] }], 0.1, {
      mechanism: 'permute-and-flip',
    });
    const pairs = [
      { of: ['a'], on: ['b'] },
      { of: ['c'], on: ['a', 'b'] },
    ];
    const dependence = await session.selectDependence(pairs, 0.1, { rows: 8 });
    const draws = await session.drawCells([{ query: marginal('c'), reference: [1, 1, 1, 1] }], 0.05, { draws: 4 });
    const groups = await session.partition(['a'], 0.2, (doors) =>
      Promise.all(doors.map((door) => door.measure([marginal('b', 'c')], 1))),
    );
    const refusal = await session.measure([marginal('b')], 1).catch((error: Error) => error.message);
    return {
      total,
      first,
      chosen,
      cell,
      dependence,
      draws,
      groups,
      refusal,
      remaining: session.remaining,
      statement: session.statement(),
    };
  };
  const bytes = (value: unknown): string =>
    JSON.stringify(value, (_, x) => (x instanceof Float64Array ? [...x] : typeof x === 'bigint' ? `${x}n` : x));

  it('lets nothing out that depends on the table except through the primitives', async () => {
    const progress: unknown[][] = [[], [], []];
    const neighbours = [rows, [...rows, [1, 1, 1] as Row], rows.slice(1)];
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(9)));
    const results: string[] = [];
    const ledgers: string[] = [];
    for (const [i, table] of neighbours.entries()) {
      const given = await options({
        source: plainSource(domain, table),
        onProgress: (event) => progress[i].push(event),
      });
      const session = sessionOn(given, i === 0 ? primitives : replaying(outputs), true);
      results.push(bytes(await mechanism(session)));
      const { spent, reserved, remaining, records } = await given.ledger.status();
      ledgers.push(bytes({ spent, reserved, remaining, records }));
    }
    expect(results[1]).toBe(results[0]);
    expect(results[2]).toBe(results[0]);
    expect(new Set(ledgers).size).toBe(1);
    expect(progress[1]).toEqual(progress[0]);
    expect(progress[0].length).toBeGreaterThan(0);
  });

  it('would notice a leak: the primitives on another table give another result', async () => {
    const run = async (table: Row[]) =>
      bytes(await mechanism(sessionOn(await options({ source: plainSource(domain, table) }), noiseless, false)));
    expect(await run(rows)).not.toBe(await run([...rows, [1, 1, 1]]));
  });
});

describe('the statement', () => {
  it('follows from the charges alone and says when the noise was seeded', async () => {
    const session = openSession(await options());
    await session.measure([marginal('a')], 0.5);
    const statement = session.statement();
    expect(statement).toMatchObject({ relation: 'add-remove', currency: 'zcdp', delta: '0.000001', seeded: true });
    expect(Number(statement.spent)).toBeCloseTo(0.25, 5);
    expect(Number(statement.epsilon)).toBeGreaterThan(1);
    expect(statement.text).toMatch(/PROTECTS NOBODY/);
    expect(costOfAll([], 'zcdp')).toBe(0n);
    const { entropy: _, ...secure } = await options();
    expect(openSession(secure).statement()).toMatchObject({ seeded: false });
  });
});
