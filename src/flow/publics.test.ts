import { describe, expect, it } from 'vitest';
import { manifestName } from '../bundle/file-names.js';
import { entryOf } from '../bundle/make-bundle.js';
import { manifestText } from '../bundle/manifest-text.js';
import { type BundleStore, verifyBundle } from '../bundle/verify-bundle.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../domain/schema/parse-schema.js';
import type { Table } from '../domain/table.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { costOfAll } from '../privacy/accounting/charge.js';
import { seededEntropy } from '../privacy/entropy.js';
import { inspectLedger } from '../privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../privacy/ledger/new-ledger.js';
import { storedLedger } from '../privacy/ledger/stored-ledger.js';
import { seeded } from '../random/seeded.js';
import { uniform, uniformInteger } from '../random/uniform.js';
import { memorySource } from '../source/memory-source.js';
import { type MakeReleaseOptions, makeRelease } from './make-release.js';
import { planRelease } from './plan-release.js';

const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 5 },
    { name: 'town', type: 'category', values: ['a', 'b', 'c'] },
  ],
});
const domain = domainFromSchema(schema);

/** People of a town that goes with their age; `men` says how many of them are, and `towns` from how many they come. */
const people = (rows: number, seed: number, men: number, towns = 3): Table => {
  const random = seeded(seed);
  const ages = Array.from({ length: rows }, () => uniformInteger(random, 100));
  return encodeTable(domain, {
    sex: ages.map(() => (uniform(random) < men ? 'm' : 'f')),
    age: ages,
    town: ages.map((age) => 'abc'[(uniform(random) < 0.8 ? Math.floor(age / 34) : uniformInteger(random, 3)) % towns]),
  });
};
/** Like the private table, but for the share of men; and one that lacks a town and nearly all women. */
const near = { name: 'near.csv', table: people(300, 2, 0.4) };
const far = { name: 'far.csv', table: people(500, 3, 0.98, 2) };
const standIn = { name: 'last-year.csv', table: people(2000, 4, 0.5) };
const budget = { epsilon: 1, delta: 1e-9 };

const storeOf = (files: Readonly<Record<string, Uint8Array>>): BundleStore => ({
  read: async (name) => files[name],
  describe: async (name) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
});

const made = async (over: Partial<MakeReleaseOptions> = {}, table = people(2000, 1, 0.5)) => {
  const { relation } = over;
  const asked = over.budget ?? budget;
  const bytes = memoryStore(
    firstLine(ledgerTerms({ dataset: 'clinic', budget: budgetOf(asked), seeds: true, relation })),
  );
  const source = await memorySource({ table, dataset: 'clinic', threads: 1 });
  let reserved = 0;
  try {
    const release = makeRelease({
      source,
      ledger: await storedLedger(bytes, { durable: false }),
      schema,
      budget,
      entropy: seededEntropy(7),
      seed: 3,
      threads: 1,
      bootstrap: 0,
      onReserved: () => reserved++,
      ...over,
    });
    const outcome = await release.catch((error: Error) => error);
    return { outcome, reserved, inspection: await inspectLedger(bytes) };
  } finally {
    await source.close();
  }
};

const whole = async (over: Partial<MakeReleaseOptions>, table?: Table) => {
  const { outcome, inspection } = await made(over, table);
  if (outcome instanceof Error) throw outcome;
  return { ...outcome, inspection };
};

describe('several public tables together', () => {
  it('are one support, each with its weight, and the bundle says so and verifies', async () => {
    const publicTables = [near, { ...far, weight: 3 }];
    const { manifest, files, inspection, model } = await whole({ publicTables, mechanism: 'pmw-pub' });
    expect(manifest.public).toEqual({
      file: 'near.csv + far.csv',
      rows: 800,
      among: {
        way: 'together',
        tables: [
          { file: 'near.csv', rows: 300, weight: 0.25 },
          { file: 'far.csv', rows: 500, weight: 0.75 },
        ],
      },
    });
    expect(manifest.configuration).toMatchObject({
      public: ['near.csv', 'far.csv'],
      publics: 'together',
      publicWeights: [1, 3],
    });
    expect((await verifyBundle(storeOf(files), inspection)).faults).toEqual([]);
    expect(model.marginal(['town'])[2]).toBeGreaterThan(0);
    const report = new TextDecoder().decode(files['report.html']);
    expect(report.includes('near.csv with 25.0% of the weight')).toBe(true);
  });

  it('are one table where one is given, as a list or not: the same files to the byte', async () => {
    const [one, list] = [await whole({ publicTable: near }), await whole({ publicTables: [near] })];
    const { release: _, ...first } = one.manifest;
    const { release: __, ...second } = list.manifest;
    expect(second).toEqual({ ...first, files: second.files, ledger: second.ledger });
    expect(list.files['model.bin']).toEqual(one.files['model.bin']);
    expect(one.manifest.public).toEqual({ file: 'near.csv', rows: 300 });
  });
});

describe('choosing by a stand-in', () => {
  it('takes the table with which the mechanism errs least there, whatever the private table and the order', async () => {
    for (const [publicTables, table] of [
      [[near, far], undefined],
      [[far, near], undefined],
      // Of this private table the other would be better.
      [[near, far], people(2000, 5, 0.98, 2)],
    ] as const) {
      const { manifest, files, inspection } = await whole({ publicTables, standIn, mechanism: 'pmw-pub' }, table);
      expect(manifest.public).toMatchObject({ file: 'near.csv', rows: 300, among: { way: 'stand-in', runs: 3 } });
      const found = manifest.public!.among as { tables: readonly { file: string; error: number }[] };
      const errors = Object.fromEntries(found.tables.map(({ file, error }) => [file, error]));
      expect(errors['near.csv']).toBeLessThan(errors['far.csv']);
      expect(manifest.configuration).toMatchObject({ publics: 'stand-in', standIn: 'last-year.csv' });
      expect((await verifyBundle(storeOf(files), inspection)).faults).toEqual([]);
      const report = new TextDecoder().decode(files['report.html']);
      expect(report.includes('Of 2 public tables near.csv served best')).toBe(true);
      // A dry run finds the same.
      const planned = await planRelease({ schema, budget, publicTables, standIn, mechanism: 'pmw-pub' });
      expect(planned.among).toEqual(manifest.public!.among);
    }
  });
});

