import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimateFiles } from '../adapters/estimate-files.js';
import type { BundleFiles } from '../src/bundle/checked-files.js';
import { type ContainerArray, readContainer, writeContainer } from '../src/bundle/codec/binary-container.js';
import { readModel, writeModel } from '../src/bundle/codec/model-file.js';
import { readReplicates, writeReplicates } from '../src/bundle/codec/replicates-file.js';
import { entryOf } from '../src/bundle/make-bundle.js';
import { readManifest } from '../src/bundle/manifest-text.js';
import { openBundle } from '../src/bundle/open-bundle.js';
import { parseOutsideMeasurements } from '../src/bundle/outside-measurements.js';
import { sealJson, unsealJson } from '../src/bundle/sealed-json.js';
import { cellLabels } from '../src/domain/attribute/cells.js';
import { domainOf } from '../src/domain/domain-of.js';
import { InputError } from '../src/domain/input-error.js';
import { parseJson } from '../src/domain/parse-json.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';
import { answerSql } from '../src/evaluate/sql/answer-sql.js';
import { graphicalModel } from '../src/model/graphical/graphical-model.js';
import { junctionTree } from '../src/model/graphical/tree/junction-tree.js';
import { groupedModel } from '../src/model/grouped-model.js';
import { seeded } from '../src/random/seeded.js';
import { aim } from '../src/release/aim/aim.js';
import { plainDomain } from './support/plain-source.js';
import { smallRelease } from './support/small-release.js';
import { folderWith, start } from './support/surmise.js';

/** A refusal may hold this much beside what the test itself holds. */
const mostBytes = 64 * 2 ** 20;

/** The message of a refusal that allocated next to nothing: neither array buffers, touched or not, nor the process as a whole grew. */
const refusal = (work: () => unknown): string => {
  const [buffers, peak] = [process.memoryUsage().arrayBuffers, process.resourceUsage().maxRSS];
  let message: string | undefined;
  try {
    work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    message = error.message;
  }
  expect(process.memoryUsage().arrayBuffers - buffers).toBeLessThan(mostBytes);
  expect(1024 * (process.resourceUsage().maxRSS - peak)).toBeLessThan(mostBytes);
  if (message === undefined) throw new Error('must be refused, and was taken');
  return message;
};

