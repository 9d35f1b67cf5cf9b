import { afterEach, describe, expect, it } from 'vitest';
import { type Household, householdAnswers, householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainTable } from '../../../test/support/plain-source.js';
import { noiseless, recording, replaying } from '../../../test/support/replay.js';
import { groupHouseholds } from '../../domain/households/group-households.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import type { HouseholdModel } from '../../model/model.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../privacy/primitives.js';
import { sessionOn } from '../../privacy/session/open-session.js';
import { type Counted, holding, holdingCell } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { householdWorkload } from '../../query/workload/household-workload.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { type MemorySource, memorySource } from '../../source/memory-source.js';
import { hGem } from './h-gem.js';

const open: MemorySource[] = [];
afterEach(async () => {
  for (const source of open.splice(0)) await source.close();
});

const domain = householdDomain([2, 3], [3, 2], 3, true);
const workload = householdWorkload(domain, { attributes: 2 });
const random = seeded(21);
const code = (size: number) => uniformInteger(random, uniformInteger(random, size) + 1);
/** Persons resemble each other and depend on their household. */
const households: Household[] = Array.from({ length: 500 }, () => {
  const own = [code(2), code(3)];
  const first = [Math.min(2, own[0] + code(2)), code(2)];
  const others = Array.from({ length: code(3) }, () => [first[0], 1 - first[1]]);
  return { own, persons: [first, ...others] };
});

const byHousehold: Unit = { kind: 'household', column: 'household', maxRecords: 3 };
const byPerson: Unit = { kind: 'person', maxRecords: 1 };
const terms: readonly [string, Unit, Relation][] = [
  ['a household that comes or goes', byHousehold, 'add-remove'],
  ['a household in place of another', byHousehold, 'replace-one'],
  ['what is said of a person', byPerson, 'replace-one'],
];

const tableOf = (of: readonly Household[]) =>
  plainTable(
    domain,
    of.flatMap((one) => rowsOf(domain, one)),
  );
const keysOf = (of: readonly Household[]) => of.flatMap(({ persons }, id) => persons.map(() => id));

const sessionWith = async (
  primitives: Primitives,
  {
    of = households,
    unit = byHousehold,
    relation = 'add-remove',
    budget = { epsilon: 2, delta: 1e-6 },
  }: {
    of?: readonly Household[];
    unit?: Unit;
    relation?: Relation;
    budget?: { epsilon: number; delta?: number };
  } = {},
) => {
  const source = await memorySource({ table: tableOf(of), ids: keysOf(of), unit, dataset: 'homes', threads: 1 });
  open.push(source);
  const ledger = await memoryLedger(budgetOf(budget), 'homes', { relation, unit });
  return sessionOn({ source, ledger, budget, relation }, primitives, true);
};

const small = { batch: 24, steps: 6, publicSteps: 20, threads: 1, network: { noise: 16, hidden: [32, 64] } } as const;

/** The mean over cells of the difference for each household from the truth, persons divided by the most that one has. */
const error = (model: HouseholdModel, query: Counted): number => {
  const exact = householdAnswers(query, domain, households);
  const unit = (query.kind === 'holding' ? 1 : 3) * households.length;
  return model.answer(query).reduce((sum, value, i) => sum + Math.abs(value - exact[i]), 0) / exact.length / unit;
};

describe.each(terms)('H-GEM that protects %s', (_, unit, relation) => {
  it('spends the budget and not more, in both currencies', async () => {
    for (const budget of [{ epsilon: 1 }, { epsilon: 1, delta: 1e-6 }]) {
      const session = await sessionWith(exactPrimitives(seededEntropy(2)), { unit, relation, budget });
      const { measurements, notes, model } = await hGem(session, workload, { ...small, random: seeded(1), rounds: 3 });
      // Where a person is protected: g x h as both kinds of query, and the number of persons.
      const free = unit.kind === 'person' ? 3 : 0;
      expect(notes).toMatchObject({ rounds: 3, free, households: model.householdTotal });
      expect(measurements).toHaveLength(1 + free + 3);
      expect(measurements.slice(1, 1 + free).every(({ noise }) => noise.kind === 'none')).toBe(true);
      expect(session.remaining).toBeGreaterThanOrEqual(0);
      expect(session.remaining).toBeLessThan(1e-5);
    }
  });

  it('learns what it measures of households and of persons, where answers are exact', async () => {
    const session = await sessionWith(noiseless, { unit, relation });
    const options = {
      ...small,
      batch: 60,
      publicSteps: 100,
      steps: 100,
      rounds: 6,
      rate: 3e-3,
      gammaPart: 0.05,
      averageKeep: 0.1,
      score: unit.kind === 'person' ? ('largest' as const) : ('sum' as const),
    };
    const { model, notes } = await hGem(session, workload, { ...options, random: seeded(1) });
    for (const query of notes.selected as Counted[]) expect(error(model, query)).toBeLessThan(0.015);
    if (unit.kind === 'person') {
      expect(error(model, holding('g', 'h'))).toBeLessThan(0.015);
      const persons = households.reduce((sum, one) => sum + one.persons.length, 0);
      expect(Math.abs(model.total / persons - 1)).toBeLessThan(0.03);
    }
  });

  it('leaves the same things for neighbours whose primitives return the same', async () => {
    const { primitives, outputs } = recording(exactPrimitives(seededEntropy(6)));
    const run = async (of: readonly Household[], using: Primitives): Promise<string> => {
      const session = await sessionWith(using, { of, unit, relation });
      const released = await hGem(session, workload, { ...small, rounds: 3, random: seeded(2) });
      const measurements = released.measurements.map(({ query, values }) => ({ query, values: [...values] }));
      const answers = workload.queries.map(({ query }) => [...released.model.answer(query)]);
      return JSON.stringify({ answers, measurements, notes: released.notes, statement: session.statement() });
    };
    const first = await run(households, primitives);
    const { own, persons } = households[0];
    const other = { own: unit.kind === 'person' ? own : [1 - own[0], own[1]], persons: [[2, 1], ...persons.slice(1)] };
    const neighbour = relation === 'add-remove' ? households.slice(1) : [other, ...households.slice(1)];
    expect(await run(neighbour, replaying(outputs))).toBe(first);
  });
});

