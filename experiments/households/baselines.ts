import type { Domain } from '../../src/domain/domain.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { groupHouseholds } from '../../src/domain/households/group-households.js';
import type { HouseholdTable } from '../../src/domain/households/household-table.js';
import { levelsOf } from '../../src/domain/households/levels-of.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import { householdCount } from '../../src/model/households/household-support.js';
import type { Model } from '../../src/model/model.js';
import type { BudgetRequest } from '../../src/privacy/accounting/budget.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import type { Unit } from '../../src/query/unit.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';
import { aim } from '../../src/release/aim/aim.js';
import { memorySource } from '../../src/source/memory-source.js';

/** Whom a run protects: households that come and go, or, as in the paper, what is said of one person. */
export const protectedUnits = ['household', 'person'] as const;
export type Protected = (typeof protectedUnits)[number];

/** Terms of one run. */
export interface Terms {
  readonly protect: Protected;
  readonly budget: BudgetRequest;
  readonly seed: number;
}

/**
 * Households drawn uniformly from all that there can be, with ordered persons: nearly all of the largest size, since there are most of those. What hierarchical
 * MWEM starts with.
 */
export const uniformHouseholds = (domain: Domain, count: number, random: Random): HouseholdTable => {
  const { person } = levelsOf(domain);
  const { attributes, maxSize } = domain.households!;
  const kinds = person.reduce((cells, name) => cells * domain.attributes.find((one) => one.name === name)!.size, 1);
  const shares = Array.from({ length: maxSize }, (_, i) => kinds ** (i + 1 - maxSize));
  const all = shares.reduce((sum, share) => sum + share, 0);
  const rows: number[][] = [];
  const keys: number[] = [];
  for (let h = 0; h < count; h++) {
    let rest = uniform(random) * all;
    let size = maxSize;
    for (let i = 0; i < maxSize && rest >= 0; i++) {
      rest -= shares[i];
      size = i + 1;
    }
    const own = domain.attributes.map(({ size }) => uniformInteger(random, size));
    for (let i = 0; i < size; i++) {
      rows.push(
        domain.attributes.map(({ name, size }, a) =>
          attributes.includes(name) ? own[a] : uniformInteger(random, size),
        ),
      );
      keys.push(h);
    }
  }
  return groupHouseholds({ table: tableOf(domain, rows), keys });
};

/**
 * Flat releases by AIM of the persons' own attributes and of the households' own with their sizes, half of the budget each, and persons put into households at random.
 * Where persons are protected, everything that is said of households is public.
 */
export const randomGrouping = async (
  truth: HouseholdTable,
  { protect, budget, seed }: Terms,
): Promise<HouseholdTable> => {
  const { domain } = truth;
  const { maxSize } = domain.households!;
  const names = levelsOf(domain);
  const people = columnsOf(truth, names.person);
  const homes = homesOf(truth, names.household);
  const [forHomes, forPeople] = [seededEntropy(2 * seed), seededEntropy(2 * seed + 1)];
  const half = protect === 'household' ? 0.5 : 1;
  const ids = personHomes(truth);
  const persons = await released(people, { protect, maxSize, ids, budget, share: half, entropy: forPeople, seed });
  const random = seeded(seed + 1000);
  const drawnHomes =
    protect === 'person'
      ? homes
      : await released(homes, {
          protect,
          maxSize: 1,
          ids: undefined,
          budget,
          share: half,
          entropy: forHomes,
          seed,
        }).then((model) => model.sample(Math.max(1, Math.round(model.total)), random));
  const sizes = Array.from(drawnHomes.columns[drawnHomes.columns.length - 1], (size) => size + 1);
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  const drawn = persons.sample(needed, random);
  const keys = sizes.flatMap((size, h) => Array.from({ length: size }, () => h));
  const rows = keys.map((h, row) => rowOf(domain, drawnHomes, h, drawn, row));
  return groupHouseholds({ table: tableOf(domain, rows), keys });
};

/**
 * A flat release by AIM of persons with the attributes and the size of their household copied to them; persons of equal ones are then put together, as many
 * at a time as that size says.
 */
