import { beforeAll, describe, expect, it } from 'vitest';
import { entryOf } from '../bundle/make-bundle.js';
import { type Bundle, openBundle } from '../bundle/open-bundle.js';
import { type BundleStore, verifyBundle } from '../bundle/verify-bundle.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../domain/schema/parse-schema.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { memoryLedger } from '../privacy/ledger/memory-ledger.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import { allMarginals } from '../query/workload/all-marginals.js';
import { memorySource } from '../source/memory-source.js';
import { type MadeRelease, type MakeReleaseOptions, makeRelease } from './make-release.js';
import { refitRelease } from './refit-release.js';

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
/** Every so many of them is a man. */
const people = (rows: number, men: number) =>
  encodeTable(domain, {
    sex: Array.from({ length: rows }, (_, i) => (i % men === 0 ? 'm' : 'f')),
    age: Array.from({ length: rows }, (_, i) => (i * 7) % 100),
    town: Array.from({ length: rows }, (_, i) => 'abc'[((i * 7) % 100 > 50 ? i : 0) % 3]),
  });
const publicTable = { name: 'earlier', table: people(300, 5) };
const budget = { epsilon: 3, delta: 1e-9 };

const made = async (over: Partial<MakeReleaseOptions>): Promise<MadeRelease> => {
  const source = await memorySource({ table: people(3000, 2), dataset: 'clinic', threads: 1 });
  const ledger = await memoryLedger(budgetOf(budget), 'clinic');
  try {
    const entropy = seededEntropy(7);
    return await makeRelease({ source, ledger, schema, budget, entropy, seed: 3, threads: 1, bootstrap: 3, ...over });
  } finally {
    await source.close();
  }
};

const storeOf = (files: Readonly<Record<string, Uint8Array>>): BundleStore => ({
  read: async (name) => files[name],
  describe: async (name) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
  rows: async (name, of) => {
    const [names, ...rows] = new TextDecoder()
      .decode(files[name])
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    return encodeTable(of, Object.fromEntries(names.map((column, i) => [column, rows.map((row) => row[i])])));
  },
});

/** The largest difference of two models over all pairs, as a proportion. */
const distance = (a: Bundle['model'], b: Bundle['model']): number =>
  Math.max(
    ...allMarginals(domain, 2).queries.flatMap(({ query }) => {
      const theirs = b.answer(query);
      return Array.from(a.answer(query), (own, i) => Math.abs(own / a.total - theirs[i] / b.total));
    }),
  );

describe('a release that is made anew from its measurements', () => {
  let aim: MadeRelease;
  let reweighted: MadeRelease;
  beforeAll(async () => {
    aim = await made({ mechanism: 'aim' });
    // Marginals that are asked for: IDE can be fitted to them too, as it cannot to residuals.
    reweighted = await made({ mechanism: 'reweight', publicTable, workload: allMarginals(domain, 2) });
  });

  it('has other rows of the same model, the same bounds and charges, and says what it was made from', async () => {
    const { files, manifest } = await refitRelease(openBundle(aim.files), { rows: 25, seed: 9, threads: 1 });
    expect(await verifyBundle(storeOf(files))).toMatchObject({
      faults: [],
      unchecked: [expect.stringMatching(/ledger/)],
    });
    expect(manifest.sampling).toMatchObject({ rows: 25, seed: 9 });
    const { files: _, sampling: __, configuration: ___, refit, software: ____, ...same } = manifest;
    expect(aim.manifest).toMatchObject(same);
    expect(refit).toEqual({ of: sha256(aim.files['bundle.json']) });
    for (const name of ['model.bin', 'measurements.bin', 'replicates.bin'])
      expect(files[name]).toEqual(aim.files[name]);
    expect(new TextDecoder().decode(files['report.html'])).toMatch(/the rows, from the model of the release/);
  });

  it('has the model that the mechanism itself had, where the estimator and its settings are the same', async () => {
    const { files, model, manifest } = await refitRelease(openBundle(aim.files), { estimator: 'pgm', threads: 1 });
    expect((await verifyBundle(storeOf(files))).faults).toEqual([]);
    // Validation has other probes, which may stop it a little elsewhere.
    expect(distance(openBundle(files).model, aim.model)).toBeLessThan(0.01);
    expect(manifest.refit).toMatchObject({ estimator: 'pgm', options: { until: 'validated', iterations: 3000 } });
    expect(openBundle(files).replicates?.models).toHaveLength(3);
    expect(model.total).toBeCloseTo(aim.model.total, 6);
  });

  it('takes other settings and other estimators, of other mechanisms too, and can be made anew again', async () => {
    const bundle = openBundle(reweighted.files);
    const few = { settings: { iterations: 1 }, bootstrap: 0, threads: 1, publicTables: [publicTable] };
    const little = await refitRelease(bundle, { ...few, estimator: 'reweight' });
    const whole = await refitRelease(bundle, { ...few, estimator: 'reweight', settings: {} });
    expect(distance(openBundle(whole.files).model, reweighted.model)).toBeLessThan(0.005);
    expect(distance(openBundle(little.files).model, reweighted.model)).toBeGreaterThan(0.01);
    expect(openBundle(little.files).replicates).toBeUndefined();
    const again = await refitRelease(openBundle(little.files), { ...few, estimator: 'ide', settings: { epochs: 20 } });
    expect(again.manifest.refit).toMatchObject({
      of: sha256(little.files['bundle.json']),
      estimator: 'ide',
      public: { file: 'earlier', rows: 300 },
    });
    expect((await verifyBundle(storeOf(again.files))).faults).toEqual([]);
    expect(again.manifest.charges).toEqual(reweighted.manifest.charges);
    expect(distance(openBundle(again.files).model, reweighted.model)).toBeLessThan(0.03);
  });

  it.each([
    ['an unknown estimator', { estimator: 'best' }, /must be one of pgm, reweight, ide, h-reweight, got "best"/],
    ['none for what is set', { settings: { iterations: 3 } }, /"iterations" without one; name an estimator/],
    ['none for bounds', { bootstrap: 5 }, /got no estimator/],
    ['no public table', { estimator: 'reweight' }, /reweight needs a public table, got none/],
    ['one for households', { estimator: 'h-reweight', publicTables: [publicTable] }, /for the rows of one table/],
    ['a setting that it has not', { estimator: 'pgm', settings: { epochs: 3 } }, /can be set until, iterations/],
    ['more rows than can be drawn', { rows: 1e12 }, /must fit in/],
  ])('refuses %s', async (_, options, message) => {
    await expect(refitRelease(openBundle(aim.files), { ...options, threads: 1 })).rejects.toThrow(message);
  });

  it('refuses another domain, and an estimator where nothing noisy was measured', async () => {
    const other = parseSchema({ ...schema, attributes: schema.attributes.slice(1) });
    const table = encodeTable(domainFromSchema(other), { age: [1], town: ['a'] });
    await expect(
      refitRelease(openBundle(aim.files), { estimator: 'reweight', publicTables: [{ name: 'other', table }] }),
    ).rejects.toThrow(/must be over the domain of the release/);
    const none = { ...openBundle(aim.files), measurements: [] };
    await expect(refitRelease(none, { estimator: 'pgm' })).rejects.toThrow(/must hold noisy measurements/);
  });
});
