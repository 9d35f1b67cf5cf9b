import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleDirectory, describeFile, readHouseholdBundle } from '../../adapters/bundle-directory.js';
import { fileStore } from '../../adapters/ledger/file-ledger.js';
import { readHouseholds } from '../../adapters/table/read-households.js';
import { manifestText } from '../../src/bundle/manifest-text.js';
import { verifyBundle } from '../../src/bundle/verify-bundle.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { holding } from '../../src/query/holding.js';
import { seeded } from '../../src/random/seeded.js';
import { homeSchema, homes } from '../support/homes.js';
import { runHere } from '../support/run-here.js';
import { folderWith, surmise } from '../support/surmise.js';

const { persons, households } = homes(300, 1);
const files = {
  'persons.csv': persons,
  'households.csv': households,
  'schema.json': JSON.stringify(homeSchema),
};
const basics = ['release', 'persons.csv', '--households', 'households.csv', '--schema', 'schema.json'];
const quick = ['--mechanism', 'h-mwem', '--set', 'rounds=6', '--set', 'attributes=2'];
const ledgerFile = 'persons.csv.ledger.jsonl';

const faultsOf = async (folder: string, out = 'out', ledger = ledgerFile): Promise<readonly string[]> => {
  const inspected = await inspectLedger(fileStore(path.join(folder, ledger)));
  return (await verifyBundle(await bundleDirectory(path.join(folder, out)), inspected)).faults;
};