describe('H-GEM', () => {
  it('asks for attributes in any order, and draws households in which everything agrees', async () => {
    const session = await sessionWith(noiseless);
    const mixed = workloadOf([holding('a', 'g', 'size'), marginal('b', 'h'), marginal()]);
    const { model, notes } = await hGem(session, mixed, { ...small, rounds: 2, random: seeded(1) });
    const orders = [['g', 'size', 'a'], ['h', 'b'], []];
    for (const { attributes } of notes.selected as Counted[]) expect(orders).toContainEqual(attributes);
    const { offsets, columns } = model.households(200, seeded(3));
    for (let h = 0; h < 200; h++)
      for (let row = offsets[h]; row < offsets[h + 1]; row++)
        expect([columns[0][row], columns[1][row], columns[4][row]]).toEqual([
          columns[0][offsets[h]],
          columns[1][offsets[h]],
          offsets[h + 1] - offsets[h] - 1,
        ]);
  });

  it('starts from public households where there are some', async () => {
    const table: HouseholdTable = groupHouseholds({ table: tableOf(households), keys: keysOf(households) });
    const errors = [];
    for (const prior of [undefined, table]) {
      const session = await sessionWith(exactPrimitives(seededEntropy(3)), { budget: { epsilon: 0.01 } });
      const options = { ...small, batch: 60, rounds: 1, steps: 1, publicSteps: 200, rate: 3e-3 };
      const { model, notes } = await hGem(session, workload, { ...options, prior, random: seeded(1) });
      expect(notes.public).toBe(prior !== undefined);
      const scale = households.length / model.householdTotal;
      const got = model.answer(holding('g', 'a')).map((value) => value * scale);
      const exact = householdAnswers(holding('g', 'a'), domain, households);
      errors.push(got.reduce((sum, value, i) => sum + Math.abs(value - exact[i]), 0));
    }
    expect(errors[1]).toBeLessThan(errors[0] / 3);
  });

  it('measures nothing but what is public where nothing else is asked', async () => {
    const session = await sessionWith(exactPrimitives(seededEntropy(3)), { unit: byPerson, relation: 'replace-one' });
    const { notes, model } = await hGem(session, workloadOf([holding('g')]), {
      ...small,
      batch: 60,
      publicSteps: 200,
      rate: 3e-3,
      random: seeded(1),
    });
    expect(notes).toMatchObject({ free: 2, selected: [] });
    expect(session.remaining).toBe(1);
    expect(error(model, holding('g'))).toBeLessThan(0.02);
  });

  it('stops when it is told to, with what was spent', async () => {
    const session = await sessionWith(exactPrimitives(seededEntropy(3)));
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    await expect(
      hGem(session, workload, { ...small, rounds: 3, random: seeded(1), signal: controller.signal, onProgress }),
    ).rejects.toThrow('enough');
    expect(session.remaining).toBeGreaterThan(0.6);
  });

  it('refuses what it cannot do, before anything is spent', async () => {
    const session = await sessionWith(noiseless);
    const run = (over: object, of = workload) => hGem(session, of, { ...small, random: seeded(1), ...over });
    await expect(run({ alpha: 1.5 })).rejects.toThrow(/alpha: must be between 0 and 1, got 1.5/);
    await expect(run({}, workloadOf([prefix('b')]))).rejects.toThrow(/must be marginals and counts .* for h-gem/);
    await expect(run({}, workloadOf([holdingCell(['a'], 0)]))).rejects.toThrow(/cell 0; ask for the marginal/);
    await expect(run({}, workloadOf([holding()]))).rejects.toThrow(/query of some attribute for h-gem/);
    await expect(run({}, workloadOf([marginal('z')]))).rejects.toThrow(/must be among/);
    await expect(run({ rounds: 0.5 })).rejects.toThrow(/h-gem: rounds must be a whole number from 0 on, got 0.5/);
    await expect(run({ batch: 1e9 })).rejects.toThrow(/generator: must fit in/);
    expect(session.remaining).toBe(1);
  });
});
