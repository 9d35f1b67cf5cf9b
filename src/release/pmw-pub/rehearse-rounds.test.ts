import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { parseSchema } from '../../domain/schema/parse-schema.js';
import type { Table } from '../../domain/table.js';
import { planRelease } from '../../flow/plan-release.js';
import { supportOf } from '../../model/support/support.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import type { Noise } from '../../privacy/measurement.js';
import { openSession } from '../../privacy/session/open-session.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { mwemEntry } from '../mwem/entry.js';
import { settingsOf } from '../settings.js';
import { pmwPubEntry } from './entry.js';
import { rehearseRounds, tryRounds } from './rehearse-rounds.js';

const domain = plainDomain([3, 4, 2, 3]);
const workload = allMarginals(domain, 2);
const rowsOf = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const first = uniform(random) < 0.4 ? 0 : uniformInteger(random, 3);
    return [first, (first + uniformInteger(random, 3)) % 4, uniformInteger(random, 2), uniformInteger(random, 3)];
  });
};
const table: Table = plainTable(domain, rowsOf(1000, 1));
/** Gaussian noise that grows with the rounds as it does at a fixed budget. */
const noiseFrom =
  (one: number) =>
  (rounds: number): Noise => ({ kind: 'gaussian', scale: one * Math.sqrt(rounds) });

describe('rehearsing the number of rounds on the public table', () => {
  it('takes few rounds where noise drowns them and many where there is little, near the formula and the same each time', async () => {
    const chosen: number[] = [];
    for (const [one, formula] of [
      [400, 50],
      [0.1, 5],
      [0.1, 60],
    ] as const) {
      const known = { records: 5000, formula, noise: noiseFrom(one) };
      const rounds = await rehearseRounds(table, workload, known, { threads: 1 });
      expect(await rehearseRounds(table, workload, known, { threads: 1 })).toBe(rounds);
      expect(rounds).toBeLessThanOrEqual(5 * formula);
      expect(rounds).toBeGreaterThanOrEqual(formula / 5);
      chosen.push(rounds);
    }
    expect(chosen[0]).toBeLessThan(50);
    expect(chosen[1]).toBeGreaterThan(5);
    expect(chosen[2]).toBeGreaterThan(60);
  });

  it('finds errors that fall with the noise, of both kinds, and leaves the formula where the table is too small', async () => {
    for (const kind of ['gaussian', 'laplace'] as const) {
      const errorAt = async (scale: number): Promise<number> => {
        const known = { records: 5000, formula: 25, noise: () => ({ kind, scale }) };
        const found = await tryRounds(table, workload, known, { threads: 1 });
        expect(found.map(({ rounds }) => rounds)).toEqual([5, 10, 25, 50, 75, 100, 125]);
        return found[3].error;
      };
      const [little, much] = [await errorAt(1), await errorAt(500)];
      expect(little).toBeLessThan(0.02);
      expect(much).toBeGreaterThan(2 * little);
    }
    const small = plainTable(domain, rowsOf(150, 2));
    const known = { records: 5000, formula: 17, noise: noiseFrom(1) };
    expect(await tryRounds(small, workload, known)).toEqual([]);
    expect(await rehearseRounds(small, workload, known)).toBe(17);
  });

  it('draws rows where the private table has fewer than a half, and some marginals where there are very many', async () => {
    const wide = plainDomain([200, 200, 200]);
    const random = seeded(3);
    const rows = Array.from({ length: 300 }, () => [0, 1, 2].map(() => uniformInteger(random, 200)));
    const known = { records: 20, formula: 5, noise: noiseFrom(1) };
    const found = await tryRounds(plainTable(wide, rows), allMarginals(wide, 2), known, { threads: 1 });
    expect(found.map(({ rounds }) => rounds)).toEqual([5, 10, 25]);
    for (const { error } of found) expect(error).toBeLessThan(1);
  });
});

describe('a release', () => {
  it('has the number of rounds that a plan foretells for its number of records; MWEM keeps the formula', async () => {
    const budget = { epsilon: 2, delta: 1e-6 };
    const rows = rowsOf(3000, 5);
    const source = plainSource(domain, rows);
    const session = async () =>
      openSession({
        source,
        budget,
        relation: 'replace-one',
        ledger: await memoryLedger(budgetOf(budget), source.dataset, { relation: 'replace-one' }),
        entropy: seededEntropy(3),
      });
    const schema = parseSchema({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: domain.attributes.map(({ name, size }) => ({ name, type: 'integer', min: 0, max: size - 1 })),
    });
    const run = { random: seeded(1), threads: 1, publicTable: { ...table, domain }, workload };
    const settings = settingsOf(pmwPubEntry, {});
    const told = { schema, budget, relation: 'replace-one', expectedRows: rows.length, workload } as const;
    const planned = await planRelease({ ...told, publicTable: table, mechanism: 'pmw-pub' });
    const { notes } = await pmwPubEntry.release(await session(), supportOf(table), run, settings);
    expect(planned.plan.steps[1].times).toBe(notes.rounds);
    expect(planned.settings).toEqual(settings);
    expect(planned.plan.remarks.some((remark) => remark.includes('rehearsals on the public table'))).toBe(true);
    expect(mwemEntry.tune).toBeUndefined();
  });
});
