import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { bestMixture } from '../../estimate/multiplicative-weights/best-mixture.js';
import { type Support, supportOf } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { marginalsOf } from '../marginals-of.js';
import { adviseOnPublic, checkPublic } from './check-public.js';
import { chooseByBudget, chooseByValidation } from './choose-public.js';

const sizes = [3, 4, 3];
const domain = plainDomain(sizes);
const workload = allMarginals(domain, 2);
const budget = { rho: 0.5, delta: 1e-6 };

const randomRows = (count: number, seed: number, tilt: number, codes = 4): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () =>
    sizes.map((size) => (uniform(random) < tilt ? 0 : uniformInteger(random, Math.min(size, codes)))),
  );
};

const tableOf = (rows: readonly Row[]): Table => ({
  domain,
  length: rows.length,
  columns: sizes.map((size, a) => {
    const column = codeColumn(size, rows.length);
    rows.forEach((row, i) => {
      column[i] = row[a];
    });
    return column;
  }),
});
const supportFrom = (rows: readonly Row[]): Support => supportOf(tableOf(rows));

const sessionWith = async (rows: readonly Row[], primitives: Primitives) =>
  sessionOn(
    { source: plainSource(domain, rows), budget, ledger: await memoryLedger(budgetOf(budget), 'plain') },
    primitives,
    true,
  );

const mixtureOf = async (support: Support, rows: readonly Row[]): Promise<number> => {
  const model = supportModel(supportFrom(rows), 1);
  const answers = marginalsOf(workload).map((query) => model.answer(query));
  return (await bestMixture(support, marginalsOf(workload), answers, { random: seeded(1) })).error;
};

describe('checking a public table', () => {
  const rows = randomRows(2000, 1, 0.4);

  it('finds the error as it is and the best mixture error, exactly when noise is taken away', async () => {
    const narrow = supportFrom(randomRows(300, 2, 0.1, 2));
    const session = await sessionWith(rows, noiseless);
    const check = await checkPublic(session, narrow, workload, { random: seeded(1), share: 0.1 });
    expect(check.total).toBe(2000);
    expect(check.mixture.kind).toBe('exact');
    expect(check.mixture.value).toBeCloseTo(await mixtureOf(narrow, rows), 5);
    expect(check.asIs.value).toBeGreaterThan(check.mixture.value);
    expect(session.remaining).toBeCloseTo(0.9, 5);
  });

  it('bounds it from above by rounds where it is too large to solve', async () => {
    // 30,000 copies of few rows would be one support row each: distinct rows are what counts, so many marginals are used.
    const wide = plainDomain([12, 12, 12, 12]);
    const random = seeded(3);
    const codes = Array.from({ length: 6000 }, () => wide.attributes.map(({ size }) => uniformInteger(random, size)));
    const table: Table = {
      domain: wide,
      length: codes.length,
      columns: wide.attributes.map((_, a) => Uint8Array.from(codes, (row) => row[a])),
    };
    const ledger = await memoryLedger(budgetOf(budget), 'plain');
    const session = sessionOn({ source: plainSource(wide, codes.slice(0, 3000)), budget, ledger }, noiseless, true);
    const check = await checkPublic(session, supportOf(table), allMarginals(wide, 2), {
      random,
      share: 0.2,
      rounds: 40,
    });
    expect(check.mixture.kind).toBe('upper bound');
    expect(check.mixture.value).toBeLessThan(check.asIs.value);
    expect(session.remaining).toBeCloseTo(0.8, 5);
  });

  it('says the same of neighbours whose primitives return the same', async () => {
    const support = supportFrom(randomRows(100, 4, 0.2));
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(5)));
    const run = async (private_: readonly Row[], using: Primitives) =>
      JSON.stringify(
        await checkPublic(await sessionWith(private_, using), support, workload, { random: seeded(1), share: 0.3 }),
      );
    const first = await run(rows, primitives);
    for (const neighbour of [rows.slice(1), [...rows, [2, 3, 2]]])
      expect(await run(neighbour, replaying(outputs))).toBe(first);
  });

  it('refuses to leave nothing for the release', async () => {
    const session = await sessionWith(rows, noiseless);
    const support = supportFrom(rows);
    await expect(checkPublic(session, support, workload, { random: seeded(1), share: 1 })).rejects.toThrow(/^share: /);
    expect(session.remaining).toBe(1);
  });
});

describe('the advice', () => {
  const facts = (asIs: number, mixture: number, direct: number, margin = 0.001) => ({
    asIs: { value: asIs, margin },
    mixture: { value: mixture, margin, kind: 'exact' as const },
    direct,
  });

  it.each([
    ['reweight', facts(0.1, 0.002, 0.02)],
    ['as-is', facts(0.003, 0.002, 0.02)],
    ['unsuitable', facts(0.1, 0.08, 0.02)],
    ['uncertain', facts(0.1, 0.03, 0.02, 0.02)],
    ['uncertain', { ...facts(0.1, 0.08, 0.02), mixture: { value: 0.08, margin: 0.001, kind: 'upper bound' as const } }],
  ] as const)('is %s', (advice, given) => {
    const verdict = adviseOnPublic(given);
    expect(verdict.advice).toBe(advice);
    expect(verdict.text).toMatch(/\.$/);
  });
});

describe('choosing among public tables', () => {
  const rows = randomRows(3000, 6, 0.4);
  const tables = [supportFrom(randomRows(200, 7, 0.1, 2)), supportFrom(randomRows(200, 8, 0.2))];

  it('by a validation table takes the one whose rows can be weighted to fit it', async () => {
    const validation = supportFrom(randomRows(500, 9, 0.4));
    const { choice, found } = await chooseByValidation(tables, validation, workload, { random: seeded(1) });
    expect(choice).toBe(1);
    expect(found[1].error).toBeLessThan(found[0].error);
  });

  it('by paying takes the one with the least best mixture error and spends its share', async () => {
    const session = await sessionWith(rows, exactPrimitives(seededEntropy(10)));
    const { choice, found } = await chooseByBudget(session, tables, workload, { random: seeded(1), share: 0.4 });
    expect(choice).toBe(1);
    expect(found).toHaveLength(2);
    expect(session.remaining).toBeCloseTo(0.6, 5);
    expect(session.remaining).toBeGreaterThanOrEqual(0.6 - 1e-9);
  });

  it('refuses an empty list', async () => {
    await expect(chooseByValidation([], tables[0], workload, { random: seeded(1) })).rejects.toThrow(/at least one/);
  });
});
