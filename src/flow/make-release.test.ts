import { describe, expect, it } from 'vitest';
import { entryOf } from '../bundle/make-bundle.js';
import { openBundle } from '../bundle/open-bundle.js';
import { type BundleStore, verifyBundle } from '../bundle/verify-bundle.js';
import type { Domain } from '../domain/domain.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../domain/schema/parse-schema.js';
import type { Table } from '../domain/table.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { inspectLedger } from '../privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../privacy/ledger/new-ledger.js';
import { storedLedger } from '../privacy/ledger/stored-ledger.js';
import type { JournalEntry } from '../privacy/session/journal/journal.js';
import type { JournalHeader } from '../privacy/session/journal/journal-lines.js';
import { attributesOf } from '../query/answer.js';
import { marginal } from '../query/marginal.js';
import { factored, prefix, range } from '../query/query.js';
import { mechanismNamed } from '../release/registry.js';
import { memorySource } from '../source/memory-source.js';
import type { Forecast } from './forecast.js';
import { type MakeReleaseOptions, makeRelease } from './make-release.js';

const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
    { name: 'town', type: 'category', values: ['a, b', 'c'] },
  ],
});
const domain = domainFromSchema(schema);
const people = (rows: number, shift: number): Table =>
  encodeTable(domain, {
    sex: Array.from({ length: rows }, (_, i) => 'fm'[(i + shift) % 2]),
    age: Array.from({ length: rows }, (_, i) => (i * 7 + shift) % 100),
    town: Array.from({ length: rows }, (_, i) => ['a, b', 'c'][(i >> shift) % 2]),
  });
const budget = { epsilon: 2, delta: 1e-9 };

/** Reads a small CSV with the one quoted value that there is. */
const rowsOf = (bytes: Uint8Array, of: Domain): Table => {
  const [, ...lines] = new TextDecoder().decode(bytes).trimEnd().split('\n');
  const fields = lines.map((line) => line.replace('"a, b"', 'a; b').split(','));
  const column = (k: number) => fields.map((field) => field[k].replace('a; b', 'a, b'));
  return encodeTable(of, { sex: column(0), age: column(1), town: column(2) });
};

const storeOf = (files: Readonly<Record<string, Uint8Array>>): BundleStore => ({
  read: async (name) => files[name],
  describe: async (name) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
  rows: async (name, of) => rowsOf(files[name], of),
});

const newStore = (relation?: MakeReleaseOptions['relation']) =>
  memoryStore(firstLine(ledgerTerms({ dataset: 'clinic', budget: budgetOf(budget), seeds: true, relation })));

const made = async (over: Partial<MakeReleaseOptions> = {}, bytes = newStore(over.relation)) => {
  const ledger = await storedLedger(bytes, { durable: false });
  const source = await memorySource({ table: people(300, 1), dataset: 'clinic', threads: 1 });
  const events: string[] = [];
  try {
    const release = await makeRelease({
      source,
      ledger,
      schema,
      mechanism: 'auto',
      budget,
      entropy: seededEntropy(7),
      seed: 3,
      software: 'test',
      threads: 1,
      onProgress: ({ stage }) => events.push(stage),
      ...over,
    });
    return { ...release, inspection: await inspectLedger(bytes), isOpen: source.isOpen(), events };
  } finally {
    await source.close();
  }
};

