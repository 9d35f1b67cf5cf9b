import { afterEach, describe, expect, it } from 'vitest';
import {
  type Household,
  householdAnswers,
  householdDomain,
  householdTable,
  rowsOf,
} from '../../../test/support/households.js';
import { plainTable } from '../../../test/support/plain-source.js';
import type { Domain } from '../../domain/domain.js';
import { type HouseholdSupport, householdSupportOf } from '../../model/households/household-support.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import type { HouseholdModel } from '../../model/model.js';
import { type BudgetRequest, budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { planningDoor } from '../../privacy/session/planning-door.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { householdPairs } from '../../query/workload/household-pairs.js';
import { householdWorkload } from '../../query/workload/household-workload.js';
import { type Workload, workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type MemorySource, memorySource } from '../../source/memory-source.js';
import { chooseMechanism } from '../choose-mechanism.js';
import { hMwem } from '../h-mwem/h-mwem.js';
import { settingsOf } from '../settings.js';
import { hReweightEntry } from './entry.js';
import { hReweight } from './h-reweight.js';

const open: MemorySource[] = [];
afterEach(async () => {
  for (const source of open.splice(0)) await source.close();
});

const domain = householdDomain([3], [3, 2], 3);

/** Households whose persons resemble each other and depend on the household, more in the first cell as `tilt` grows. */
const madeUp = (count: number, tilt: number, seed: number): Household[] => {
  const random = seeded(seed);
  const code = (size: number) => uniformInteger(random, uniformInteger(random, size) + 1);
  return Array.from({ length: count }, () => {
    const own = uniform(random) < tilt ? 0 : 1 + code(2);
    const first = [Math.min(2, own + code(2)), uniform(random) < tilt ? 0 : 1];
    const others = [
      [first[0], 1 - first[1]],
      [code(3), code(2)],
    ];
    return { own: [own], persons: [first, ...others.slice(0, own === 0 ? code(3) : code(2))] };
  });
};
const [priv, pub] = [madeUp(2000, 0.55, 1), madeUp(2000, 0.3, 2)];
const prior = householdSupportOf(householdTable(domain, pub));

const household: Unit = { kind: 'household', column: 'household', maxRecords: 3 };
const terms: readonly [string, Relation, Unit][] = [
  ['a household that comes or goes', 'add-remove', household],
  ['a household in place of another', 'replace-one', household],
  ['what is said of a person', 'replace-one', { kind: 'person', maxRecords: 1 }],
];

const start = async (
  budget: BudgetRequest,
  [, relation, unit]: (typeof terms)[number] = terms[0],
  households: readonly Household[] = priv,
  seed = 10,
) => {
  const table = plainTable(
    domain,
    households.flatMap((one) => rowsOf(domain, one)),
  );
  const ids = households.flatMap(({ persons }, id) => persons.map(() => id));
  const source = await memorySource({ table, ids, unit, dataset: 'homes', threads: 1 });
  open.push(source);
  const ledger = await memoryLedger(budgetOf(budget), 'homes', { relation, unit });
  return { ledger, session: openSession({ source, ledger, budget, relation, entropy: seededEntropy(seed) }) };
};

const workload = householdWorkload(domain, { attributes: 2 });
/** The mean over all answers of |error|, in proportions of households and of persons. */
const meanError = (model: HouseholdModel, households: readonly Household[]): number => {
  const persons = households.reduce((sum, one) => sum + one.persons.length, 0);
  const errors = workload.queries.flatMap(({ query }) => {
    const exact = householdAnswers(query, domain, households);
    const [mine, theirs] =
      query.kind === 'holding' ? [model.householdTotal, households.length] : [model.total, persons];
    return [...model.answer(query)].map((answer, i) => Math.abs(answer / mine - exact[i] / theirs));
  });
  return errors.reduce((sum, error) => sum + error) / errors.length;
};

const fitted = { random: seeded(1), threads: 1 } as const;

describe.each(terms)('reweighted households that protect %s', (...of) => {
  // Some of the public households, so that their answers can be had.
  const within = pub.filter(({ own, persons }, i) => own[0] === 0 || (persons.length > 1 && i % 3 === 0));

  it.each([{ epsilon: 40_000 }, { epsilon: 5000, delta: 1e-6 }])(
    'have the answers of a table within the public ones with a huge budget, and spend all of it: %j',
    async (budget) => {
      const { session } = await start(budget, of, within);
      const { model, measurements } = await hReweight(session, prior, fitted);
      for (const { query } of householdPairs(domain).queries) {
        const exact = householdAnswers(query, domain, within);
        // 1 in 200 households; the seed is fixed.
        model.answer(query).forEach((answer, cell) => {
          expect(Math.abs(answer - exact[cell]), JSON.stringify([query, cell])).toBeLessThan(within.length / 200);
        });
      }
      expect(measurements).toHaveLength(householdPairs(domain).queries.length);
      expect(session.remaining).toBeLessThan(1e-6);
      await session.close();
    },
  );
});

it('are closer than the public households and than hierarchical MWEM, at two budgets', async () => {
  const untouched = meanError(householdSupportModel(prior, 2000), priv);
  for (const epsilon of [0.25, 2]) {
    const budget = { epsilon, delta: 1e-7 };
    const [one, two] = [await start(budget), await start(budget)];
    const reweighted = meanError((await hReweight(one.session, prior, fitted)).model, priv);
    const mwem = meanError((await hMwem(two.session, workload, fitted)).model, priv);
    expect(reweighted, `epsilon ${epsilon}`).toBeLessThan(0.6 * untouched);
    expect(reweighted, `epsilon ${epsilon}`).toBeLessThan(0.8 * mwem);
    for (const { session } of [one, two]) await session.close();
  }
});

it('hold nothing but public households with all their persons', async () => {
  const { session } = await start({ epsilon: 1 });
  const { model } = await hReweight(session, prior, fitted);
  const known = new Set(listed(prior));
  const drawn = householdSupportOf(model.households(500, seeded(3)));
  for (const text of listed(drawn)) expect(known.has(text)).toBe(true);
  await session.close();
});

const listed = ({ table }: HouseholdSupport): string[] =>
  Array.from({ length: table.offsets.length - 1 }, (_, h) =>
    Array.from({ length: table.offsets[h + 1] - table.offsets[h] }, (_, i) =>
      table.columns.map((column) => column[table.offsets[h] + i]).join(),
    )
      .sort()
      .join(' '),
  );

it('are fitted again to other answers of what was measured, and to other public households', async () => {
  const { session } = await start({ epsilon: 2 });
  const { model, measurements, refit } = await hReweight(session, prior, fitted);
  const query = holding('g', 'a');
  (await refit!(measurements)).answer(query).forEach((answer, cell) => {
    expect(answer).toBeCloseTo(model.answer(query)[cell], 6);
  });
  const more = await refit!(measurements.map((one) => ({ ...one, values: one.values.map((value) => 1.05 * value) })));
  expect(more.householdTotal / model.householdTotal).toBeGreaterThan(1.04);
  expect(more.householdTotal / model.householdTotal).toBeLessThan(1.06);
  const redrawn = await refit!(measurements, seeded(9));
  expect(redrawn.householdTotal / model.householdTotal).toBeCloseTo(1, 1);
  expect([...redrawn.answer(query)]).not.toEqual([...model.answer(query)]);
  await session.close();
});

it('with the number of households public, have it exactly', async () => {
  const { session } = await start({ epsilon: 1 }, terms[2]);
  const { model, notes } = await hReweight(session, prior, fitted);
  expect([model.householdTotal, notes.households]).toEqual([2000, 2000]);
  await session.close();
});

describe('reweighting of households refuses before anything is spent', () => {
  it.each<[string, HouseholdSupport, Workload | undefined, RegExp, (typeof terms)[number]]>([
    ['an attribute that there is not', prior, workloadOf([marginal('z')]), /"z"/, terms[0]],
    ['no query', prior, workloadOf([]), /must ask more than what is public/, terms[0]],
    ['what is public alone', prior, workloadOf([holding('g')]), /must ask more than what is public/, terms[2]],
    ['public households of another schema', otherPrior(), undefined, /must have the attributes, cells and/, terms[0]],
    [
      'weights that are not one a household',
      { table: prior.table, weights: prior.weights.slice(1) },
      undefined,
      /one for each of at least one household/,
      terms[0],
    ],
  ])('%s', async (_, given, asked, message, of) => {
    const { session, ledger } = await start({ epsilon: 1 }, of);
    await expect(hReweight(session, given, { ...fitted, workload: asked })).rejects.toThrow(message);
    expect(session.acts()).toEqual([]);
    expect((await ledger.status()).spent).toBe(0n);
    await session.close();
  });
});

function otherPrior(): HouseholdSupport {
  const other = householdDomain([3], [3, 2], 4);
  return householdSupportOf(householdTable(other, pub));
}

describe.each(terms)('the entry of reweighted households that protect %s', (...of) => {
  const [, relation, unit] = of;
  const publicHouseholds = householdTable(domain, pub);
  it.each([{ epsilon: 2, delta: 1e-6 }, { epsilon: 2 }])(
    'foretells what it measures, with which noise: %j',
    async (budget) => {
      const facts = { ...planningDoor({ domain, budget: budgetOf(budget), relation, unit }), publicHouseholds };
      const { mechanism, why } = chooseMechanism(facts);
      expect(mechanism.name).toBe('h-reweight');
      expect(why).toContain('2,000 households, which use 100% of the cells');
      const settings = settingsOf(hReweightEntry, { iterations: 30 });
      const plan = hReweightEntry.plan(facts, settings);
      const { session } = await start(budget, of);
      const { measurements } = await hReweightEntry.release(
        session,
        undefined,
        { ...fitted, publicHouseholds },
        settings,
      );
      expect(plan.steps.map(({ query, noise }) => ({ query, noise }))).toEqual(
        measurements.map(({ query, noise }) => ({ query, noise })),
      );
      await session.close();
    },
  );
});

describe('the entry of reweighted households', () => {
  const door = (of: Domain) => planningDoor({ domain: of, budget: budgetOf({ epsilon: 1 }), unit: household });

  it('is not able without public households, and is not chosen for a handful of them', () => {
    expect(hReweightEntry.fits(door(domain), hReweightEntry.defaults)).toMatchObject({
      able: false,
      why: 'it needs public households, and there are none',
    });
    const few = { ...door(domain), publicHouseholds: householdTable(domain, pub.slice(0, 20)) };
    expect(hReweightEntry.fits(few, hReweightEntry.defaults).why).toBe(
      'the public table has only 20 households, which can still be reweighted',
    );
    expect(chooseMechanism(few).mechanism.name).not.toBe('h-reweight');
  });

  it('takes the workload that is asked', () => {
    const facts = {
      ...door(domain),
      publicHouseholds: householdTable(domain, pub),
      workload: workloadOf([marginal('a'), holding('g', 'b')]),
    };
    expect(hReweightEntry.plan(facts, hReweightEntry.defaults).steps.map(({ answers }) => answers)).toEqual([3, 6]);
  });
});
