import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { estimateFiles } from '../adapters/estimate-files.js';
import { fileLedger } from '../adapters/ledger/file-ledger.js';
import { releaseFiles } from '../adapters/release-files.js';
import { writeModel } from '../src/bundle/codec/model-file.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';
import type { CodeColumn } from '../src/domain/table.js';
import { groupedModel } from '../src/model/grouped-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { mechanismNamed } from '../src/release/registry.js';
import { type Files, pack } from './archive.js';
import { resealedFiles } from './repair.js';

/** One attribute of each type, small. */
export const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 5, null: true },
    { name: 'city', type: 'category', values: ['Bonn', 'Graz', 'Bern'], other: 'elsewhere' },
    { name: 'vip', type: 'boolean' },
    { name: 'born', type: 'date', by: 'year', min: '2010-01-01', max: '2013-12-31' },
  ],
});
export const domain = domainFromSchema(schema);

/** A table of that schema as CSV. */
export const table = (rows: number, shift: number): string =>
  [
    'age,city,vip,born',
    ...Array.from({ length: rows }, (_, i) => {
      const k = i + shift;
      return `${(k * 17) % 100},${['Bonn', 'Graz', 'Bern', 'Ulm'][(k * 7) % 4]},${k % 3 === 0},201${k % 4}-0${1 + (k % 9)}-11`;
    }),
  ].join('\n');

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'surmise-fuzz-seeds-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const filesIn = async (folder: string, names: readonly string[]): Promise<Files> =>
  Object.fromEntries(
    (
      await Promise.all(
        names.map(async (name) => [name, await readFile(path.join(folder, name)).catch(() => undefined)] as const),
      )
    )
      .filter((entry): entry is readonly [string, Buffer<ArrayBuffer>] => entry[1] !== undefined)
      .map(([name, bytes]) => [name, new Uint8Array(bytes)]),
  );

const released = (name: string): Promise<Files> =>
  inFolder(async (folder) => {
    const [own, open] = [path.join(folder, 'private.csv'), path.join(folder, 'public.csv')];
    await writeFile(own, table(60, 0));
    await writeFile(open, table(40, 3));
    const mechanism = mechanismNamed(name);
    await releaseFiles(folder, {
      private: own,
      ...(mechanism.needs === 'public-table' ? { public: open } : {}),
      schema,
      mechanism,
      budget: { epsilon: 4, delta: 1e-6 },
      ledger: path.join(folder, 'ledger'),
      rows: 20,
      bootstrap: 2,
      seed: 1,
      software: 'fuzz',
    });
    return filesIn(folder, ['bundle.json', 'model.bin', 'measurements.bin', 'replicates.bin']);
  });

const makeBundles = async (): Promise<Uint8Array[]> => {
  const [support, graphical] = [await released('reweight'), await released('aim')];
  const inside = { attributes: domain.attributes.filter(({ name }) => name !== 'vip') };
  const columns: CodeColumn[] = inside.attributes.map(({ size }) => Uint8Array.from({ length: 6 }, (_, i) => i % size));
  const shared = { domain: inside, length: 6, columns };
  const groups = [0, 1].map((cell) => ({ key: [cell], total: 30, rows: Uint32Array.of(cell, 2, 3 + cell) }));
  const { 'replicates.bin': _, ...rest } = support;
  const grouped = { ...rest, 'model.bin': writeModel(groupedModel(domain, ['vip'], shared, groups)) };
  return [pack(support), pack(graphical), resealedFiles(pack(grouped), 'bundle.json')];
};

let bundles: Promise<Uint8Array[]> | undefined;

/** Bundles with each kind of model, as the product writes them; made once, since several targets start from them. */
export const bundleSeeds = (): Promise<Uint8Array[]> => {
  bundles ??= makeBundles();
  return bundles;
};

/** Measurements as another system might have made them. */
export const outside = {
  total: 60,
  measurements: [
    { attributes: ['vip'], values: [40.5, 19.5], noise: { kind: 'gaussian', scale: 2 } },
    {
      attributes: ['city', 'vip'],
      values: [
        [10, 5],
        [10, 5],
        [10, 5],
        [10, 5],
      ],
      noise: { kind: 'laplace', scale: 1 },
    },
    {
      query: { kind: 'factored', factors: [{ attribute: 'age', block: { kind: 'prefix' } }] },
      values: [10, 20, 30, 40, 50, 60],
      noise: { kind: 'none' },
    },
  ],
};

export const estimateSeeds = (): Promise<Uint8Array[]> =>
  inFolder(async (folder) => {
    await estimateFiles(folder, {
      measurements: { json: outside, name: 'outside' },
      schema,
      iterations: 20,
      seed: 1,
      rows: 10,
      software: 'fuzz',
    });
    return [pack(await filesIn(folder, ['estimate.json', 'model.bin', 'measurements.bin']))];
  });

/** The ledger of a release. */
export const ledgerSeeds = (): Promise<Uint8Array[]> =>
  inFolder(async (folder) => {
    const own = path.join(folder, 'private.csv');
    const ledger = path.join(folder, 'ledger');
    await writeFile(own, table(60, 0));
    await releaseFiles(folder, {
      private: own,
      schema,
      mechanism: mechanismNamed('aim'),
      budget: { epsilon: 4, delta: 1e-6 },
      ledger,
      rows: 20,
      bootstrap: 0,
      seed: 1,
      software: 'fuzz',
    });
    const plain = new Uint8Array(await readFile(ledger));
    const raise = { budget: budgetOf({ epsilon: 5, delta: 1e-6 }), why: 'a second wave' };
    await (await fileLedger(ledger, {})).raise(raise);
    return [plain, new Uint8Array(await readFile(ledger))];
  });