describe('choosing for a price', () => {
  it.each([
    ['add-remove', budget],
    ['replace-one', budget],
    ['add-remove', { epsilon: 1 }],
    ['replace-one', { epsilon: 1 }],
  ] as const)(
    'takes the table that fits, spends its share and no more, and verifies: %s, %o',
    async (relation, asked) => {
      for (const publicTables of [
        [near, far],
        [far, near],
      ]) {
        const over = { publicTables, publics: 'paid', choosingShare: 0.2, relation, budget: asked } as const;
        const { manifest, files, inspection } = await whole({ ...over, mechanism: 'reweight' });
        expect(manifest.public).toMatchObject({ file: 'near.csv', among: { way: 'paid', kind: 'exact', share: 0.2 } });
        expect((await verifyBundle(storeOf(files), inspection)).faults).toEqual([]);
        const report = new TextDecoder().decode(files['report.html']);
        expect(report.includes('Of 2 public tables near.csv was chosen, for 20.0% of the budget')).toBe(true);
        const { currency } = manifest.privacy;
        const { total } = budgetOf(asked);
        const charges = manifest.charges.flatMap((act) => act.charges);
        const choosing = charges.slice(0, relation === 'replace-one' ? 2 : 3);
        const [spent, all] = [costOfAll(choosing, currency), costOfAll(charges, currency)];
        // Rounding leaves less than three millionths.
        expect(Number(spent) / Number(total)).toBeGreaterThan(0.2 * (1 - 3e-6));
        expect(Number(spent) / Number(total)).toBeLessThanOrEqual(0.2);
        expect(Number(all) / Number(total)).toBeGreaterThan(1 - 6e-6);
        expect(all <= total).toBe(true);
      }
    },
  );

  it('serves mechanisms that divide the whole of a budget, such as groups', async () => {
    const { manifest, files, inspection } = await whole({
      publicTables: [near, far],
      publics: 'paid',
      mechanism: 'grouped',
      settings: { keys: 'town' },
    });
    expect(manifest.configuration).toMatchObject({ publics: 'paid', mechanism: 'grouped' });
    expect((await verifyBundle(storeOf(files), inspection)).faults).toEqual([]);
  });

  it('is held to its charges: an error that was not paid for, and a charge without its error, are faults', async () => {
    const { manifest, files } = await whole({ publicTables: [near, far], publics: 'paid' });
    const { among, ...start } = manifest.public!;
    const tables = among!.way === 'paid' ? among!.tables : [];
    const faultsOf = async (own: typeof tables) => {
      const told = { ...manifest, public: { ...start, among: { ...among!, tables: own } as typeof among } };
      const bytes = new TextEncoder().encode(manifestText(told));
      return (await verifyBundle(storeOf({ ...files, [manifestName]: bytes }))).faults;
    };
    expect(await faultsOf(tables)).toEqual([]);
    const halved = { ...tables[0], noise: { ...tables[0].noise, scale: tables[0].noise.scale / 2 } };
    expect((await faultsOf([halved, tables[1]]))[0]).toMatch(/the error of near.csv: must have a charge/);
    expect((await faultsOf([tables[1]]))[0]).toMatch(/charge \d+ .* must belong to a measurement/);
    expect((await faultsOf([...tables, tables[1]]))[0]).toMatch(/the error of far.csv: must have a charge/);
  });
});

describe('what is refused before anything is spent', () => {
  it.each<[RegExp, Partial<MakeReleaseOptions>]>([
    [/must be one or a list, got both/, { publicTable: near, publicTables: [near, far] }],
    [/must be several for "paid"/, { publicTables: [near], publics: 'paid' }],
    [/must be several for a stand-in/, { publicTable: near, standIn }],
    [/must be several for "together" .* got none/, { publics: 'together' }],
    [/needs a public table that plays the private one/, { publicTables: [near, far], publics: 'stand-in' }],
    [/is for choosing by it, got "paid"/, { publicTables: [near, far], publics: 'paid', standIn }],
    [/share: must be above 0 and below 1, got 1/, { publicTables: [near, far], publics: 'paid', choosingShare: 1 }],
    [/share: is for choosing .* price, got "together"/, { publicTables: [near, far], choosingShare: 0.1 }],
    [/names of their own, got "near.csv" twice/, { publicTables: [near, { ...far, name: 'near.csv' }] }],
    [/weight must be a number above 0, got -1/, { publicTables: [near, { ...far, weight: -1 }] }],
    [
      /reweight cannot|must be marginals for a best mixture error/,
      {
        publicTables: [near, far],
        publics: 'paid',
        workload: {
          queries: [
            { query: { kind: 'factored', factors: [{ attribute: 'age', block: { kind: 'prefix' } }] }, weight: 1 },
          ],
        },
      },
    ],
  ])('%s', async (message, over) => {
    const { outcome, reserved, inspection } = await made(over);
    expect(String(outcome)).toMatch(message);
    expect([reserved, inspection.status.spent]).toEqual([0, 0n]);
  });
});
