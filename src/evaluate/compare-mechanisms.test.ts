import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../test/support/plain-source.js';
import { halves, resampled, rowsAt } from '../domain/resample.js';
import type { Table } from '../domain/table.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { memoryLedger } from '../privacy/ledger/memory-ledger.js';
import { openSession } from '../privacy/session/open-session.js';
import { seeded } from '../random/seeded.js';
import type { Mechanism } from '../release/mechanism.js';
import { mechanismNamed } from '../release/registry.js';
import { compareMechanisms } from './compare-mechanisms.js';

const domain = plainDomain([3, 4, 2]);
const rowsOf = (count: number, shift: number): Row[] =>
  Array.from({ length: count }, (_, i) => [i % 3, ((i % 7) + (i % 5 < shift ? 1 : 0)) % 4, (i >> 2) % 2]);
const tableOf = (rows: readonly Row[]): Table => ({
  domain,
  length: rows.length,
  columns: [0, 1, 2].map((a) => Uint8Array.from(rows, (row) => row[a])),
});
const own = rowsOf(2000, 2);
const standIn = tableOf(own);
const publicTable = tableOf(rowsOf(500, 0));
const open = async (budget: BudgetRequest, seed: number) => {
  const source = plainSource(domain, own);
  const ledger = await memoryLedger(budgetOf(budget), source.dataset);
  return openSession({ source, budget, ledger, entropy: seededEntropy(seed) });
};
const budgets = [0.05, 20].map((epsilon) => ({ epsilon, delta: 1e-6 }));
const names = ['reweight', 'mwem'].map(mechanismNamed);

describe('compareMechanisms', () => {
  it('judges every mechanism with every budget, and more budget errs less', async () => {
    const contest = { standIn, publicTable, mechanisms: names, budgets, runs: 2, open, threads: { threads: 1 } };
    const { contestants, pairs, asIs, sample, unable } = await compareMechanisms(contest);
    expect(pairs).toBe(3);
    expect(unable).toEqual([]);
    expect(contestants.map(({ mechanism, budget }) => [mechanism, budget.epsilon])).toEqual([
      ['reweight', 0.05],
      ['reweight', 20],
      ['mwem', 0.05],
      ['mwem', 20],
    ]);
    for (const { error, seconds } of contestants) {
      expect(error.runs).toBe(2);
      expect(error.mean).toBeGreaterThan(0);
      expect(seconds.mean).toBeGreaterThan(0);
    }
    expect(contestants[1].error.mean).toBeLessThan(contestants[0].error.mean);
    expect(contestants[3].error.mean).toBeLessThan(contestants[2].error.mean);
    // The public table misses what moved; with a large budget reweighting finds it, and gets as close as a fresh sample.
    expect(asIs?.error.mean).toBeGreaterThan(3 * contestants[1].error.mean);
    expect(sample.error.mean).toBeGreaterThan(0);
    expect(await compareMechanisms(contest)).toMatchObject({
      contestants: [{ error: contestants[0].error }, {}, {}, {}],
    });
  });

  it('lists a mechanism that cannot run with the reason, and goes on', async () => {
    const refusing: Mechanism = {
      ...names[1],
      name: 'refusing',
      fits: () => ({ able: false, score: 0, why: 'it will not' }),
    };
    const { contestants, unable, asIs } = await compareMechanisms({
      standIn,
      mechanisms: [names[0], refusing, names[1]],
      budgets: budgets.slice(1),
      runs: 1,
      open,
      threads: { threads: 1 },
    });
    expect(unable).toEqual([
      { mechanism: 'reweight', why: expect.stringMatching(/needs a public table/) },
      { mechanism: 'refusing', why: 'it will not' },
    ]);
    expect(contestants.map(({ mechanism }) => mechanism)).toEqual(['mwem']);
    expect(asIs).toBeUndefined();
  });
});

describe('resampling', () => {
  const numbered: Table = {
    domain: plainDomain([101]),
    length: 101,
    columns: [Uint8Array.from({ length: 101 }, (_, i) => i)],
  };
  it('deals every row to one of two halves', () => {
    const [first, second] = halves(numbered, seeded(2));
    expect([first.length, second.length]).toEqual([51, 50]);
    expect([...first.columns[0], ...second.columns[0]].sort((a, b) => a - b)).toEqual([...numbered.columns[0]]);
    expect([...first.columns[0]]).not.toEqual([
      ...rowsAt(
        numbered,
        Array.from({ length: 51 }, (_, i) => i),
      ).columns[0],
    ]);
  });

  it('draws rows with replacement, as many as asked', () => {
    const drawn = resampled(numbered, 500, seeded(3));
    expect(drawn.length).toBe(500);
    expect(new Set(drawn.columns[0]).size).toBeGreaterThan(80);
  });
});
