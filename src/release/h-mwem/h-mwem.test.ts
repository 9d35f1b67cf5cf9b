import { afterEach, describe, expect, it } from 'vitest';
import { type Household, householdAnswers, householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainTable } from '../../../test/support/plain-source.js';
import type { Domain } from '../../domain/domain.js';
import { budgetOf } from '../../privacy/accounting/budget.js';
import { seededEntropy } from '../../privacy/entropy.js';
import { memoryLedger } from '../../privacy/ledger/memory-ledger.js';
import { openSession } from '../../privacy/session/open-session.js';
import { holding, holdingCell } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { prefix } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { householdWorkload } from '../../query/workload/household-workload.js';
import { workloadOf } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { type MemorySource, memorySource } from '../../source/memory-source.js';
import { allHouseholds } from './all-households.js';
import { hMwem } from './h-mwem.js';

const open: MemorySource[] = [];
afterEach(async () => {
  for (const source of open.splice(0)) await source.close();
});

const domain = householdDomain([2], [3, 2], 2);
const workload = householdWorkload(domain, { attributes: 2 });

const madeUp = (count: number): Household[] => {
  const random = seeded(21);
  const code = (size: number) => uniformInteger(random, uniformInteger(random, size) + 1);
  return Array.from({ length: count }, () => {
    const own = code(2);
    // Persons resemble each other and depend on the household.
    const first = [Math.min(2, own + code(2)), code(2)];
    const second = [first[0], 1 - first[1]];
    return { own: [own], persons: code(3) === 0 ? [first] : [first, second] };
  });
};
const households = madeUp(900);

const units: { name: string; unit: Unit; relation: Relation }[] = [
  {
    name: 'a household that comes or goes',
    unit: { kind: 'household', column: 'household', maxRecords: 2 },
    relation: 'add-remove',
  },
  {
    name: 'a household in place of another',
    unit: { kind: 'household', column: 'household', maxRecords: 2 },
    relation: 'replace-one',
  },
  { name: 'what is said of a person', unit: { kind: 'person', maxRecords: 1 }, relation: 'replace-one' },
];
type Terms = (typeof units)[number];

const start = async (budget: { epsilon: number; delta?: number }, terms: Terms = units[0], of: Domain = domain) => {
  const { unit, relation } = terms;
  const rows = of === domain ? households.flatMap((household) => rowsOf(domain, household)) : [];
  const ids = of === domain ? households.flatMap(({ persons }, id) => persons.map(() => id)) : [];
  const source = await memorySource({ table: plainTable(of, rows), ids, unit, dataset: 'homes', threads: 1 });
  open.push(source);
  const ledger = await memoryLedger(budgetOf(budget), 'homes', { relation, unit });
  return { ledger, session: openSession({ source, ledger, budget, relation, entropy: seededEntropy(10) }) };
};

const fitted = { random: seeded(1), rounds: 40, passes: 40, output: 'last', threads: 1 } as const;

describe.each(units)('hierarchical MWEM that protects $name', (terms) => {
  it.each([{ epsilon: 4000 }, { epsilon: 1000, delta: 1e-6 }])(
    'comes close to the truth of both kinds of queries with a large budget, and spends all of it: %j',
    async (budget) => {
      const { session } = await start(budget, terms);
      const { model, measurements, notes } = await hMwem(session, workload, fitted);
      expect(Math.abs(model.householdTotal - 900)).toBeLessThan(10);
      for (const { query } of workload.queries) {
        const exact = householdAnswers(query, domain, households);
        // 2 in 100 households; noise is a few households at most, and the seed is fixed.
        model.answer(query).forEach((answer, cell) => {
          expect(Math.abs(answer - exact[cell]), JSON.stringify([query, cell])).toBeLessThan(18);
        });
      }
      expect(measurements).toHaveLength(41);
      expect(notes).toMatchObject({ rounds: 40, output: 'last', listed: 2 * (6 + 21), ordered: 2 * (6 + 36) });
      expect(session.remaining).toBeLessThan(1e-6);
      await session.close();
    },
  );
});

