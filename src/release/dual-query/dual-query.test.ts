import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { estimateDualQuery, estimateDualQueryBoth } from '../../estimate/dual-query/estimate.js';
import { dualQueryRecords } from '../../estimate/dual-query/records.js';
import type { Model } from '../../model/model.js';
import { supportModel } from '../../model/support/support-model.js';
import { amountToNumber } from '../../privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform } from '../../random/uniform.js';
import { dualQuery } from './dual-query.js';
import { dualQueryEntry } from './entry.js';
import { resolveParameters, sumOfPowers } from './parameters.js';
import { playDualQuery } from './play.js';
import { dualQueryDefaults } from './settings.js';

const domain = plainDomain([2, 3, 4]);
/** 2,000 rows that lean to one side, b following a and c following b. */
const rows: readonly Row[] = Array.from({ length: 2000 }, (_, i) => {
  const random = seeded(i + 1);
  const a = +(uniform(random) < 0.15);
  const b = uniform(random) < 0.8 ? a : 2;
  const c = uniform(random) < 0.7 ? b : 3;
  return [a, b, c];
});
const workload = workloadOf([
  marginal('a', 'b'),
  factored({ b: { kind: 'keep' }, c: { kind: 'prefix' } }),
  marginal('a', 'c'),
]);
const pairs = [
  ['a', 'b'],
  ['b', 'c'],
  ['a', 'c'],
];

const opened = async (budget: BudgetRequest, relation: Relation, table = rows) => {
  const source = plainSource(domain, table);
  const ledger = await memoryLedger(budgetOf(budget), 'plain', { relation });
  return { source, ledger, session: openSession({ source, budget, ledger, relation, entropy: seededEntropy(5) }) };
};

/** Mean total variation over the pairs. */
const errorOf = (model: Model, table = rows): number => {
  let sum = 0;
  for (const names of pairs) {
    const [i, j] = names.map((name) => 'abc'.indexOf(name));
    const size = [2, 3, 4][j];
    const exact = new Float64Array([2, 3, 4][i] * size);
    for (const row of table) exact[row[i] * size + row[j]] += 1 / table.length;
    sum += model.marginal(names).reduce((d, value, cell) => d + Math.abs(value / model.total - exact[cell]), 0) / 2;
  }
  return sum / pairs.length;
};