describe('surmise release of households', () => {
  it('writes both tables with fresh keys that agree, and a bundle that draws the same households again', async () => {
    const folder = await folderWith(files);
    const at = (name: string) => path.join(folder, name);
    const made = await surmise(
      folder,
      ...basics,
      '--key',
      'hhID',
      ...quick,
      '--epsilon',
      '2',
      '--seed',
      '7',
      '-o',
      'out',
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/for one household, by "hhID", with all its persons \(at most 3/);
    expect((await readdir(at('out'))).sort()).toEqual([
      'bundle.json',
      'households.csv',
      'measurements.bin',
      'model.bin',
      'persons.csv',
      'report.html',
    ]);
    // Both files are bound to one ledger: the table of households is known to be private, too.
    expect((await readdir(folder)).sort()).toEqual([
      'households.csv',
      'households.csv.ledger-place.json',
      'out',
      'persons.csv',
      ledgerFile,
      'schema.json',
    ]);
    expect((await runHere(folder, 'schema', 'households.csv')).err).toContain('has a ledger');
    const verified = await surmise(folder, 'verify', 'out', '--ledger', ledgerFile);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toContain('the rows are those that the model gives with their seed');

    const { manifest, model } = await readHouseholdBundle(at('out'));
    expect(manifest.privacy.unit).toEqual({ kind: 'household', column: 'hhID', maxRecords: 3 });
    const { sampling } = manifest;
    expect(sampling?.households).toEqual({ file: 'households.csv', rows: Math.round(model.householdTotal) });
    const again = model.households(sampling!.households!.rows, seeded(7));
    expect(sampling?.rows).toBe(again.length);
    // Read as any two tables that share a key: every person has a household, none has more than three, and none has nobody.
    const read = await readHouseholds(at('out/persons.csv'), manifest.schema, { households: at('out/households.csv') });
    expect(read.offsets).toEqual(again.offsets);
    expect(read.columns).toEqual(again.columns);
    const keysOf = async (name: string) =>
      (await readFile(at(`out/${name}`), 'utf8'))
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
    const own = await keysOf('households.csv');
    expect(own).toEqual(own.map((_, home) => String(home + 1)));
    expect([...new Set(await keysOf('persons.csv'))]).toEqual(own);
    expect(await readFile(at('out/households.csv'), 'utf8')).toMatch(/^hhID,region,dwelling,persons\n/);
    expect(await readFile(at('out/report.html'), 'utf8')).toContain('households');
  });

  it.each([
    ['replace-one, no delta', ['--relation', 'replace-one', '--pure']],
    ['a person', ['--unit', 'person', '--relation', 'replace-one']],
    ['a person, no delta', ['--unit', 'person', '--relation', 'replace-one', '--pure']],
    ['values outside in cells of their own, as Parquet', ['--outside', 'other', '--format', 'parquet', '--rows', '40']],
    ['by a generator', ['--mechanism', 'h-gem', '--set', 'rounds=2', '--set', 'steps=5', '--set', 'batch=32']],
    ['for a spreadsheet, with replicates', ['--spreadsheet', '--bootstrap', '2']],
  ])('verifies whole: %s', async (_, words) => {
    const folder = await folderWith(files);
    const how = words.includes('h-gem') ? words : [...quick, ...words];
    expect(await runHere(folder, ...basics, ...how, '--epsilon', '2', '-o', 'out')).toMatchObject({
      code: 0,
    });
    expect(await faultsOf(folder)).toEqual([]);
    const { manifest } = await readHouseholdBundle(path.join(folder, 'out'));
    expect(manifest.configuration?.unit).toBe(words.includes('person') ? 'person' : 'household');
    if (words.includes('40')) expect(manifest.sampling?.households?.rows).toBe(40);
  });

  it('takes one file in which persons say what their households are, and makes a release again by its bundle', async () => {
    const own = new Map(
      households
        .trimEnd()
        .split('\n')
        .map((line) => [line.split(',')[0], line.split(',').slice(1).join()]),
    );
    const joined = persons
      .trimEnd()
      .split('\n')
      .map((line) => `${line},${own.get(line.split(',')[0])}\n`)
      .join('');
    const folder = await folderWith({ ...files, 'persons.csv': joined });
    const budget = ['--dataset', 'd', '--epsilon', '8', '--delta', '1e-9'];
    const unit = ['--unit', 'household', '--key', 'hhID', '--max-size', '3'];
    expect(await runHere(folder, 'ledger', 'init', ledgerFile, ...budget, ...unit)).toMatchObject({ code: 0 });
    const made = await runHere(
      folder,
      'release',
      'persons.csv',
      '--schema',
      'schema.json',
      ...quick,
      '--epsilon',
      '2',
      '-o',
      'out',
    );
    expect(made).toMatchObject({ code: 0 });
    expect(await runHere(folder, 'release', 'persons.csv', '--config', 'out', ...quick, '-o', 'again')).toMatchObject({
      code: 0,
    });
    for (const out of ['out', 'again']) expect(await faultsOf(folder, out)).toEqual([]);
  });

  it('draws values within cells like those of the public tables, which both have theirs', async () => {
    const edged = {
      ...homeSchema,
      attributes: [
        ...homeSchema.attributes.slice(0, 2),
        { name: 'rent', type: 'integer', edges: [0, 1000, 2000] },
        ...homeSchema.attributes.slice(2),
      ],
      twoLevel: { ...homeSchema.twoLevel, household: ['region', 'dwelling', 'rent'] },
    };
    const rented = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line, i) => `${line},${i === 0 ? 'rent' : 700 + 600 * (i % 2)}\n`)
        .join('');
    const open = homes(200, 3);
    // All public persons are 30, 70 or 3 years old; rents are 700 and 1300.
    const aged = (text: string) =>
      text.replace(/,(\d+),/g, (_, age) => `,${Number(age) < 18 ? 3 : Number(age) < 65 ? 30 : 70},`);
    const folder = await folderWith({
      ...files,
      'households.csv': rented(households),
      'schema.json': JSON.stringify(edged),
      'pp.csv': aged(open.persons),
      'ph.csv': rented(open.households),
    });
    const publics = ['--public', 'pp.csv', '--public-households', 'ph.csv'];
    expect(await runHere(folder, ...basics, ...publics, '--epsilon', '2', '-o', 'out')).toMatchObject({ code: 0 });
    expect(await faultsOf(folder)).toEqual([]);
    const column = async (name: string, at: number) =>
      new Set(
        (await readFile(path.join(folder, 'out', name), 'utf8'))
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',')[at]),
      );
    expect([...(await column('persons.csv', 1))].sort()).toEqual(['3', '30', '70']);
    expect([...(await column('households.csv', 3))].sort()).toEqual(['1300', '700']);
    const { manifest } = await readHouseholdBundle(path.join(folder, 'out'));
    expect(manifest.mechanism.name).toBe('h-reweight');
    expect(manifest.sampling?.values).toBe('like the public table within cells');
    expect(manifest.configuration?.publicHouseholds).toBe('ph.csv');
  });

  it('is not for checks and comparisons of flat tables, which say so', async () => {
    const folder = await folderWith({ ...files, 'pp.csv': homes(20, 2).persons });
    const told: [string[], RegExp][] = [
      [
        ['check-public', 'persons.csv', '--public', 'pp.csv', '--schema', 'schema.json', '--epsilon', '1'],
        /schema: must describe one table for this check, got twoLevel/,
      ],
      [
        ['compare', 'pp.csv', '--schema', 'schema.json'],
        /schema: must describe one table to compare mechanisms on, got twoLevel/,
      ],
      [
        ['compare', 'pp.csv', '--mechanisms', 'h-mwem'],
        /must be one for a table of rows, got h-mwem, which is for households/,
      ],
    ];
    for (const [words, sentence] of told)
      expect(await runHere(folder, ...words)).toMatchObject({ code: 2, err: expect.stringMatching(sentence) });
  });

  it('plans without opening anything', async () => {
    const folder = await folderWith({ 'schema.json': files['schema.json'] });
    const { code, out } = await runHere(
      folder,
      'release',
      '--schema',
      'schema.json',
      '--epsilon',
      '1',
      '--dry-run',
      '--json',
    );
    expect(code).toBe(0);
    const plan = JSON.parse(out);
    expect(plan.mechanism.name).toMatch(/^h-/);
    expect(plan.unit).toEqual({ kind: 'household', column: 'hhID', maxRecords: 3 });
    expect(plan.steps[0]).toMatchObject({ act: 'measure', what: 'number of households' });
    expect([plan.seconds, plan.memory].every((value) => value > 0)).toBe(true);
  });
});

