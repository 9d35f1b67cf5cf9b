import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPrivateFile } from '../adapters/private/private-file.js';
import {
  brokenHome,
  brokenLoan,
  homesLike,
  homesSchema,
  loansLike,
  loansSchema,
} from '../experiments/constrained/made-up.js';
import { ways } from '../experiments/constrained/ways.js';
import { writeModel } from '../src/bundle/codec/model-file.js';
import { entryOf } from '../src/bundle/make-bundle.js';
import { verifyBundle } from '../src/bundle/verify-bundle.js';
import { constraintsOf } from '../src/domain/constraints/constraints-of.js';
import { mended } from '../src/domain/constraints/mended.js';
import { decodeTable } from '../src/domain/encode/decode-table.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { groupHouseholds } from '../src/domain/households/group-households.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { makeRelease } from '../src/flow/make-release.js';
import { forbiddenMass } from '../src/model/forbidden-mass.js';
import type { AnyModel, HouseholdModel, Model } from '../src/model/model.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { anyMechanismNamed, householdMechanisms, mechanisms } from '../src/release/registry.js';
import { type Settings, settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const budget = { epsilon: 3, delta: 1e-6 };
const domain = domainFromSchema(loansSchema);
// Rows that break every constraint are among them.
const rows = loansLike(600, 1, { isBroken: true });
const columnsOf = (of: readonly Readonly<Record<string, unknown>>[]) =>
  Object.fromEntries(Object.keys(of[0]).map((name) => [name, of.map((row) => row[name])]));
const table = encodeTable(domain, columnsOf(rows));
const publicTable = mended(encodeTable(domain, columnsOf(loansLike(400, 2, { isBroken: false }))));

test('memory and DuckDB count the same cells of rows that break constraints, which are those of the mended table', async () => {
  const names = domain.attributes.map(({ name }) => name);
  const file = path.join(folder, 'loans.csv');
  const text = [names.join(), ...rows.map((row) => names.map((name) => row[name] ?? '').join())].join('\n');
  await writeFile(file, `${text}\n`);
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal(a, b)));
  const unit = { kind: 'row', maxRecords: 1 } as const;
  const counts = async (engine: 'memory' | 'duckdb') => {
    const source = await openPrivateFile(file, loansSchema, {
      random: seeded(1),
      unit,
      engine,
      dataset: 'test',
      threads: 1,
    });
    const found = await source.counts(pairs);
    await source.close();
    return found;
  };
  const own = await memorySource({ table, dataset: 'test', threads: 1 });
  const expected = await own.counts(pairs);
  await own.close();
  expect(await counts('memory')).toEqual(expected);
  expect(await counts('duckdb')).toEqual(expected);
  // One row stays one row, and none is in a cell that is forbidden.
  for (const [i, { attributes }] of pairs.entries()) {
    expect(expected[i].reduce((sum, count) => sum + count, 0)).toBe(rows.length);
    for (const factor of constraintsOf(domain)!.factors)
      if (factor.attributes.map((at) => names[at]).join() === attributes.join())
        expect(expected[i].every((count, cell) => count === 0 || factor.allowed[cell] === 1)).toBe(true);
  }
});

const releaseBy = async (name: string, settings: Settings): Promise<AnyModel> => {
  const mechanism = anyMechanismNamed(name);
  const homes = mechanism.level === 'households';
  const source = homes ? await homesSource() : await memorySource({ table, dataset: 'test', threads: 1 });
  const session = openSession({
    source,
    budget,
    relation: 'add-remove',
    ledger: await memoryLedger(budgetOf(budget), 'test', {
      relation: 'add-remove',
      ...(homes ? { unit: source.unit } : {}),
    }),
    entropy: seededEntropy(3),
  });
  const own = settingsOf(mechanism, settings);
  const run = { random: seeded(1), threads: 1, publicTable, publicHouseholds: publicHomes };
  try {
    const { model } = await mechanism.release(session, homes ? undefined : supportOf(publicTable), run, own);
    return model;
  } finally {
    await source.close();
  }
};