describe('dual-query', () => {
  it('spends what it may, no more, under both relations and both budgets, with one learning rate for all rounds', async () => {
    for (const budget of [{ rho: 0.05, delta: 1e-6 }, { epsilon: 1 }] as const)
      for (const relation of ['add-remove', 'replace-one'] as const) {
        const { session, ledger } = await opened(budget, relation);
        const random = seeded(3);
        const { game, parameters, measurements } = await playDualQuery(session, {
          workload,
          random,
          rounds: 6,
          samples: 20,
          share: 0.75,
        });
        await session.close();
        const whole = 'rho' in budget ? budget.rho : budget.epsilon;
        const spent = amountToNumber((await ledger.status()).spent) / whole;
        expect(spent).toBeLessThanOrEqual(0.75);
        expect(spent).toBeGreaterThan(0.7499);
        expect(session.acts().length).toBe(relation === 'replace-one' ? 5 : 6);
        expect(measurements.map(({ noise }) => noise.kind === 'none')).toEqual([relation === 'replace-one']);
        expect(game.rounds.map(({ drawn }) => drawn.length)).toEqual(Array(6).fill(20));
        expect(game.rounds[0].perRecord).toBe(0);
        for (const [past, { perRecord }] of game.rounds.slice(1).entries())
          expect((perRecord * game.total) / (past + 1) / parameters.eta).toBeCloseTo(1, 4);
      }
  });

  it('has records that approach the table, by either search, and a model that comes closer', async () => {
    for (const search of ['coordinate', 'programme'] as const) {
      const { session } = await opened({ rho: 20 }, 'replace-one');
      const { game, unproved } = await playDualQuery(session, {
        workload,
        random: seeded(4),
        rounds: 60,
        samples: 60,
        search,
      });
      expect(unproved).toBe(0);
      const own = errorOf(supportModel(dualQueryRecords(domain, game), game.total));
      expect(own).toBeLessThan(0.1);
      const { model } = await estimateDualQuery(domain, game, { until: 'converged' });
      expect(errorOf(model)).toBeLessThan(own / 2);
      const { model: stopped } = await estimateDualQuery(domain, game, { until: 'validated' });
      expect(errorOf(stopped)).toBeLessThan(own);
    }
  });

  it('learns from little: its model is better than its records and than none, on average over tables', async () => {
    let [records, model, none] = [0, 0, 0];
    for (let seed = 1; seed <= 4; seed++) {
      const { session } = await opened({ epsilon: 1, delta: 1e-3 }, 'replace-one');
      const { game } = await playDualQuery(session, { workload, random: seeded(seed) });
      records += errorOf(supportModel(dualQueryRecords(domain, game), game.total));
      model += errorOf((await estimateDualQuery(domain, game)).model);
      none += errorOf((await estimateDualQuery(domain, { ...game, rounds: game.rounds.slice(0, 1) })).model);
    }
    expect(model).toBeLessThan(0.7 * records);
    expect(model).toBeLessThan(0.5 * none);
  });

  it('has both models of one fit as each has its own', async () => {
    const { session } = await opened({ epsilon: 1, delta: 1e-3 }, 'replace-one');
    const { game } = await playDualQuery(session, { workload, random: seeded(2) });
    const both = await estimateDualQueryBoth(domain, game, {});
    for (const until of ['converged', 'validated'] as const) {
      const { model } = await estimateDualQuery(domain, game, { until });
      expect(both[until].marginal(['a', 'c'])).toEqual(model.marginal(['a', 'c']));
    }
    expect(both.validated.marginal(['a', 'c'])).not.toEqual(both.converged.marginal(['a', 'c']));
  });

  it('releases the records or a model, and says how it came to them', async () => {
    const { session } = await opened({ epsilon: 2 }, 'add-remove');
    const records = await dualQuery(session, {
      workload,
      random: seeded(1),
      estimator: 'records',
      share: 0.5,
      search: 'programme',
    });
    expect(records.notes).toMatchObject({ estimator: 'records', search: 'programme', timeLimit: 1, unproved: 0 });
    expect(records.model.sample(50, seeded(1)).length).toBe(50);
    const { model, notes, measurements } = await dualQuery(session, { workload, random: seeded(1), iterations: 40 });
    expect(notes).toMatchObject({ estimator: 'pgm', search: 'coordinate', restarts: 10, until: 'validated' });
    expect(model.total).toBe(measurements[0].values[0]);
    expect(session.remaining).toBeLessThan(1e-4);
  });

  it('refuses what it cannot do before anything is spent or read', async () => {
    const { session, source } = await opened({ epsilon: 1 }, 'add-remove');
    const refused = (options: object) => dualQuery(session, { workload, random: seeded(1), ...options });
    await expect(refused({ workload: workloadOf([factored({ c: { kind: 'mean' } })]) })).rejects.toThrow(
      /0 or 1 a record/,
    );
    await expect(refused({ workload: workloadOf([marginal()]) })).rejects.toThrow(/some attribute/);
    await expect(refused({ rounds: 1 })).rejects.toThrow(/^rounds: must be a whole number from 2 on, got 1/);
    await expect(refused({ samples: 0 })).rejects.toThrow(/^samples: /);
    await expect(refused({ eta: Number.NaN })).rejects.toThrow(/^eta: /);
    await expect(refused({ eta: 1, rounds: 5, samples: 5 })).rejects.toThrow(/got all three/);
    await expect(refused({ memory: 10 })).rejects.toThrow(/or use the estimator records/);
    expect([session.remaining, source.reads()]).toEqual([1, 0]);
  });

  it('plans the rounds that it plays where the number of records is as expected', async () => {
    for (const budget of [{ epsilon: 1, delta: 1e-6 }, { epsilon: 1 }] as const) {
      const facts = {
        ...planningDoor({ domain, budget: budgetOf(budget), relation: 'replace-one' }),
        expectedRows: 2000,
      };
      const { steps, remarks } = dualQueryEntry.plan(facts, dualQueryDefaults);
      const { session } = await opened(budget, 'replace-one');
      const asked = workloadOf(pairs.map((names) => marginal(...names)));
      const { parameters } = await playDualQuery(session, {
        workload: asked,
        random: seeded(1),
        eta: dualQueryDefaults.eta,
      });
      expect(steps[1]).toMatchObject({ times: parameters.rounds - 1, answers: 2 * (6 + 12 + 8) });
      expect(remarks[0]).toContain(`eta of ${parameters.eta.toPrecision(3)};`);
    }
  });

  it('leaves out pairs that a model cannot hold, unless it makes none', () => {
    const wide = plainDomain([50, 50, 50, 50]);
    const facts = planningDoor({ domain: wide, budget: budgetOf({ epsilon: 1 }) });
    const answersWith = (settings: object): number =>
      dualQueryEntry.plan(facts, { ...dualQueryDefaults, ...settings }).steps[1].answers / 2;
    // A chain of pairs has 3 cliques of 2,500 cells; a circle of them would have 125,000.
    expect(answersWith({ modelMegabytes: 0.1 })).toBe(3 * 2500);
    expect(answersWith({ modelMegabytes: 0.1, estimator: 'records' })).toBe(6 * 2500);
    const asked = { ...facts, workload: workloadOf([prefix('a'), marginal('a', 'b', 'c')]) };
    expect(dualQueryEntry.fits(asked, { ...dualQueryDefaults, modelMegabytes: 0.1 })).toMatchObject({
      able: false,
      score: 0,
    });
    expect(dualQueryEntry.fits(asked, dualQueryDefaults)).toMatchObject({ able: true });
  });
});

describe('the parameters of dual-query', () => {
  it('use up the budget, whichever are given', () => {
    for (const power of [1, 2] as const)
      for (const given of [
        {},
        { rounds: 9 },
        { samples: 30 },
        { eta: 0.8 },
        { rounds: 9, eta: 0.8 },
        { samples: 7, eta: 3 },
        { rounds: 12, samples: 4 },
      ])
        for (const capacity of [10, 1e4, 1e8]) {
          const { rounds, samples, eta } = resolveParameters(given, capacity, power);
          expect((samples * eta ** power * sumOfPowers(rounds - 1, power)) / capacity).toBeCloseTo(1, 9);
          expect(rounds).toBeGreaterThanOrEqual(2);
          expect(samples).toBeGreaterThanOrEqual(1);
          if (given.rounds) expect(rounds).toBe(given.rounds);
          if (given.samples) expect(samples).toBe(given.samples);
        }
    // By hand: 1 + 4 + 9 = 14 units, 10 draws, eta 2: 560.
    expect(resolveParameters({ samples: 10, eta: 2 }, 560, 2)).toEqual({ rounds: 4, samples: 10, eta: 2 });
    expect(resolveParameters({ rounds: 4, eta: 2 }, 565, 2).samples).toBe(10);
  });
});