describe('a careless caller of surmise release with households', () => {
  const plain = JSON.stringify({ ...homeSchema, twoLevel: undefined });
  const large = JSON.stringify({
    ...homeSchema,
    attributes: [...homeSchema.attributes, { name: 'job', type: 'integer', min: 0, max: 99 }],
  });
  const without = (column: string, text: string) => text.replace(column, 'other');
  it.each<[string, Record<string, string>, string[], RegExp]>([
    [
      'households without twoLevel',
      { 'schema.json': plain },
      basics,
      /option --households: is for a schema with twoLevel/,
    ],
    [
      'a unit without twoLevel',
      { 'schema.json': plain },
      ['release', 'persons.csv', '--schema', 'schema.json', '--unit', 'person'],
      /option --unit: person is for a schema with twoLevel/,
    ],
    [
      'a mechanism for households without twoLevel',
      { 'schema.json': plain },
      ['release', 'persons.csv', '--schema', 'schema.json', '--mechanism', 'h-mwem'],
      /h-mwem models households, got a schema without twoLevel/,
    ],
    [
      'a mechanism for rows',
      {},
      [...basics, '--mechanism', 'aim'],
      /aim models the rows of one table, got a schema with twoLevel; use .*h-mwem/,
    ],
    ['another key', {}, [...basics, '--key', 'id'], /option --key: must be that of the schema, "hhID", got "id"/],
    ['another size', {}, [...basics, '--max-size', '4'], /option --max-size: must be that of the schema, 3, got 4/],
    [
      'an id as unit',
      {},
      [...basics, '--unit-id', 'sex', '--max-records', '2'],
      /must be a household or a person .* got values of "sex"/,
    ],
    [
      'two units',
      {},
      [...basics, '--unit', 'person', '--unit-id', 'sex', '--max-records', '2'],
      /option --unit: must stand without --unit-id/,
    ],
    [
      'a person who comes and goes',
      {},
      [...basics, '--unit', 'person'],
      /a person is protected under replace-one only/,
    ],
    [
      'a file of households that is not there',
      {},
      [...basics.slice(0, 3), 'none.csv', ...basics.slice(4)],
      /none\.csv: must be a file that exists/,
    ],
    [
      'the persons as households',
      {},
      [...basics.slice(0, 3), 'persons.csv', ...basics.slice(4)],
      /must be another table than that of the persons/,
    ],
    [
      'no column of keys',
      { 'persons.csv': without('hhID', persons) },
      basics,
      /persons\.csv: must have the column "hhID"/,
    ],
    [
      'no column of keys with the households',
      { 'households.csv': without('hhID', households) },
      basics,
      /households\.csv: must have the column "hhID"/,
    ],
    [
      'a household twice',
      { 'households.csv': `${households}home-1,north,flat\n` },
      basics,
      /households\.csv, row 301: must have a key that no row above has/,
    ],
    [
      'a person without a household',
      { 'persons.csv': `${persons}nobody,33,f\n` },
      basics,
      /persons\.csv, row \d+: must have a key of the households\.csv/,
    ],
    ['a person without a key', { 'persons.csv': `${persons},33,f\n` }, basics, /persons\.csv.*hhID/],
    [
      'one file that lacks what is said of households',
      {},
      ['release', 'persons.csv', '--schema', 'schema.json'],
      /persons\.csv: must have the column "region"/,
    ],
    [
      'public households without their persons',
      { 'ph.csv': households },
      [...basics, '--public-households', 'ph.csv'],
      /public households: need the one public table of their persons, got none/,
    ],
    [
      'a public table of persons alone',
      { 'pp.csv': homes(20, 2).persons },
      [...basics, '--public', 'pp.csv'],
      /pp\.csv: must have the column "region"/,
    ],
    [
      'the private households as public ones',
      { 'pp.csv': homes(20, 2).persons },
      [...basics, '--public', 'pp.csv', '--public-households', 'households.csv'],
      /households\.csv: must be public, got .*the private table itself/,
    ],
    [
      'a copy of the private households as public ones',
      { 'pp.csv': homes(20, 2).persons, 'ph.csv': households },
      [...basics, '--public', 'pp.csv', '--public-households', 'ph.csv'],
      /ph\.csv: must be public, got a copy of the private table/,
    ],
    [
      'no key to learn by',
      { 'pp.csv': homes(20, 2).persons, 'ph.csv': homes(20, 2).households },
      [
        'release',
        'persons.csv',
        '--households',
        'households.csv',
        '--public',
        'pp.csv',
        '--public-households',
        'ph.csv',
      ],
      /option --key: must name the column/,
    ],
    [
      'too many possible households',
      { 'schema.json': large, 'persons.csv': persons.replaceAll('\n', ',1\n').replace('sex,1', 'sex,job') },
      [...basics, '--mechanism', 'h-mwem'],
      /at most 1,048,576 possible households to be listed, got \d/,
    ],
    [
      'a query that no mechanism takes',
      {
        'w.json':
          '{"queries":[{"query":{"kind":"factored","factors":[{"attribute":"age","block":{"kind":"prefix"}}]},"weight":1}]}',
      },
      [...basics, '--mechanism', 'h-mwem', '--workload', 'w.json'],
      /must be marginals and counts of households/,
    ],
  ])('is told in one sentence, and nothing is spent: %s', async (_, over, words, sentence) => {
    const folder = await folderWith({ ...files, ...over });
    const before = (await readdir(folder)).sort();
    const { code, out, err } = await runHere(folder, ...words, '--epsilon', '1', '-o', 'out');
    const said = err.replace(/^note: .*\n/gm, '');
    expect(said).toMatch(/^surmise: [^\n]*\n$/);
    expect(said).toMatch(sentence);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect((await readdir(folder)).sort()).toEqual(before);
  });

  it('settles what contradicts itself where no row may stop a run', async () => {
    const folder = await folderWith({
      ...files,
      'households.csv': `${households}home-1,north,flat\nempty,north,flat\n`,
      'persons.csv': `${persons}nobody,33,f\n`,
    });
    expect(
      await runHere(folder, ...basics, ...quick, '--outside', 'clip', '--epsilon', '1', '-o', 'out'),
    ).toMatchObject({ code: 0 });
    expect(await faultsOf(folder)).toEqual([]);
  });

  it('is refused another unit or a second budget for either file, and the ledger stays as it is', async () => {
    const folder = await folderWith(files);
    const at = (name: string) => path.join(folder, name);
    expect(
      await runHere(
        folder,
        'ledger',
        'init',
        ledgerFile,
        '--epsilon',
        '9',
        '--delta',
        '1e-9',
        '--unit',
        'household',
        '--key',
        'hhID',
        '--max-size',
        '3',
      ),
    ).toMatchObject({ code: 0 });
    expect(await runHere(folder, ...basics, ...quick, '--epsilon', '1', '-o', 'out')).toMatchObject({ code: 0 });
    const kept = await readFile(at(ledgerFile), 'utf8');
    const flat = { ...homeSchema, twoLevel: undefined, attributes: homeSchema.attributes.slice(0, 2) };
    await writeFile(at('flat.json'), JSON.stringify(flat));
    const refused: [string[], RegExp][] = [
      [[...basics, '--unit', 'person', '--relation', 'replace-one'], /ledger: counts losses under add-remove/],
      [
        [...basics, '--unit', 'person', '--relation', 'replace-one', '--ledger', 'own.jsonl'],
        /would be a second budget of persons\.csv/,
      ],
      [
        ['release', 'households.csv', '--schema', 'flat.json'],
        /ledger: protects households by "hhID" of at most 3 persons, got a release that protects a row/,
      ],
      [
        ['release', 'households.csv', '--schema', 'flat.json', '--ledger', 'own.jsonl'],
        /would be a second budget of households\.csv/,
      ],
    ];
    for (const [words, sentence] of refused) {
      const { code, err } = await runHere(folder, ...words, '--epsilon', '1', '-o', 'more');
      expect([code, err.replace(/^note: .*\n/gm, '')]).toEqual([2, expect.stringMatching(sentence)]);
    }
    expect(await readFile(at(ledgerFile), 'utf8')).toBe(kept);
    expect(existsSync(at('own.jsonl'))).toBe(false);
    // The other way about: households that have a budget of their own already.
    const other = await folderWith({ ...files, 'flat.json': JSON.stringify(flat) });
    expect(
      await runHere(other, 'release', 'households.csv', '--schema', 'flat.json', '--epsilon', '1', '-o', 'flat'),
    ).toMatchObject({ code: 0 });
    expect((await runHere(other, ...basics, '--epsilon', '1', '-o', 'out')).err).toMatch(
      /households\.csv: has a ledger of its own, households\.csv\.ledger\.jsonl, got persons\.csv\.ledger\.jsonl for it and its persons/,
    );
  });
});