describe('a release of an opened source', () => {
  const publicTable = { name: 'earlier', table: people(200, 0) };

  it.each([
    ['with a public table', { publicTable }, 'reweight'],
    ['without one', {}, 'pairs'],
    ['by a mechanism that is named', { publicTable, mechanism: 'auto' as const, rows: 50, bootstrap: 0 }, 'reweight'],
  ])('%s gives a bundle that verifies with its ledger, row by row', async (_, over, mechanism) => {
    const { files, manifest, model, inspection, isOpen, why } = await made(over);
    expect(manifest.mechanism.name).toBe(mechanism);
    expect(why).toMatch(/because/);
    const { faults, unchecked } = await verifyBundle(storeOf(files), inspection);
    expect([faults, unchecked]).toEqual([[], []]);
    const read = openBundle(files);
    expect(read.manifest).toEqual(manifest);
    expect([...read.model.marginal(['age'])]).toEqual([...model.marginal(['age'])]);
    expect(Object.keys(files)).toContain('report.html');
    // The source is the caller's; what was not spent is back in the ledger.
    expect(isOpen).toBe(true);
    expect(inspection.runs).toEqual([]);
  });

  it('hands the rows to whoever keeps them, and is the same for the same seeds', async () => {
    const kept: Table[] = [];
    const keepRows = async (rows: Table) => {
      kept.push(rows);
      return { name: 'synthetic.parquet', bytes: 1, sha256: '0'.repeat(64) };
    };
    const [one, two] = [await made({ publicTable, keepRows }), await made({ publicTable, keepRows })];
    expect(kept[0].columns).toEqual(kept[1].columns);
    expect(kept[0].length).toBe(one.manifest.sampling?.rows);
    expect(Object.keys(one.files)).not.toContain('synthetic.csv');
    expect(one.files['model.bin']).toEqual(two.files['model.bin']);
  });

  const workload = {
    queries: [
      { query: marginal('age', 'sex'), weight: 3 },
      { query: marginal('town'), weight: 1 },
    ],
  };

  it.each(['reweight', 'ide', 'pmw-pub', 'mwem', 'aim', 'dual-query'])(
    'by %s answers the workload that it is given, and the bundle keeps it for making it again',
    async (name) => {
      const { files, manifest, inspection } = await made({
        publicTable,
        mechanism: mechanismNamed(name),
        workload,
        bootstrap: 0,
      });
      expect(openBundle(files).manifest.configuration?.workload).toEqual(workload);
      const asked = new Set(workload.queries.map(({ query }) => query.attributes.join()));
      const measured = manifest.measurements.map(({ query }) => attributesOf(query));
      if (name !== 'aim') for (const names of measured) expect([...asked, '']).toContain(names.join());
      else for (const names of measured) expect(names).not.toEqual(expect.arrayContaining(['sex', 'town']));
      const { faults } = await verifyBundle(storeOf(files), inspection);
      expect(faults).toEqual([]);
    },
  );

  it('by reweight measures queries that are no marginals, also where the number of records is public', async () => {
    const asked = { queries: [prefix('age'), marginal(), marginal('sex')].map((query) => ({ query, weight: 1 })) };
    for (const relation of ['add-remove', 'replace-one'] as const) {
      const { manifest, model } = await made({
        publicTable,
        mechanism: mechanismNamed('reweight'),
        workload: asked,
        relation,
      });
      expect(manifest.measurements.map(({ query }) => query)).toEqual(asked.queries.map(({ query }) => query));
      expect(Math.abs(model.total - 300)).toBeLessThan(100);
    }
  });

  it.each([
    [
      'aim',
      prefix('age'),
      /aim cannot make this release: .*marginals for aim, got cumulative age; ask for the marginal of age/,
    ],
    ['mwem', prefix('age'), /mwem cannot make this release: .*got cumulative age; ask for the marginal of age/],
    ['pmw-pub', range('age', 1, 2), /pmw-pub cannot make this release: .*got age in cells 1 to 2/],
    ['ide', factored({ age: { kind: 'mean' } }), /ide cannot make this release: /],
    ['ide', prefix('age'), /ide cannot make this release: total: must follow from a measured marginal/],
    ['aim', marginal(), /aim cannot make this release: .*got the total alone/],
    ['mwem', marginal(), /mwem cannot make this release: .*got the total alone/],
    ['reweight', marginal('aeg'), /aeg/],
  ] as const)('by %s refuses a query that it cannot take before anything is spent: %j', async (name, query, why) => {
    let reserved = false;
    const onReserved = () => {
      reserved = true;
    };
    const asked = { queries: [{ query, weight: 1 }] };
    const named = made({ publicTable, mechanism: mechanismNamed(name), workload: asked, onReserved });
    await expect(named).rejects.toThrow(why);
    expect(reserved).toBe(false);
  });

  it('leaves out by itself the mechanisms that cannot take the workload', async () => {
    const asked = { queries: [{ query: factored({ age: { kind: 'mean' } }), weight: 1 }] };
    const { manifest: alone } = await made({ workload: asked });
    expect(alone.mechanism.name).toBe('hdmm');
    const { manifest } = await made({ workload: asked, publicTable });
    expect(manifest.mechanism.name).toBe('reweight');
  });

  it('within limits goes on with what it gave up before it was interrupted, whatever the limits are by then', async () => {
    const store = newStore();
    const entries: JournalEntry[] = [];
    let header: JournalHeader | undefined;
    const run = (failAt: number, bytes: number) =>
      made(
        {
          publicTable,
          limits: { bytes },
          journal: {
            how: 'again',
            found: header && { header, entries: [...entries], whole: 0 },
            begin: async (own) => {
              header = own;
            },
            append: async (entry) => {
              entries.push(entry);
              if (entries.length === failAt) throw new Error('killed');
            },
          },
        },
        store,
      );
    let memory = 0;
    const onForecast = (forecast: Forecast) => {
      ({ memory } = forecast);
      throw new Error('told');
    };
    await expect(made({ publicTable, onForecast })).rejects.toThrow('told');
    await expect(run(2, memory - 1)).rejects.toThrow('killed');
    expect(header?.fitted?.gaveUp.length).toBeGreaterThan(0);
    const { manifest, files, inspection } = await run(-1, 1e12);
    expect(manifest.configuration?.limits?.gaveUp).toEqual(header?.fitted?.gaveUp);
    expect(manifest.mechanism.options).toEqual(header?.fitted?.settings);
    expect((await verifyBundle(storeOf(files), inspection)).faults).toEqual([]);
  });

  it('says so where a release has no rows to draw, and refuses to be asked for some', async () => {
    const settings = { estimator: 'lls' };
    const { files, manifest, reportFailure } = await made({ mechanism: 'hdmm', settings });
    expect(Object.keys(files)).not.toContain('synthetic.csv');
    expect(Object.keys(files)).toContain('report.html');
    expect(manifest.sampling).toBeUndefined();
    expect(reportFailure).toBeUndefined();
    await expect(made({ mechanism: 'hdmm', settings, rows: 5 })).rejects.toThrow(/rows: hdmm draws none/);
  });

  it('refuses before anything is spent what cannot work', async () => {
    const big = { rows: 1e12 };
    await expect(made(big)).rejects.toThrow(/rows: their codes must fit/);
    await expect(made({ budget: { epsilon: 0 } })).rejects.toThrow(/epsilon/);
    await expect(made({ configuration: { format: 'parquet', spreadsheet: true } })).rejects.toThrow(/spreadsheet/);
    await expect(made({ budget: { epsilon: 9, delta: 1e-9 } })).rejects.toThrow(/budget: must cover/);
  });
});
