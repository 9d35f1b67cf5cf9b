import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource } from '../../test/support/plain-source.js';
import { supportOf } from '../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { memoryLedger } from '../privacy/ledger/memory-ledger.js';
import type { Measurement } from '../privacy/measurement.js';
import { openSession } from '../privacy/session/open-session.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import { answerSize } from '../query/answer.js';
import type { Relation } from '../query/relation.js';
import { seeded } from '../random/seeded.js';
import type { PrivateSource } from '../source/source.js';
import { mechanisms } from './registry.js';
import { type Settings, settingsOf } from './settings.js';

const domain = plainDomain([3, 4, 2]);
const rows = Array.from({ length: 300 }, (_, i) => [i % 3, (i * i) % 4, (i >> 2) % 2]);
const publicTable = {
  domain,
  length: rows.length,
  columns: [0, 1, 2].map((a) => Uint8Array.from(rows, (row) => row[a])),
};
const budgets: readonly [string, BudgetRequest, Relation][] = [
  ['Gaussian noise', { epsilon: 2, delta: 1e-6 }, 'add-remove'],
  ['Laplace noise, a public number of rows', { epsilon: 20 }, 'replace-one'],
];

/** Rounds of which the number is fixed, and groups. */
const fewRounds: Readonly<Record<string, Settings>> = {
  'pmw-pub': { rounds: 4 },
  mwem: { rounds: 4 },
  grouped: { keys: domain.attributes[0].name, pool: 64, draws: 32 },
};

describe.each(budgets)('plans with %s', (_, budget, relation) => {
  const door = planningDoor({ domain, budget: budgetOf(budget), relation });
  const facts = { ...door, prior: supportOf(publicTable), publicTable, publicRows: rows.length };

  // JAM's rounds depend on what it finds, as those of mechanisms that need nothing do; its own test holds its plan.
  it.each(mechanisms.filter(({ name, needs }) => needs !== 'nothing' && name !== 'jam'))(
    'foretell what $name measures, with which noise, and how often',
    async (mechanism) => {
      const settings = settingsOf(mechanism, fewRounds[mechanism.name] ?? {});
      const plan = mechanism.plan(facts, settings);
      const plain = plainSource(domain, rows);
      let counted = 0;
      const source: PrivateSource = {
        ...plain,
        counts: (marginals, options) => {
          counted += new Set(marginals.map(({ attributes }) => attributes.toSorted().join())).size;
          return plain.counts(marginals, options);
        },
      };
      const session = openSession({
        source,
        budget,
        relation,
        ledger: await memoryLedger(budgetOf(budget), source.dataset, { relation }),
        entropy: seededEntropy(3),
      });
      const { measurements } = await mechanism.release(
        session,
        facts.prior,
        { random: seeded(1), threads: 1, publicTable },
        settings,
      );
      const foretold = plan.steps
        .filter(({ act }) => act === 'measure')
        .flatMap(({ answers, noise, times }) => Array.from({ length: times }, () => ({ answers, ...noise! })));
      const done = measurements.map(({ query, noise }: Measurement) => ({
        answers: answerSize(query, domain),
        ...noise,
      }));
      expect(done.map(({ kind, answers }) => [kind, answers])).toEqual(
        foretold.map(({ kind, answers }) => [kind, answers]),
      );
      // What is left after the first measurement is rounded, so later scales agree to many digits and not to all; reweighting goes by a noisy number of records.
      const near = mechanism.name === 'reweight' && relation === 'add-remove' ? 0.05 : 1e-5;
      for (const [i, { scale }] of done.entries())
        expect(Math.abs(scale - foretold[i].scale)).toBeLessThanOrEqual(near * scale);
      if (mechanism.name === 'reweight' || mechanism.name === 'ide')
        expect(plan.work[0].amounts.counts).toBe(rows.length * counted);
      expect(plan.memory).toBeGreaterThan(0);
      expect(plan.work.every(({ amounts }) => Object.values(amounts).every((amount) => amount >= 0))).toBe(true);
    },
  );

  it('have nothing behind their door that could be read or spent', () => {
    expect(Object.keys(door).sort()).toEqual(['budget', 'domain', 'preview', 'previewDraws', 'relation', 'unit']);
  });
});