describe('every mechanism keeps every kind of constraint, in its answers and in its rows', () => {
  const isOfHouseholds = ({ name }: (typeof ways)[number]) => anyMechanismNamed(name).level === 'households';

  test('each mechanism is among those that are tried', () => {
    const tried = new Set(ways.map(({ name }) => name));
    expect([...mechanisms, ...householdMechanisms].filter(({ name }) => !tried.has(name))).toEqual([]);
  });

  test.each(ways.filter((way) => !isOfHouseholds(way)))('$name $settings', async ({ name, settings }) => {
    const model = (await releaseBy(name, settings)) as Model;
    expect(forbiddenMass(model)).toBe(0);
    const random = seeded(4);
    const drawn = decodeTable(model.sample(1500, random), { random });
    expect(drawn.age).toHaveLength(1500);
    const broken = drawn.age.map((_, i) =>
      brokenLoan(Object.fromEntries(Object.entries(drawn).map(([column, values]) => [column, values[i]]))),
    );
    expect(broken.filter((text) => text !== undefined)).toEqual([]);
  });

  test.each(ways.filter(isOfHouseholds))('$name $settings', async ({ name, settings }) => {
    const model = (await releaseBy(name, settings)) as HouseholdModel;
    expect(forbiddenMass(model)).toBe(0);
    const drawn = model.households(800, seeded(2));
    const values = decodeTable(drawn, { random: seeded(5) });
    const broken = values.age.map((_, i) =>
      brokenHome(Object.fromEntries(Object.entries(values).map(([column, all]) => [column, all[i]]))),
    );
    expect(broken.filter((text) => text !== undefined)).toEqual([]);
  });

  test.each([
    ['hdmm', { estimator: 'lls' }, /least squares make no distribution that could keep the constraints/],
    ['mwem', { estimator: 'factored' }, /factored weights are products of tables that cannot keep the constraints/],
    [
      'grouped',
      { keys: 'sub_grade' },
      /cannot keep a constraint between its keys and other columns, got sub_grade -> grade/,
    ],
  ])('%s %j is refused before anything is measured', async (name, settings, message) => {
    await expect(releaseBy(name, settings)).rejects.toThrow(message);
  });
});

const homesDomain = domainFromSchema(homesSchema);
const homesTable = (count: number, seed: number, isBroken: boolean) => {
  const { persons, keys } = homesLike(count, seed, { isBroken });
  return { table: encodeTable(homesDomain, columnsOf(persons)), keys };
};
const publicHomes = mended(groupHouseholds(homesTable(150, 2, false)));
const homesSource = async () => {
  const { table: persons, keys } = homesTable(200, 1, true);
  return memorySource({ table: persons, ids: keys, dataset: 'test', threads: 1 });
};

test('a release keeps its constraints, and its bundle says so, is checked for them and reports them', async () => {
  const source = await memorySource({ table, dataset: 'test', threads: 1 });
  const ledger = await memoryLedger(budgetOf(budget), 'test', { relation: 'add-remove' });
  const { files, manifest } = await makeRelease({
    source,
    ledger,
    schema: loansSchema,
    budget,
    mechanism: 'reweight',
    publicTable: { name: 'public.csv', table: publicTable },
    rows: 200,
    bootstrap: 0,
    entropy: seededEntropy(1),
  });
  await source.close();
  expect(manifest.schema.constraints).toEqual(loansSchema.constraints);
  const storeOf = (of: Readonly<Record<string, Uint8Array>>) => ({
    read: async (name: string) => of[name],
    describe: async (name: string) => (of[name] === undefined ? undefined : entryOf(name, of[name])),
    names: async () => Object.keys(of),
  });
  const said = 'the model has no records where the constraints forbid them';
  expect((await verifyBundle(storeOf(files))).checks).toContain(said);
  expect(new TextDecoder().decode(files['report.html'])).toContain('What every row keeps');
  // A model that has rows which break them.
  const { columns, length } = table;
  const broken = { domain, length, columns, weights: new Float64Array(length).fill(1 / length) };
  const changed = { ...files, 'model.bin': writeModel(supportModel(broken, 100)) };
  const { checks, faults } = await verifyBundle(storeOf(changed));
  expect(checks).not.toContain(said);
  expect(faults.join()).toMatch(/must have no records where the constraints of the schema forbid them, got/);
});
