import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import type { Model } from '../../model/model.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import type { Session } from '../../privacy/session/session.js';
import { marginal, total } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { marginalsAsked, mwemByMarginals } from './mwem-by-marginals.js';

const domain = plainDomain([3, 4, 2, 3]);
const workload = allMarginals(domain, 2);
const random = seeded(4);
const rows: Row[] = Array.from({ length: 400 }, () => {
  const first = uniformInteger(random, 3);
  return [first, (first + uniformInteger(random, 2)) % 4, uniformInteger(random, 2), Math.min(2, first)];
});

const sessionWith = async (
  of: readonly Row[],
  primitives: Primitives,
  relation: Relation = 'add-remove',
  budget: { epsilon: number; delta?: number } = { epsilon: 2, delta: 1e-6 },
): Promise<Session> =>
  sessionOn(
    {
      source: plainSource(domain, of),
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'plain', { relation }),
      relation,
    },
    primitives,
    true,
  );

const names = ['a', 'b', 'c', 'd'];
const distance = (model: Model, attributes: readonly string[]): number => {
  const got = model.marginal(attributes);
  const exact = new Float64Array(got.length);
  for (const row of rows)
    exact[attributes.reduce((cell, name) => cell * [3, 4, 2, 3][names.indexOf(name)] + row[names.indexOf(name)], 0)]++;
  return got.reduce((sum, count, cell) => sum + Math.abs(count - exact[cell]), 0) / (2 * rows.length);
};

const both = ['pgm', 'factored'] as const;

describe('MWEM by marginals', () => {
  it.each(both)('spends the budget and not more, under both relations and currencies: %s', async (estimator) => {
    for (const relation of ['add-remove', 'replace-one'] as const)
      for (const budget of [{ epsilon: 1 }, { epsilon: 1, delta: 1e-6 }]) {
        const session = await sessionWith(rows, exactPrimitives(seededEntropy(2)), relation, budget);
        const options = { random: seeded(1), rounds: 3, estimator, threads: 1 };
        const { measurements, notes } = await mwemByMarginals(session, workload, options);
        expect(measurements).toHaveLength(4);
        expect(notes).toMatchObject({ estimator, rounds: 3, leftOut: 0 });
        expect(session.remaining).toBeGreaterThanOrEqual(0);
        expect(session.remaining).toBeLessThan(1e-5);
      }
  });

  it.each(both)('picks the worst marginal and learns it, where answers are exact: %s', async (estimator) => {
    const session = await sessionWith(rows, noiseless, 'replace-one');
    const options = { random: seeded(1), rounds: 8, passes: 2000, estimator, until: 'converged', threads: 1 } as const;
    const { model, notes } = await mwemByMarginals(session, workload, options);
    const selected = notes.selected as string[][];
    // a and d say the same, so their pair is furthest from uniform.
    expect(selected[0]).toEqual(['a', 'd']);
    for (const set of selected) expect(distance(model, set)).toBeLessThan(0.01);
    expect(distance(model, ['a', 'b'])).toBeLessThan(0.01);
  });

  it.each(both)('leaves the same things for neighbours whose primitives return the same: %s', async (estimator) => {
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(6)));
    const run = async (of: readonly Row[], using: Primitives): Promise<string> => {
      const session = await sessionWith(of, using);
      const released = await mwemByMarginals(session, workload, { random: seeded(2), estimator, threads: 1 });
      const measurements = released.measurements.map(({ query, values }) => ({ query, values: [...values] }));
      const answers = workload.queries.map(({ query }) => [...released.model.answer(query)]);
      return JSON.stringify({ answers, measurements, notes: released.notes, statement: session.statement() });
    };
    const first = await run(rows, primitives);
    for (const neighbour of [rows.slice(1), [...rows, [2, 3, 1, 2]]])
      expect(await run(neighbour, replaying(outputs))).toBe(first);
  });

  it.each(both)('is refitted to its own answers as it was, and to others otherwise: %s', async (estimator) => {
    const session = await sessionWith(rows, exactPrimitives(seededEntropy(3)));
    const options = { random: seeded(1), rounds: 3, estimator, until: 'converged', threads: 1 } as const;
    const { model, measurements, refit } = await mwemByMarginals(session, workload, options);
    const again = await refit!(measurements);
    const moved = await refit!(measurements.map((one) => ({ ...one, values: one.values.slice().reverse() })));
    const gap = (other: Model): number =>
      Math.max(...model.marginal(['a', 'b']).map((count, i) => Math.abs(count - other.marginal(['a', 'b'])[i])));
    // Another order of updates moves the weights a little.
    expect(gap(again)).toBeLessThan(0.02 * model.total);
    expect(gap(moved)).toBeGreaterThan(0.02 * model.total);
  });

  it('chooses only what its model can hold', async () => {
    for (const [estimator, modelBytes] of [
      ['factored', 16 * 12],
      ['pgm', 8 * 17],
    ] as const) {
      const session = await sessionWith(rows, noiseless, 'replace-one');
      const options = { random: seeded(1), rounds: 6, estimator, modelBytes, threads: 1 };
      const { notes } = await mwemByMarginals(session, workload, options);
      expect(notes.leftOut).toBeGreaterThan(0);
      expect(new Set((notes.selected as string[][]).map((set) => set.join())).size).toBeLessThan(6);
    }
  });

  it('takes every set of attributes once, by the marginal', () => {
    const queries = [prefix('a'), marginal('b', 'a'), marginal('a', 'b'), total(), marginal('a')];
    const asked = marginalsAsked({ queries: queries.map((query, i) => ({ query, weight: i + 1 })) });
    expect(asked).toEqual([
      { query: marginal('a'), weight: 5 },
      { query: marginal('b', 'a'), weight: 3 },
    ]);
  });

  it('refuses what it cannot do, before anything is spent', async () => {
    const session = await sessionWith(rows, noiseless);
    const options = { random: seeded(1) };
    const run = (over: object, of = workload) => mwemByMarginals(session, of, { ...options, ...over });
    await expect(run({ estimator: 'factored', modelBytes: 16 })).rejects.toThrow(
      /got none that does, the largest of 12/,
    );
    await expect(run({ rounds: 1.5 })).rejects.toThrow(/rounds: must be a positive whole number, got 1.5/);
    await expect(run({}, workloadOf([total()]))).rejects.toThrow(/must name an attribute/);
    expect(session.remaining).toBe(1);
  });
});
