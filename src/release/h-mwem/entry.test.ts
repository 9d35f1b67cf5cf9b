import { afterEach, describe, expect, it } from 'vitest';
import { type Household, householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { type MemorySource, memorySource } from '../../source/memory-source.js';
import { chooseMechanism, rankMechanisms } from '../choose-mechanism.js';
import { settingsOf } from '../settings.js';
import { hMwemEntry } from './entry.js';

const open: MemorySource[] = [];
afterEach(async () => {
  for (const source of open.splice(0)) await source.close();
});

const domain = householdDomain([2], [3, 2], 2);
const household: Unit = { kind: 'household', column: 'household', maxRecords: 2 };
const households = Array.from(
  { length: 200 },
  (_, i): Household => ({
    own: [i % 2],
    persons:
      i % 3 === 0
        ? [[i % 3, 0]]
        : [
            [i % 3, 1],
            [(i * i) % 3, i % 2],
          ],
  }),
);

const terms: readonly [string, BudgetRequest, Relation, Unit][] = [
  ['households, Gaussian noise', { epsilon: 2, delta: 1e-6 }, 'add-remove', household],
  ['households, Laplace noise', { epsilon: 20 }, 'replace-one', household],
  ['persons', { epsilon: 20 }, 'replace-one', { kind: 'person', maxRecords: 1 }],
];

describe.each(terms)('the entry of hierarchical MWEM that protects %s', (_, budget, relation, unit) => {
  const facts = { ...planningDoor({ domain, budget: budgetOf(budget), relation, unit }), expectedRows: 200 };
  const settings = settingsOf(hMwemEntry, { rounds: 6, attributes: 2 });

  it('is chosen for a domain of few households, and foretells what it measures, with which noise', async () => {
    expect(rankMechanisms(facts).map(({ mechanism }) => mechanism.name)).toContain('h-mwem');
    expect(hMwemEntry.fits(facts, settings).why).toBe('all 54 possible households can be listed');
    const plan = hMwemEntry.plan(facts, settings);
    const source = await memorySource({
      table: plainTable(
        domain,
        households.flatMap((one) => rowsOf(domain, one)),
      ),
      ids: households.flatMap(({ persons }, id) => persons.map(() => id)),
      unit,
      dataset: 'homes',
      threads: 1,
    });
    open.push(source);
    const ledger = await memoryLedger(budgetOf(budget), 'homes', { relation, unit });
    const session = openSession({ source, ledger, budget, relation, entropy: seededEntropy(3) });
    const { model, measurements } = await hMwemEntry.release(
      session,
      undefined,
      { random: seeded(1), threads: 1 },
      settings,
    );
    const [counted, , answer] = plan.steps;
    expect(measurements).toHaveLength(counted.times + answer.times);
    expect(counted.noise).toEqual(measurements[0].noise);
    // What was free goes to later rounds, so they have no more noise than was foretold.
    for (const { noise } of measurements.slice(1)) expect(noise.scale).toBeLessThanOrEqual(answer.noise!.scale * 1.02);
    expect(model.households(10, seeded(1)).offsets).toHaveLength(11);
  });
});

describe('the entry of hierarchical MWEM', () => {
  const door = (of: typeof domain, unit: Unit = household) =>
    planningDoor({ domain: of, budget: budgetOf({ epsilon: 1 }), unit });

  it('is not able where there are too many possible households, and says how many; nor without households', () => {
    const large = householdDomain([5, 3], [20, 10], 5);
    const facts = door(large, { ...household, maxRecords: 5 });
    expect(hMwemEntry.fits(facts, hMwemEntry.defaults as never)).toMatchObject({
      able: false,
      why: expect.stringMatching(/at most 1,048,576 possible households to be listed, got 43,086,131,850 /),
    });
    expect(() => chooseMechanism(facts, [hMwemEntry])).toThrow(
      /none can make this release: h-mwem: .*possible households/,
    );
    const plain = door(plainDomain([2, 2]), { kind: 'row', maxRecords: 1 });
    expect(hMwemEntry.fits(plain, hMwemEntry.defaults as never).why).toMatch(/models households, .* no twoLevel/);
  });

  it('takes the workload that is asked, and is not able to answer others than its own kind', () => {
    const facts = door(domain);
    const one = { ...facts, workload: workloadOf([marginal('a')]) };
    expect(hMwemEntry.plan(one, hMwemEntry.defaults as never).steps[1].answers).toBe(3);
    const ranges = { ...facts, workload: workloadOf([prefix('a')]) };
    expect(hMwemEntry.fits(ranges, hMwemEntry.defaults as never).why).toMatch(
      /must be marginals and counts of households/,
    );
  });
});