export const copiedAttributes = async (
  truth: HouseholdTable,
  { protect, budget, seed }: Terms,
): Promise<HouseholdTable> => {
  const { domain } = truth;
  const { maxSize } = domain.households!;
  const { household } = levelsOf(domain);
  const people = columnsOf(
    truth,
    domain.attributes.map(({ name }) => name),
  );
  const size = codeColumn(maxSize, truth.length);
  const ids = personHomes(truth);
  for (let row = 0; row < truth.length; row++) size[row] = truth.offsets[ids[row] + 1] - truth.offsets[ids[row]] - 1;
  const joined = withSize(people, size, maxSize);
  const entropy = seededEntropy(2 * seed);
  const model = await released(joined, { protect, maxSize, ids, budget, share: 1, entropy, seed });
  const random = seeded(seed + 1000);
  const drawn = model.sample(Math.max(1, Math.round(model.total)), random);
  const shared = [...household, sizeName].map((name) => drawn.domain.attributes.findIndex((one) => one.name === name));
  const alike = new Map<string, number[]>();
  for (const row of shuffle(
    Array.from({ length: drawn.length }, (_, i) => i),
    random,
  )) {
    const key = shared.map((column) => drawn.columns[column][row]).join();
    alike.set(key, [...(alike.get(key) ?? []), row]);
  }
  const keys: number[] = [];
  const rows: number[][] = [];
  let home = 0;
  for (const list of alike.values()) {
    const most = drawn.columns[shared[shared.length - 1]][list[0]] + 1;
    list.forEach((row, i) => {
      if (i % most === 0) home++;
      keys.push(home);
      rows.push(rowOf(domain, drawn, row, drawn, row));
    });
  }
  return groupHouseholds({ table: tableOf(domain, rows), keys });
};

const sizeName = 'number of persons';

interface FlatRun extends Omit<Terms, 'protect'> {
  readonly protect: Protected;
  readonly maxSize: number;
  readonly ids: Uint32Array | undefined;
  readonly share: number;
  readonly entropy: ReturnType<typeof seededEntropy>;
}

/** AIM on a flat table, with at most `maxSize` rows of a household. */
const released = async (
  table: Table,
  { protect, maxSize, ids, budget, share, entropy, seed }: FlatRun,
): Promise<Model> => {
  const whole = protect === 'household' && ids !== undefined;
  const unit: Unit = whole ? { kind: 'id', column: 'household', maxRecords: maxSize } : { kind: 'row', maxRecords: 1 };
  const relation = protect === 'household' ? 'add-remove' : 'replace-one';
  const source = await memorySource({
    table,
    ids: whole ? ids : undefined,
    unit,
    random: entropy,
    dataset: 'flat',
    threads: 1,
  });
  const ledger = await memoryLedger(budgetOf(budget), 'flat', { relation, unit });
  const session = openSession({ source, ledger, budget, relation, entropy });
  try {
    const { model } = await aim(session, { random: seeded(seed), threads: 1, share });
    return model;
  } finally {
    await session.close();
    await source.close();
  }
};

/** The household of each person. */
const personHomes = ({ length, offsets }: HouseholdTable): Uint32Array => {
  const homes = new Uint32Array(length);
  for (let h = 0; h + 1 < offsets.length; h++) homes.fill(h, offsets[h], offsets[h + 1]);
  return homes;
};

/** Some columns of the persons' table, as a flat one. */
const columnsOf = ({ domain, columns, length }: Table, names: readonly string[]): Table => {
  const places = names.map((name) => domain.attributes.findIndex((one) => one.name === name));
  return {
    domain: { attributes: places.map((place) => domain.attributes[place]) },
    length,
    columns: places.map((place) => columns[place]),
  };
};

const withSize = ({ domain, columns, length }: Table, size: Table['columns'][number], maxSize: number): Table => {
  const [attribute] = domainOf([{ name: sizeName, type: 'integer', min: 1, max: maxSize }]).attributes;
  return { domain: { attributes: [...domain.attributes, attribute] }, length, columns: [...columns, size] };
};

/** The households' own attributes and sizes, a row for each. */
const homesOf = (table: HouseholdTable, names: readonly string[]): Table => {
  const { domain, columns } = columnsOf(table, names);
  const count = householdCount(table);
  const size = codeColumn(table.domain.households!.maxSize, count);
  for (let h = 0; h < count; h++) size[h] = table.offsets[h + 1] - table.offsets[h] - 1;
  const first = columns.map((column, a) => {
    const own = codeColumn(domain.attributes[a].size, count);
    for (let h = 0; h < count; h++) own[h] = column[table.offsets[h]];
    return own;
  });
  return withSize({ domain, length: count, columns: first }, size, table.domain.households!.maxSize);
};

/** A row over the domain of both levels: household attributes from one table, all others from another. */
const rowOf = (domain: Domain, homes: Table, home: number, people: Table, person: number): number[] =>
  domain.attributes.map(({ name }) => {
    const own = homes.domain.attributes.findIndex((one) => one.name === name);
    const place = people.domain.attributes.findIndex((one) => one.name === name);
    return domain.households!.attributes.includes(name) ? homes.columns[own][home] : people.columns[place][person];
  });

const tableOf = (domain: Domain, rows: readonly (readonly number[])[]): Table => ({
  domain,
  length: rows.length,
  columns: domain.attributes.map(({ size }, a) => {
    const column = codeColumn(size, rows.length);
    rows.forEach((row, i) => {
      column[i] = row[a];
    });
    return column;
  }),
});
