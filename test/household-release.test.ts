import { describe, expect, it } from 'vitest';
import { openAnyBundle, openBundle, openHouseholdBundle } from '../src/bundle/open-bundle.js';
import type { Columns } from '../src/domain/encode/encode-table.js';
import { encodeHouseholds } from '../src/domain/households/encode-households.js';
import { groupHouseholds } from '../src/domain/households/group-households.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';
import { type MakeReleaseOptions, makeHouseholdRelease, makeRelease } from '../src/flow/make-release.js';
import { planRelease } from '../src/flow/plan-release.js';
import { publicFacts } from '../src/flow/public-facts.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import type { Relation } from '../src/query/relation.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { memorySource } from '../src/source/memory-source.js';
import { homeSchema, homes } from './support/homes.js';

const schema = parseSchema(homeSchema);
const domain = domainFromSchema(schema);

const columnsOf = (csv: string): Columns => {
  const [names, ...rows] = csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  return Object.fromEntries(names.map((name, i) => [name, rows.map((row) => row[i])]));
};
const rowsOf = (count: number, seed: number) => {
  const { persons, households } = homes(count, seed);
  return encodeHouseholds(domain, 'hhID', { persons: columnsOf(persons), households: columnsOf(households) });
};
const open = groupHouseholds(rowsOf(50, 2));
const publicTable = { name: 'open', table: open };
const budget = { epsilon: 2, delta: 1e-9 };

const made = async (over: Partial<MakeReleaseOptions> = {}, unit?: Unit, relation?: Relation) => {
  const { table, keys } = rowsOf(200, 1);
  const source = await memorySource({ table, ids: keys, dataset: 'homes', unit, random: seededEntropy(1), threads: 1 });
  const ledger = await memoryLedger(budgetOf(budget), 'homes', { unit: source.unit, relation });
  const settings = { rounds: 5, attributes: 2 };
  const options = { source, ledger, schema, mechanism: 'h-mwem', settings, budget, relation, threads: 1, seed: 5 };
  try {
    return await makeHouseholdRelease({ ...options, entropy: seededEntropy(4), ...over });
  } finally {
    await source.close();
  }
};

describe('a release of households', () => {
  it('gives both tables, and a bundle whose model draws the same again, with households public beside it or not', async () => {
    for (const over of [{}, { publicTable, rows: 30, bootstrap: 2 }]) {
      const { files, model, manifest, reportFailure } = await made(over);
      expect(reportFailure).toBeUndefined();
      expect(Object.keys(files)).toEqual(expect.arrayContaining(['persons.csv', 'households.csv', 'report.html']));
      const read = openHouseholdBundle(files);
      const count = manifest.sampling!.households!.rows;
      expect(read.model.households(count, seeded(5))).toEqual(model.households(count, seeded(5)));
      expect(() => openBundle(files)).toThrow(/must be a release of one table, got one of households/);
      expect(openAnyBundle(files).manifest).toEqual(manifest);
      if ('publicTable' in over) {
        expect(manifest.public).toEqual({ file: 'open', rows: open.length, households: open.offsets.length - 1 });
        expect([count, read.replicates?.models.length]).toEqual([30, 2]);
      }
      // Sizes are within bounds, and the column that says them is right.
      const lines = (name: string) => new TextDecoder().decode(files[name]).trimEnd().split('\n').slice(1);
      const counts = new Map<string, number>();
      for (const line of lines('persons.csv'))
        counts.set(line.split(',')[0], (counts.get(line.split(',')[0]) ?? 0) + 1);
      expect(lines('households.csv').map((line) => [line.split(',')[0], Number(line.split(',')[3])])).toEqual([
        ...counts,
      ]);
      expect(Math.max(...counts.values())).toBeLessThanOrEqual(3);
    }
  });

  it('protects a person under replace-one, where the number of households is public', async () => {
    const { manifest, model } = await made({}, { kind: 'person', maxRecords: 1 }, 'replace-one');
    expect(manifest.configuration?.unit).toBe('person');
    expect(manifest.privacy.text).toMatch(/person/);
    const { table, keys } = rowsOf(200, 1);
    expect(model.householdTotal).toBe(groupHouseholds({ table, keys }).offsets.length - 1);
  });

  it('refuses what is for rows, and what is told for households elsewhere', async () => {
    await expect(makeRelease({ schema } as MakeReleaseOptions)).rejects.toThrow(
      /schema: must describe one table .* twoLevel/,
    );
    const { twoLevel: _, ...plain } = schema;
    await expect(made({ schema: plain })).rejects.toThrow(/households need `twoLevel`/);
    await expect(made({ mechanism: 'reweight', settings: {} })).rejects.toThrow(
      /reweight models the rows of one table/,
    );
    const columns = Object.fromEntries(domain.attributes.map(({ name }, i) => [name, [...open.columns[i]]]));
    const flat = {
      domain,
      length: open.length,
      columns: Object.values(columns).map((codes) => Uint8Array.from(codes)),
    };
    await expect(made({ publicTable: { name: 'flat', table: flat } })).rejects.toThrow(
      /put together by household, got a plain table/,
    );
    await expect(made({ publicTables: [publicTable, { ...publicTable, name: 'other' }] })).rejects.toThrow(
      /must be one where the schema has twoLevel/,
    );
    await expect(
      planRelease({ schema, budget, mechanism: 'h-mwem', publicTables: [publicTable], rehearse: true }),
    ).rejects.toThrow(/rehearse: can rehearse/);
  });

  it('is planned by public facts: the number of public households stands for the private one', () => {
    const facts = publicFacts({ schema, budget }, open);
    expect([facts.prior, facts.publicTable]).toEqual([undefined, undefined]);
    expect([facts.publicHouseholds, facts.publicRows]).toEqual([open, open.offsets.length - 1]);
  });
});