describe('what a release of households is asked and compared with', () => {
  it('answers SQL of both tables, and is compared with tables and with itself at both levels', async () => {
    const other = homes(200, 5);
    const folder = await folderWith({ ...files, 'p.csv': other.persons, 'h.csv': other.households });
    expect(await runHere(folder, ...basics, ...quick, '--epsilon', '4', '-o', 'out')).toMatchObject({ code: 0 });
    const { model } = await readHouseholdBundle(path.join(folder, 'out'));
    const ask = async (text: string) => JSON.parse((await runHere(folder, 'query', 'out', text, '--json')).out);
    const sql = 'SELECT COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18)';
    expect(JSON.stringify(await ask(sql))).toContain(String(model.answer(holding('age'))[0]).slice(0, 8));
    const { err } = await runHere(folder, 'query', 'out', 'SELECT age FROM households GROUP BY age');
    expect(err).toMatch(/^surmise: SQL 1:\d+: "age" is said of persons/);
    const evaluated = await runHere(
      folder,
      'evaluate',
      'p.csv',
      'out',
      '--households',
      'h.csv',
      '--json',
      '-o',
      'e.html',
    );
    expect(evaluated).toMatchObject({ code: 0 });
    const { households: compared } = JSON.parse(evaluated.out);
    expect(compared.households.map(({ way }: { way: number }) => way)).toEqual([1, 2, 3]);
    expect(compared.sizes).toHaveLength(3);
    expect(await readFile(path.join(folder, 'e.html'), 'utf8')).toContain('Households and persons');
    const same = await runHere(folder, 'evaluate', 'out', 'out');
    expect(same.out).toMatch(/persons in a household/);
    expect(same.out).toMatch(/households +3 .* 0% +0%/);
    for (const [words, sentence] of [
      [['p.csv', 'out'], /p\.csv: must have the column "region"/],
      [['out', 'out', '--households', 'h.csv'], /must be given once for each table that is compared, got 1 for 0/],
      [
        ['p.csv', 'out', '--households', 'households.csv'],
        /households\.csv: must be public or synthetic, got a table that has a ledger/,
      ],
    ] as const)
      expect((await runHere(folder, 'evaluate', ...words)).err).toMatch(sentence);
  });
});

