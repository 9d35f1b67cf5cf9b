import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import type { Table } from '../../domain/table.js';
import { graphicalPrior } from '../../estimate/graphical/prior/prior.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { treeSize } from '../../model/graphical/tree/junction-tree.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import type { Session } from '../../privacy/session/session.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { AimOptions } from '../adaptive/options.js';
import { aim } from './aim.js';

const sizes = [3, 4, 2, 5, 3];
const names = ['a', 'b', 'c', 'd', 'e'];
const domain = plainDomain(sizes);
const workload = allMarginals(domain, 3);
const budget = { rho: 0.5, delta: 1e-6 };

/** b follows a, and d follows c and b; e is on its own. */
const randomRows = (count: number, seed: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const a = uniform(random) < 0.5 ? 0 : uniformInteger(random, 3);
    const b = uniform(random) < 0.8 ? a : uniformInteger(random, 4);
    const c = uniformInteger(random, 2);
    return [a, b, c, uniform(random) < 0.7 ? (b + c) % 5 : uniformInteger(random, 5), uniformInteger(random, 3)];
  });
};

const tableOf = (rows: readonly Row[]): Table => plainTable(domain, rows);

const sessionWith = async (
  rows: readonly Row[],
  primitives: Primitives,
  request: BudgetRequest = budget,
): Promise<Session> =>
  sessionOn(
    {
      source: plainSource(domain, rows),
      budget: request,
      ledger: await memoryLedger(budgetOf(request), 'plain'),
      relation: 'add-remove',
    },
    primitives,
    true,
  );

const noisy = (seed: number) => exactPrimitives(seededEntropy(seed));
const run = (session: Session, options: Partial<AimOptions> = {}) =>
  aim(session, { random: seeded(1), workload, ...options });

const meanError = (model: GraphicalModel, rows: readonly Row[]): number => {
  const errors = workload.queries.map(({ query }) => {
    const attributes = query.kind === 'marginal' ? query.attributes : [];
    const expected = model.marginal(attributes);
    const exact = new Float64Array(expected.length);
    for (const row of rows)
      exact[attributes.reduce((cell, name) => cell * sizes[names.indexOf(name)] + row[names.indexOf(name)], 0)]++;
    return exact.reduce((sum, count, cell) => sum + Math.abs(count - expected[cell]), 0) / (2 * rows.length);
  });
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
};

describe('aim', () => {
  it('spends all of its budget and no more, under zCDP and under pure epsilon', async () => {
    for (const request of [budget, { epsilon: 1 }]) {
      const session = await sessionWith(randomRows(500, 1), noisy(1), request);
      const { measurements, notes } = await run(session);
      expect(session.remaining).toBeLessThan(1e-6);
      expect(measurements.length).toBe(sizes.length + Number(notes.rounds));
      expect(notes.rounds).toBeGreaterThan(0);
    }
  });

  it('item 13: makes no round of crumbs: none has more noise than the first one, and less than a millionth of the budget is left', async () => {
    const requests = [0.001, 0.03, 1, 30].flatMap((size): BudgetRequest[] => [
      { epsilon: size },
      { epsilon: size, delta: 1e-9 },
    ]);
    for (const request of requests)
      for (const [seed, options] of [{}, { rounds: 1 }, { rounds: 7 }, { share: 0.3 }].entries()) {
        const session = await sessionWith(randomRows(400, seed), noisy(seed), request);
        const { measurements } = await run(session, options);
        const [first, ...later] = measurements.slice(sizes.length).map(({ noise }) => noise.scale);
        // Scales are rounded up by at most 2^-20 of themselves.
        for (const scale of later) expect(scale).toBeLessThanOrEqual(first * (1 + 2 ** -20));
        const { share = 1 } = options as { share?: number | undefined };
        expect(session.remaining - (1 - share)).toBeLessThan(1e-6 * share);
      }
  });

  it('spends the share it is given', async () => {
    const session = await sessionWith(randomRows(500, 1), noisy(1));
    await run(session, { share: 0.25 });
    expect(session.remaining).toBeCloseTo(0.75, 6);
  });

  it('sees the private table through its acts only: on a neighbour with the same outputs everything is the same', async () => {
    const rows = randomRows(300, 2);
    const { primitives, outputs } = recording(noisy(2));
    const released = await run(await sessionWith(rows, primitives));
    for (const neighbour of [rows.slice(1), [...rows, [2, 3, 1, 4, 2]]]) {
      const session = await sessionWith(neighbour, replaying(outputs));
      const again = await run(session);
      expect(again.notes).toEqual(released.notes);
      expect(again.measurements).toEqual(released.measurements);
      expect((again.model as GraphicalModel).factors).toEqual((released.model as GraphicalModel).factors);
    }
  });

  it('without noise it selects what depends, first the strongest, and comes close to the table', async () => {
    const rows = randomRows(4000, 3);
    const { model, notes } = await run(await sessionWith(rows, noiseless), { until: 'converged' });
    const selected = notes.selected as string[][];
    expect(selected.some((set) => set.includes('a') && set.includes('b'))).toBe(true);
    expect(selected.some((set) => set.includes('b') && set.includes('d'))).toBe(true);
    expect(meanError(model as GraphicalModel, rows)).toBeLessThan(0.02);
  });

  it('keeps the model within the size it is allowed', async () => {
    const bytes = 8 * 40;
    const { model } = await run(await sessionWith(randomRows(2000, 4), noisy(4)), { modelBytes: bytes });
    expect(treeSize((model as GraphicalModel).tree).bytes).toBeLessThanOrEqual(bytes);
    const free = await run(await sessionWith(randomRows(2000, 4), noisy(4)));
    expect(treeSize((free.model as GraphicalModel).tree).bytes).toBeGreaterThan(bytes);
  });

  it('gains from a prior that fits, and leaves aside one whose attributes are distributed otherwise', async () => {
    const rows = randomRows(400, 5);
    const request = { rho: 0.01, delta: 1e-6 };
    const good = graphicalPrior(domain, tableOf(randomRows(4000, 6)));
    const bad = graphicalPrior(domain, tableOf(Array.from({ length: 4000 }, () => [2, 3, 0, 4, 1])));
    const [plain, withGood, withBad] = await Promise.all(
      [undefined, good, bad].map(async (prior) =>
        run(await sessionWith(rows, noisy(5), request), prior === undefined ? {} : { prior }),
      ),
    );
    expect(withGood.notes.prior).toBe('kept');
    expect(withBad.notes.prior).toBe('left aside');
    expect(meanError(withGood.model as GraphicalModel, rows)).toBeLessThan(
      0.7 * meanError(plain.model as GraphicalModel, rows),
    );
  });

  it('makes a model of finite counts from odd tables: no records, one, far too much noise, hardly any', async () => {
    const prior = graphicalPrior(domain, tableOf(randomRows(50, 8)));
    for (const [count, request] of [
      [0, budget],
      [0, { epsilon: 0.001 }],
      [1, { rho: 1e-6, delta: 1e-9 }],
      [1, { rho: 500, delta: 1e-9 }],
      [3000, { epsilon: 0.001 }],
      [3000, { epsilon: 100 }],
      [3000, { rho: 500, delta: 1e-9 }],
    ] as const)
      for (const options of [{}, { prior }]) {
        const { model } = await run(await sessionWith(randomRows(count, 9), noisy(9), request), options);
        for (const name of names) {
          const counts = model.marginal([name]);
          expect([...counts].every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
        }
        expect(model.sample(20, seeded(1)).length).toBe(20);
      }
  });
});