it('gives the average of the histograms before each update: after one round the uniform one', async () => {
  const { session } = await start({ epsilon: 10 });
  const { model, notes } = await hMwem(session, workload, { random: seeded(1), rounds: 1, threads: 1 });
  expect(notes).toMatchObject({ output: 'average', updates: 1 });
  const uniform = allHouseholds(domain).weights;
  const share = (query: ReturnType<typeof holding>) => model.answer(query)[0] / model.householdTotal;
  expect(share(holding('g'))).toBeCloseTo(0.5, 12);
  // 6 of 42 households have one person.
  expect(model.total / model.householdTotal).toBeCloseTo((6 + 2 * 36) / 42, 12);
  expect(uniform.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  await session.close();
});

it('chooses its rounds by budget and size, and draws households that are possible', async () => {
  const few = await start({ epsilon: 0.1, delta: 1e-6 });
  const many = await start({ epsilon: 10, delta: 1e-6 });
  const [a, b] = await Promise.all(
    [few, many].map(({ session }) => hMwem(session, workload, { random: seeded(1), threads: 1 })),
  );
  expect(Number(a.notes.rounds)).toBeLessThan(Number(b.notes.rounds));
  const drawn = b.model.households(200, seeded(5));
  expect(drawn.offsets).toHaveLength(201);
  for (let h = 0; h < 200; h++) expect([1, 2]).toContain(drawn.offsets[h + 1] - drawn.offsets[h]);
  for (const { session } of [few, many]) await session.close();
});

it('is fitted again to other answers of what it chose', async () => {
  const { session } = await start({ epsilon: 4000 });
  const { model, measurements, refit } = await hMwem(session, workload, fitted);
  const again = await refit!(measurements);
  const query = holding('g', 'a');
  again.answer(query).forEach((answer, cell) => {
    expect(Math.abs(answer - model.answer(query)[cell])).toBeLessThan(9);
  });
  const doubled = await refit!(measurements.map((one) => ({ ...one, values: one.values.map((value) => 2 * value) })));
  expect(doubled.householdTotal).toBe(2 * model.householdTotal);
  await session.close();
});

describe('hierarchical MWEM refuses before anything is spent', () => {
  const large = householdDomain([20, 10], [100, 100, 50], 2);
  it.each<[string, Domain, Parameters<typeof hMwem>[1], object, RegExp]>([
    [
      'a domain with too many households',
      large,
      workloadOf([holding('g')]),
      {},
      /must have at most 1,048,576 possible households/,
    ],
    ['a limit that the domain exceeds', domain, workload, { maxHouseholds: 53 }, /at most 53 possible .* got 54/],
    [
      'another query',
      domain,
      workloadOf([prefix('a')]),
      {},
      /must be marginals and counts of households .* cumulative a/,
    ],
    [
      'a single cell',
      domain,
      workloadOf([holdingCell(['a'], 0)]),
      {},
      /cell 0; ask for the marginal, or for all cells/,
    ],
    ['an attribute that there is not', domain, workloadOf([marginal('z')]), {}, /must be among/],
    ['no query', domain, workloadOf([]), {}, /at least one query/],
    ['no rounds', domain, workload, { rounds: 0 }, /rounds: must be a positive whole number, got 0/],
    ['half an update', domain, workload, { maxUpdates: 0.5 }, /maxUpdates: must be/],
  ])('%s', async (_, of, asked, options, message) => {
    const { session, ledger } = await start({ epsilon: 1 }, units[0], of);
    await expect(hMwem(session, asked, { random: seeded(1), threads: 1, ...options })).rejects.toThrow(message);
    expect(session.acts()).toEqual([]);
    expect((await ledger.status()).spent).toBe(0n);
    await session.close();
  });
});