/** A graphical model of one clique and no factors: few bytes, any number of cells. */
const emptyHanded = (cliques: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> =>
  writeContainer({
    kind: 'graphical',
    meta: { total: 100, approximate: false },
    arrays: {
      cliques: Uint32Array.from(cliques.flat()),
      cliqueStarts: Uint32Array.from([0, ...cliques].map((_, i) => cliques.slice(0, i).flat().length)),
      attributes: new Uint32Array(0),
      starts: new Uint32Array(1),
      potentials: new Float64Array(0),
    },
  });

/** The small release with other files or facts in it, all hashes right. */
const forged = async (
  own: Record<string, Uint8Array<ArrayBuffer>>,
  change: (manifest: Record<string, unknown>) => void = () => {},
): Promise<BundleFiles> => {
  const { files } = await smallRelease();
  const all: Record<string, Uint8Array> = { ...files, ...own };
  const { sha256: _, ...manifest } = unsealJson(files['bundle.json'], 'bundle.json').json as Record<string, unknown>;
  manifest.files = Object.entries(all)
    .filter(([name]) => name !== 'bundle.json')
    .map(([name, bytes]) => entryOf(name, bytes));
  change(manifest);
  return { ...all, 'bundle.json': new TextEncoder().encode(sealJson(manifest)) };
};

const wide = (cells: number) => ({
  surmise: 1 as const,
  origin: { kind: 'declared' as const },
  attributes: [
    { name: 'a', type: 'integer' as const, min: 0, max: cells - 1 },
    { name: 'b', type: 'integer' as const, min: 0, max: cells - 1 },
  ],
});

describe('item 9: a file cannot make a reader hold more than its own bytes or a stated limit', () => {
  it.each([2 ** 13 + 1, 2 ** 14, 2 ** 16, 2 ** 31])(
    'refuses a model of one clique of %i squared cells without potentials, and names the size',
    (cells) => {
      const domain = domainFromSchema(parseSchema(wide(cells)));
      const bytes = emptyHanded([[0, 1]]);
      expect(bytes.length).toBeLessThan(600);
      const message = refusal(() => readModel(bytes, domain, 'model.bin'));
      expect(message).toMatch(
        /^model\.bin: its tables must fit in 512 MiB, got a need of [\d.e+]+ (MiB|GiB|TiB) \(\d+ cells of a, b\)/,
      );
    },
  );

  it('refuses it in query, verify and report too, in a process that stays small', async () => {
    const cells = 2 ** 14;
    const files = await forged({ 'model.bin': emptyHanded([[0, 1]]) }, (manifest) => {
      manifest.schema = wide(cells);
      manifest.measurements = [];
      manifest.charges = [];
    });
    const folder = await folderWith({});
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    for (const words of [
      ['query', '.', 'SELECT COUNT(*) FROM data'],
      ['report', '.', '-o', '../report.html'],
      ['verify', '.'],
    ]) {
      const { child, outcome } = start(folder, ...words);
      let most = 0;
      const watch = setInterval(async () => {
        const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
      }, 10);
      const { code, out, err } = await outcome;
      clearInterval(watch);
      expect([words[0], code]).toEqual([words[0], words[0] === 'verify' ? 1 : 2]);
      expect(out + err).toContain('its tables must fit in 512 MiB, got a need of 2 GiB');
      expect(most / 1024).toBeLessThan(400);
    }
  });

  it('refuses more cliques, factors and pairs than a tree has before it builds one', () => {
    const domain = plainDomain([2, 2, 2]);
    const many = emptyHanded([[0], [1], [2], [0, 1]]);
    expect(refusal(() => readModel(many, domain, 'm'))).toContain('more cliques than attributes');
    const names = Array.from({ length: 3000 }, (_, i) => `x${i}`);
    const large = plainDomain(
      names.map(() => 1),
      names,
    );
    const bytes = emptyHanded([names.map((_, i) => i)]);
    expect(refusal(() => readModel(bytes, large, 'm'))).toContain('a clique of 3000 attributes');
    const cycle = emptyHanded([
      [0, 1],
      [1, 2],
      [0, 2],
    ]);
    expect(refusal(() => readModel(cycle, domain, 'm'))).toContain('cliques that form no tree');
    const model = graphicalModel(junctionTree(domain, [['a', 'b']]), [], 5);
    const { arrays, ...rest } = readContainer(writeModel(model), 'm');
    const twice = {
      ...arrays,
      attributes: Uint32Array.of(0, 0),
      starts: Uint32Array.of(0, 1, 2),
      potentials: new Float64Array(4),
    };
    expect(refusal(() => readModel(writeContainer({ ...rest, arrays: twice }), domain, 'm'))).toContain('2 factors');
  });

  it('refuses a binary file whose header says more than is there', () => {
    const bytes = writeContainer({ kind: 'support', meta: {}, arrays: { weights: new Float64Array(4) } });
    const claim = (change: (text: string) => string): Uint8Array => {
      const header = change(new TextDecoder().decode(bytes.subarray(16)).slice(0, bytes.length - 16 - 32));
      const text = new TextEncoder().encode(header.trim().padEnd(Math.ceil(header.trim().length / 8) * 8));
      const out = new Uint8Array(16 + text.length + 32);
      out.set(bytes.subarray(0, 16));
      new DataView(out.buffer).setUint32(8, text.length, true);
      out.set(text, 16);
      return out;
    };
    const longer = claim((text) => text.replace('"length":4', '"length":4000000000'));
    expect(refusal(() => readContainer(longer, 'm'))).toMatch(
      /fewer bytes than its header says \(\d+ of at least 32000000\d+\)/,
    );
    const array = '{"name":"weights","type":"f64","length":4}';
    const again = claim((text) => text.replace(array, `{"name":"x","type":"u8","length":0},${array},${array}`));
    expect(refusal(() => readContainer(again, 'm'))).toMatch(/fewer bytes|two arrays of one name/);
    const empty = '{"name":"x","type":"u8","length":0}';
    const many = claim((text) => text.replace(array, `${`${empty},`.repeat(70_000)}${array}`));
    expect(refusal(() => readContainer(many, 'm'))).toContain('70001 arrays where 65536 are the most');
    const two = claim((text) => text.replace(array, `${empty},${empty},${array}`));
    expect(refusal(() => readContainer(two, 'm'))).toContain('two arrays of one name');
    const proto = readContainer(
      claim((text) => text.replace('"weights"', '"__proto__"')),
      'm',
    );
    expect(Object.keys(proto.arrays)).toEqual(['__proto__']);
    expect(proto.arrays.length).toBeUndefined();
  });

  it('refuses replicates without number, and takes no array for a prototype', async () => {
    const { released } = await smallRelease();
    const { model } = released;
    const bytes = writeReplicates(model, { models: [model, model], truths: [], seed: 1, clump: 1, inflation: 1 });
    const good = readContainer(bytes, 'r');
    const [facts] = good.meta.models as unknown[];
    const crowd = writeContainer({ ...good, meta: { ...good.meta, models: new Array(1001).fill(facts) } });
    expect(refusal(() => readReplicates(crowd, model, 'r'))).toContain('1001 of them where 1000 are the most');
    const arrays = Object.fromEntries([['0 __proto__', Uint8Array.of(1)] as [string, ContainerArray]]);
    expect(refusal(() => readReplicates(writeContainer({ ...good, arrays }), model, 'r'))).toContain(
      'arrays nobody knows',
    );
  });

  it('refuses groups whose rows have no columns behind them', () => {
    const domain = plainDomain([2, 3]);
    const shared = { domain: { attributes: [domain.attributes[1]] }, length: 2, columns: [Uint8Array.of(0, 1)] };
    const model = groupedModel(domain, ['a'], shared, [{ key: [0], total: 3, rows: Uint32Array.of(0) }]);
    const good = readContainer(writeModel(model), 'm');
    const bytes = writeContainer({
      ...good,
      meta: { keys: ['a', 'b'], rows: 2 ** 40 },
      arrays: { ...good.arrays, keys: Uint32Array.of(0, 0) },
    });
    expect(refusal(() => readModel(bytes, domain, 'm'))).toContain('keys that leave no attribute for the rows');
  });

  it('refuses measurements of more answers than the file has values', async () => {
    const files = await forged({}, (manifest) => {
      const regroup = { kind: 'regroup', groups: [0, 0, 0], size: 2 ** 32 };
      manifest.measurements = [
        {
          query: { kind: 'factored', factors: [{ attribute: 'a', block: regroup }] },
          noise: { kind: 'gaussian', scale: 1 },
        },
      ];
    });
    expect(refusal(() => openBundle(files))).toMatch(/^measurements\.bin: must hold the 4294967296 values/);
  });

  it('refuses measured values that are no numbers', async () => {
    const { files } = await smallRelease();
    const { arrays, ...rest } = readContainer(files['measurements.bin'], 'm');
    const values = Float64Array.from(arrays.values).fill(Number.NaN, 0, 1);
    const forgedFiles = await forged({ 'measurements.bin': writeContainer({ ...rest, arrays: { values } }) });
    expect(refusal(() => openBundle(forgedFiles))).toContain('values must be finite numbers');
  });

  it('refuses schemas that would take long lists: attributes, bins, labels', () => {
    const attributes = Array.from({ length: 5000 }, (_, i) => ({ name: `x${i}`, type: 'boolean' as const }));
    const of = (list: unknown[]) => () => parseSchema({ ...wide(2), attributes: list });
    expect(refusal(of(attributes))).toContain('at most 4096 attributes, got 5000');
    const bins = Array.from({ length: 4000 }, (_, i) => ({
      name: `x${i}`,
      type: 'number',
      min: 0,
      max: 1e9,
      bins: 2 ** 20,
    }));
    expect(refusal(of(bins))).toContain(`at most 4194304 bins together, got ${4000 * 2 ** 20}`);
    expect(refusal(() => domainOf([{ name: 'x', type: 'number', min: 0, max: 1, bins: 1e9 }]))).toMatch(
      /at most 4194304 bins/,
    );
    const [billions] = domainOf([{ name: 'x', type: 'integer', min: 0, max: 4e9 }]).attributes;
    expect(refusal(() => cellLabels(billions))).toContain(
      'at most 4194304 cells to be shown cell by cell, got 4000000001',
    );
  });

  it.each([
    ['bundle.json', (text: string) => readManifest(new TextEncoder().encode(text))],
    ['schema.json', (text: string) => parseJson(text, 'schema.json')],
  ])('refuses lists in lists without end in %s', (name, read) => {
    const deep = `{"format":"surmise-bundle/1","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(refusal(() => read(deep))).toBe(
      `${name}: lists and objects must lie within one another at most 100 deep, got 200001; write it flatter`,
    );
    expect(parseJson(`["${'['.repeat(500)}\\"${'['.repeat(500)}", [{}]]`, name)).toHaveLength(2);
  });

  it('takes a value that a program nests without end for what it is, and never writes it out', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(refusal(() => parseSchema({ ...wide(2), attributes: deep }))).toContain('schema:');
    const values = { measurements: [{ attributes: ['a'], values: [deep, deep], noise: { kind: 'none' } }] };
    expect(refusal(() => parseOutsideMeasurements(values, plainDomain([2]), 'm'))).toContain('m measurements.0 (a)');
  });

  it('refuses an estimate of rows or tables beyond the limits before it fits anything', async () => {
    const folder = await folderWith({});
    const options = { schema: parseSchema(wide(2 ** 14)), software: 'test' };
    const value = { kind: 'value', cell: 0 };
    const pair = { kind: 'factored', factors: ['a', 'b'].map((attribute) => ({ attribute, block: value })) };
    const one = { kind: 'factored', factors: [{ attribute: 'a', block: value }] };
    const noise = { kind: 'gaussian', scale: 1 };
    const estimate = (json: unknown, more: object = {}) =>
      estimateFiles(folder, { ...options, measurements: { json, name: 'm' }, ...more });
    await expect(estimate({ measurements: [{ query: pair, values: [1], noise }] })).rejects.toThrow(
      /^measurements: the tables of their model must fit in 512 MiB, got a need of 2 GiB \(268435456 cells of a, b\)/,
    );
    await expect(estimate({ total: 1e12, measurements: [{ query: one, values: [1], noise }] })).rejects.toThrow(
      /^rows: their codes must fit in 4 GiB, got a need of 3.64 TiB for 1000000000000 rows/,
    );
    await expect(estimate({ measurements: [{ query: one, values: [1], noise }] }, { rows: 2e9 })).rejects.toThrow(
      /^rows: their codes must fit in 4 GiB, got a need of 7.45 GiB/,
    );
  });

  it('lets no release spend on a model that nobody could read back', async () => {
    let read = 0;
    const make = (modelBytes: number) =>
      smallRelease({
        make: (session) => {
          read++;
          return aim(session, { random: seeded(1), modelBytes });
        },
      });
    await expect(make(2 ** 30)).rejects.toThrow(/^aim: the model's tables must fit in 512 MiB, got leave for 1 GiB/);
    expect(read).toBe(1);
  });
});

describe('item 9: a statement cannot make a query take more than stated limits', () => {
  const domain = domainOf([
    { name: 'a', type: 'integer', min: 0, max: 4e9 },
    { name: 'b', type: 'integer', min: 0, max: 99_999 },
    { name: 'c', type: 'number', min: 0, max: 100, bins: 10 },
    ...Array.from({ length: 12 }, (_, i) => ({ name: `d${i}`, type: 'number' as const, min: 0, max: 100, bins: 10 })),
  ]);
  const model = graphicalModel(
    {
      ...junctionTree({ attributes: domain.attributes.slice(1) }, []),
      domain: { attributes: domain.attributes.slice(1) },
    },
    [],
    1000,
  );
  const ask = (text: string, withinBins = false) =>
    answerSql(text, { model: { ...model, domain }, measurements: [] }, { withinBins });

  it.each([
    [
      'an attribute of billions of cells',
      'SELECT COUNT(*) FROM data WHERE a = 1',
      'at most 1048576 cells, got 4000000001',
    ],
    ['groups', 'SELECT b, c, d0, COUNT(*) FROM data GROUP BY b, c, d0', 'at most 1048576 groups, got 10000000'],
    [
      'numbers in an answer',
      `SELECT ${'b, c, '.repeat(30)} COUNT(*) FROM data GROUP BY b, c`,
      'groups times columns must be at most 4194304, got',
    ],
    ['sums', 'SELECT c, d0, d1, SUM(b) FROM data GROUP BY c, d0, d1', 'at most 16777216 cells together, got 100000000'],
    ['parentheses', `SELECT ${'('.repeat(101)}1${')'.repeat(101)} FROM data`, 'at most 100 deep'],
    ['NOTs', `SELECT COUNT(*) FROM data WHERE ${'NOT '.repeat(3000)} >= 1`, 'at most 100 deep'],
    ['signs', `SELECT ${'- '.repeat(3000)} >= 1`, 'at most 100 deep'],
    ['BETWEENs', `SELECT COUNT(*) FROM data WHERE ${'b BETWEEN '.repeat(3000)} >= 1`, 'at most 100 deep'],
    ['CASEs', `SELECT ${'CASE WHEN '.repeat(100)} >= 1`, 'must be SQL that can be read'],
    ['lists', `SELECT ${'ARRAY['.repeat(100)} >= 1`, 'must be SQL that can be read'],
    ['UNIONs', `SELECT 1 ${'UNION SELECT 1 '.repeat(3000)} >= 1`, 'must be a SELECT'],
    [
      'readings of one list',
      `SELECT ${'(SELECT 1, 1, 1, 1, 1, '.repeat(12)}1${')'.repeat(12)} FROM data`,
      'must give one number',
    ],
    [
      'readings of another',
      `SELECT COUNT(*) FROM data WHERE b IN (1, SELECT 1${', 1'.repeat(1500)})`,
      'must give one number',
    ],
    ['readings of groups', `SELECT COUNT(*) FROM data GROUP BY SELECT 1${', 1'.repeat(1500)}`, 'must give one number'],
    ['words', `SELECT COUNT(*) FROM data WHERE b IN (1${', 1'.repeat(6000)})`, 'at most 10000 words and signs'],
  ])('refuses too many %s in a sentence, at once', (_, text, why) => {
    expect(refusal(() => ask(text))).toContain(why);
  });

  it('takes what stands beside one another for as flat as it is', () => {
    const flat = Array.from({ length: 300 }, (_, i) => `NOT (b BETWEEN ${i} AND ${i + 1})`).join(' AND ');
    expect(ask(`SELECT -(-1) - -1, COUNT(*) FROM data WHERE ${flat}`)[0].rows).toHaveLength(1);
  });

  it('refuses conditions that fall into too many pieces before it makes them', () => {
    const parts = (join: string, part: (name: string) => string) =>
      Array.from({ length: 12 }, (_, i) => part(`d${i}`)).join(join);
    const ors = parts(' AND ', (name) => `(${name} < 10 OR ${name} >= 50 AND c < 10)`);
    expect(
      refusal(() =>
        ask(`SELECT COUNT(*) FROM data WHERE ${parts(' AND ', (name) => `${name} BETWEEN 5 AND 35`)}`, true),
      ),
    ).toMatch(/at most 2000 products of whole and divided bins, got \d+/);
    expect(refusal(() => ask(`SELECT COUNT(*) FROM data WHERE ${ors}`))).toContain(
      'at most 2000 products of conditions',
    );
  });

  it('answers a list of a thousand values of an attribute of many cells without a pass over the cells for each', () => {
    const values = Array.from({ length: 1000 }, (_, i) => i * 20).join(', ');
    const [{ rows }] = ask(`SELECT COUNT(*) FROM data WHERE b IN (${values})`);
    expect(Number(rows[0].values[0])).toBeCloseTo(1000 * (1000 / 100_000), 6);
  });
});
