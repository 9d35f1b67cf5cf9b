import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, plainTable, type Row } from '../../../test/support/plain-source.js';
import { supportOf } from '../../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { residualPlannerEntry } from './entry.js';
import { residualPlanner } from './residual-planner.js';

const domain = plainDomain([2, 3, 4, 3]);

/** Rows of a hidden type, more of one type the later it is. */
const people = (rows: number, seed: number, shift: number): Row[] => {
  const random = seeded(seed);
  return Array.from({ length: rows }, () => {
    const type = uniform(random) < shift ? 0 : 1 + uniformInteger(random, 2);
    return domain.attributes.map(({ size }, a) =>
      uniform(random) < 0.8 ? (type * (a + 1)) % size : uniformInteger(random, size),
    );
  });
};
const privateRows = people(3000, 1, 0.6);
const prior = supportOf(plainTable(domain, people(1000, 2, 0.3)));

const opened = async (budget: BudgetRequest, relation: Relation = 'add-remove') => {
  const source = plainSource(domain, privateRows);
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return { source, session: openSession({ source, budget, ledger, relation, entropy: seededEntropy(3) }) };
};

/** Mean total variation distance of all pairs from the truth. */
const errorOf = (answer: (names: string[]) => Float64Array): number => {
  const names = domain.attributes.map(({ name }) => name);
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  return (
    pairs.reduce((sum, pair) => {
      const truth = new Float64Array(answer(pair).length);
      const places = pair.map((name) => names.indexOf(name));
      for (const row of privateRows) truth[row[places[0]] * domain.attributes[places[1]].size + row[places[1]]]++;
      const own = answer(pair);
      const total = own.reduce((all, value) => all + value, 0);
      return sum + own.reduce((all, value, cell) => all + Math.abs(value / total - truth[cell] / 3000) / 2, 0);
    }, 0) / pairs.length
  );
};

describe('the residual planner', () => {
  it.each([
    ['reweight', 'add-remove'],
    ['reweight', 'replace-one'],
    ['pgm', 'add-remove'],
    ['pgm', 'replace-one'],
  ] as const)('spends its budget on residuals and comes close, by %s under %s', async (estimator, relation) => {
    const { session } = await opened({ rho: 0.05, delta: 1e-9 }, relation);
    const run = { random: seeded(1), threads: 1, estimator, prior };
    const { model, measurements, notes, refit } = await residualPlanner(session, run);
    // The total, 4 one-way and 6 two-way residuals.
    expect(measurements).toHaveLength(11);
    expect(measurements[0].noise.kind).toBe(relation === 'replace-one' ? 'none' : 'gaussian');
    expect(session.remaining).toBeLessThan(1e-5);
    expect(notes).toMatchObject({ estimator, objective: 'cells', residuals: 11 });
    expect(errorOf((names) => model.marginal(names))).toBeLessThan(0.03);
    if (relation === 'replace-one') expect(model.total).toBe(3000);
    expect(model.total).toBeGreaterThan(2900);
    const again = await refit!(measurements);
    expect(errorOf((names) => again.marginal(names))).toBeLessThan(0.03);
  });

  it('takes what was asked, public rows where there are some, and says what it cannot do before it spends', async () => {
    const { session } = await opened({ rho: 0.05, delta: 1e-9 });
    const asked = { random: seeded(1), threads: 1, workload: workloadOf([marginal('a', 'b', 'c')]) };
    const { measurements, notes } = await residualPlanner(session, { ...asked, share: 0.5 });
    expect(measurements).toHaveLength(8);
    expect(notes).toMatchObject({ estimator: 'pgm' });
    expect((await residualPlanner(session, { ...asked, prior, share: 0.3 })).notes).toMatchObject({
      estimator: 'reweight',
    });
    const before = session.remaining;
    const refused = (more: object) => residualPlanner(session, { ...asked, ...more });
    await expect(refused({ workload: workloadOf([prefix('a')]) })).rejects.toThrow(
      'must be marginals for residual-planner',
    );
    await expect(refused({ estimator: 'reweight' })).rejects.toThrow('needs a public table');
    expect(session.remaining).toBe(before);
    const pure = await opened({ epsilon: 1 });
    await expect(residualPlanner(pure.session, asked)).rejects.toThrow('must have a budget with a delta');
    expect(pure.session.remaining).toBe(1);
    expect(pure.source.reads()).toBe(0);
  });

  it('plans what it does: the same noise for the same residuals', async () => {
    for (const objective of ['cells', 'marginals', 'roots'] as const)
      for (const relation of ['add-remove', 'replace-one'] as const) {
        const budget = { rho: 0.05, delta: 1e-9 };
        const { session } = await opened(budget, relation);
        const settings = { ...residualPlannerEntry.defaults, objective };
        const facts = { ...planningDoor({ domain, budget: budgetOf(budget), relation }), prior };
        const { steps } = residualPlannerEntry.plan(facts, settings);
        const { measurements } = await residualPlannerEntry.release(
          session,
          prior,
          { random: seeded(1), threads: 1 },
          settings,
        );
        expect(steps.map(({ query, noise }) => [query, noise])).toEqual(
          measurements.map(({ query, noise }) => [query, noise]),
        );
        expect(residualPlannerEntry.fits(facts, settings)).toMatchObject({ able: true });
      }
    const pure = { ...planningDoor({ domain, budget: budgetOf({ epsilon: 1 }) }), prior };
    expect(residualPlannerEntry.fits(pure, residualPlannerEntry.defaults).able).toBe(false);
  });
});