describe('surmise demo --households', () => {
  it('releases both tables of a fictional country from those of an earlier year, and tells how close they came', async () => {
    const folder = await folderWith({});
    const { code, out } = await runHere(folder, 'demo', '--households', '--out', 'd', '--rows', '2000', '--json');
    expect(code).toBe(0);
    const demo = JSON.parse(out);
    expect(demo.release.mechanism.name).toBe('h-reweight');
    expect(demo.comparison.households.released.mean).toBeGreaterThan(0);
    expect(demo.comparison.shown[0].cells).toHaveLength(5);
    expect(await faultsOf(folder, 'd/release', 'd/persons-2023.csv.ledger.jsonl')).toEqual([]);
    const report = await readFile(path.join(folder, 'd/release/report.html'), 'utf8');
    for (const part of ['Persons in a household', 'Who lives in them', 'What is said of households', 'public table'])
      expect(report).toContain(part);
    // Made anew beside the public tables it is the same page.
    const words = [
      '--public',
      'd/persons-2018.csv',
      '--public-households',
      'd/households-2018.csv',
      '-o',
      'again.html',
    ];
    expect(await runHere(folder, 'report', 'd/release', ...words)).toMatchObject({ code: 0 });
    expect(await readFile(path.join(folder, 'again.html'), 'utf8')).toBe(report);
  });
});

