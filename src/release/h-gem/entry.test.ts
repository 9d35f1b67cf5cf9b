import { afterEach, describe, expect, it } from 'vitest';
import { type Household, householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainDomain, plainTable } from '../../../test/support/plain-source.js';
import { groupHouseholds } from '../../domain/households/group-households.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { type MemorySource, memorySource } from '../../source/memory-source.js';
import { chooseMechanism } from '../choose-mechanism.js';
import { settingsOf } from '../settings.js';
import { hGemEntry } from './entry.js';

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
    persons: Array.from({ length: 1 + (i % 2) }, (__, j) => [(i + j) % 3, (i * j) % 2]),
  }),
);
const table = plainTable(
  domain,
  households.flatMap((one) => rowsOf(domain, one)),
);
const keys = households.flatMap(({ persons }, id) => persons.map(() => id));

const terms: readonly [string, BudgetRequest, Relation, Unit][] = [
  ['households, Gaussian noise', { epsilon: 2, delta: 1e-6 }, 'add-remove', household],
  ['households, Laplace noise', { epsilon: 20 }, 'replace-one', household],
  ['persons', { epsilon: 20 }, 'replace-one', { kind: 'person', maxRecords: 1 }],
];

describe.each(terms)('the entry of H-GEM that protects %s', (_, budget, relation, unit) => {
  const publicHouseholds = groupHouseholds({ table, keys });
  const facts = { ...planningDoor({ domain, budget: budgetOf(budget), relation, unit }), publicHouseholds };
  const small = { rounds: 3, attributes: 2, batch: 20, steps: 2, publicSteps: 4 };
  const settings = settingsOf(hGemEntry, small);

  it('foretells what it measures, with which noise, and starts from public households', async () => {
    expect(hGemEntry.fits(facts, settings)).toMatchObject({ able: true });
    const plan = hGemEntry.plan(facts, settings);
    expect(plan.remarks.join()).toMatch(/trained on the public households first/);
    const source = await memorySource({ table, ids: keys, unit, dataset: 'homes', threads: 1 });
    open.push(source);
    const ledger = await memoryLedger(budgetOf(budget), 'homes', { relation, unit });
    const session = openSession({ source, ledger, budget, relation, entropy: seededEntropy(3) });
    const run = { random: seeded(1), threads: 1, publicHouseholds };
    const { model, measurements, notes } = await hGemEntry.release(session, undefined, run, settings);
    const measures = plan.steps.filter(({ act }) => act === 'measure');
    expect(measurements).toHaveLength(measures.reduce((sum, { times }) => sum + times, 0));
    expect(measures[0].noise).toEqual(measurements[0].noise);
    const last = measures[measures.length - 1].noise!;
    for (const { noise } of measurements.slice(-3)) expect(noise.scale).toBeLessThanOrEqual(last.scale * 1.001);
    expect(notes.public).toBe(true);
    expect(model.households(10, seeded(1)).offsets).toHaveLength(11);
  });
});

describe('the entry of H-GEM', () => {
  const door = (of: typeof domain, unit: Unit = household) =>
    planningDoor({ domain: of, budget: budgetOf({ epsilon: 1 }), unit });
  const defaults = settingsOf(hGemEntry, {}) as never;

  it('is able where there are too many possible households to list, not without households, and takes longer for more', () => {
    const large = householdDomain([5, 3], [20, 10], 5);
    const facts = door(large, { ...household, maxRecords: 5 });
    expect(chooseMechanism(facts, [hGemEntry]).mechanism).toBe(hGemEntry);
    const [less, more] = [door(domain), facts].map((one) => hGemEntry.plan(one, defaults));
    const products = ({ work }: typeof less): number =>
      work.reduce((sum, { amounts }) => sum + (amounts.products ?? 0), 0);
    expect(products(more)).toBeGreaterThan(products(less));
    expect(more.memory).toBeGreaterThan(less.memory);
    const plain = door(plainDomain([2, 2]), { kind: 'row', maxRecords: 1 });
    expect(hGemEntry.fits(plain, defaults).why).toMatch(/models households, .* no twoLevel/);
  });

  it('takes the workload that is asked, and is not able to answer others than its own kind', () => {
    const facts = door(domain);
    const one = { ...facts, workload: workloadOf([marginal('a'), holding('g', 'b')]) };
    expect(hGemEntry.plan(one, defaults).steps[1]).toMatchObject({ act: 'select', answers: 2 });
    const ranges = { ...facts, workload: workloadOf([prefix('a')]) };
    expect(hGemEntry.fits(ranges, defaults).why).toMatch(/must be marginals and counts of households/);
  });

  it('takes more rounds for more households and larger budgets, and says how many it reckoned with', () => {
    const large = householdDomain([5, 3, 4], [4, 5, 6], 3);
    const unit = { ...household, maxRecords: 3 };
    const rounds = (epsilon: number, expectedRows?: number) => {
      const facts = {
        ...planningDoor({ domain: large, budget: budgetOf({ epsilon, delta: 1e-9 }), unit }),
        expectedRows,
      };
      const { steps, remarks } = hGemEntry.plan(facts, defaults);
      expect(/assumes 10,000 private households/.test(remarks.join())).toBe(expectedRows === undefined);
      return steps[1].times;
    };
    const times = [rounds(0.01, 1000), rounds(0.5), rounds(0.5, 20_000), rounds(0.5, 40_000), rounds(10, 1e7)];
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(5);
    expect([times[0], times[4]]).toEqual([5, 40]);
  });

  it('plans to choose nothing where everything that is asked is public', () => {
    const person = planningDoor({
      domain,
      budget: budgetOf({ epsilon: 1 }),
      relation: 'replace-one',
      unit: { kind: 'person', maxRecords: 1 },
    });
    const { steps } = hGemEntry.plan({ ...person, workload: workloadOf([holding('g')]) }, defaults);
    expect(steps.map(({ act, times }) => [act, times])).toEqual([
      ['measure', 1],
      ['measure', 2],
    ]);
  });
});