describe('surmise verify of households', () => {
  it('finds another key, another value and another size of either table, whatever the hashes say', async () => {
    const folder = await folderWith(files);
    const at = (name: string) => path.join(folder, 'out', name);
    expect(await runHere(folder, ...basics, ...quick, '--epsilon', '2', '--rows', '60', '-o', 'out')).toMatchObject({
      code: 0,
    });
    const { manifest } = await readHouseholdBundle(path.join(folder, 'out'));
    /** A forger who mends the hashes. */
    const forge = async (name: string, change: (text: string) => string): Promise<readonly string[]> => {
      const text = await readFile(at(name), 'utf8');
      await writeFile(at(name), change(text));
      const entry = await describeFile(at(name));
      const list = manifest.files.map((one) => (one.name === name ? entry : one));
      await writeFile(at('bundle.json'), manifestText({ ...manifest, files: list }));
      const faults = await faultsOf(folder);
      await writeFile(at(name), text);
      return faults;
    };
    const lines = (edit: (rows: string[]) => string[]) => (text: string) => {
      const [header, ...rows] = text.trimEnd().split('\n');
      return `${[header, ...edit(rows)].join('\n')}\n`;
    };
    const rekeyed = (key: string) => lines(([first, ...rest]) => [first.replace(/^[^,]*/, key), ...rest]);
    for (const key of ['0', '2', '61']) {
      expect(await forge('households.csv', rekeyed(key))).toEqual([
        expect.stringMatching(/another value of "hhID" in row 1/),
      ]);
      expect(await forge('persons.csv', rekeyed(key))).toEqual([
        expect.stringMatching(/another value of "hhID" in row 1/),
      ]);
    }
    const swapped = lines(([first, ...rest]) => [
      first.endsWith('f') ? first.replace(/f$/, 'm') : first.replace(/m$/, 'f'),
      ...rest,
    ]);
    expect(await forge('persons.csv', swapped)).toEqual([expect.stringMatching(/another value of "sex" in row 1/)]);
    expect(
      await forge(
        'persons.csv',
        lines((rows) => rows.slice(1)),
      ),
    ).toEqual([expect.stringMatching(/persons\.csv: must have \d+ rows/)]);
    expect(
      await forge(
        'households.csv',
        lines((rows) => rows.slice(0, -1)),
      ),
    ).toEqual([expect.stringMatching(/households\.csv: must have 60 rows, got 59/)]);
  });
});
