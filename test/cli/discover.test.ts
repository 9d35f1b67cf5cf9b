import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { declarePrompt } from '../../cli/discover/declare-prompt.js';
import type { Manifest } from '../../src/bundle/manifest.js';
import type { Draft } from '../../src/domain/discover/draft.js';
import { fakeIo } from '../support/fake-io.js';
import { rawTables } from '../support/raw-people.js';
import { runHere } from '../support/run-here.js';
import { folderWith, main } from '../support/surmise.js';

const epsilonOne = ['--epsilon', '1', '--bootstrap', '0'];

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(folder, 'out', 'bundle.json'), 'utf8')) as Manifest;

describe('a raw table with nothing public', () => {
  const tables = rawTables(9_000);

  it.each([
    ['passengers', tables.passengers, ['Class', 'Sex', 'Age', 'Fare', 'Embarked', 'Booked', 'Survived']],
    [
      'patients',
      tables.patients,
      ['gender', 'age', 'hypertension', 'avg_glucose_level', 'bmi', 'smoking_status', 'admitted', 'seen'],
    ],
  ])('is released by --discover alone at epsilon 1: %s', async (_, text, names) => {
    const folder = await folderWith({ 'raw.csv': text });
    const plan = await runHere(folder, 'release', 'raw.csv', '--discover', '--epsilon', '1', '--dry-run');
    expect(plan).toMatchObject({ code: 0, err: '' });
    expect(plan.out).toMatch(/A value is told when about [\d,]+ rows or more have it/);
    expect(existsSync(path.join(folder, 'raw.csv.ledger.jsonl'))).toBe(false);
    const { code, out, err } = await runHere(folder, 'release', 'raw.csv', '--discover', ...epsilonOne, '-o', 'out');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/left out: it is declared as (free text|an id)/);
    const { schema, privacy } = await manifestIn(folder);
    expect(schema.attributes.map(({ name }) => name)).toEqual(names);
    expect(Number(privacy.epsilon)).toBeLessThanOrEqual(1);
    expect(Number(privacy.delta)).toBeLessThanOrEqual(1e-9);
    const verdict = await runHere(folder, 'verify', 'out', '--ledger', 'raw.csv.ledger.jsonl');
    expect(verdict).toMatchObject({ code: 0 });
    expect(verdict.out).toContain('every value passed its threshold');
    // Rows are written plainly, however the private table was.
    const [header, ...lines] = (await readFile(path.join(folder, 'out', 'synthetic.csv'), 'utf8')).split('\n');
    expect(header).toBe(names.join(','));
    expect(lines.length).toBeGreaterThan(8_000);
    expect(schema.attributes.filter(({ type }) => type === 'date').length).toBe(names.length === 7 ? 1 : 2);
  });

  it('is refused with a public table, without a delta, and where its first line is a row', async () => {
    const folder = await folderWith({
      'raw.csv': tables.patients.slice(0, 2000).replace(/[^\n]*$/, ''),
      'p.csv': 'a\n1\n',
      'rows.csv': '1,a\n2,b\n',
    });
    const said = async (...words: string[]) => (await runHere(folder, 'release', ...words, '-o', 'out')).err;
    expect(await said('raw.csv', '--discover', '--epsilon', '1', '--public', 'p.csv')).toMatch(
      'learned from a public table where there is one',
    );
    expect(await said('raw.csv', '--discover', '--epsilon', '1', '--pure')).toMatch('with a delta only');
    expect(await said('rows.csv', '--discover', '--epsilon', '1')).toMatch(
      'the first line must be a header, got names that are numbers or dates',
    );
    expect(existsSync(path.join(folder, 'raw.csv.ledger.jsonl'))).toBe(false);
  });
});

describe('a map that nobody wrote down', () => {
  const rows = Array.from({ length: 4000 }, (_, i) => `${'ABC'[i % 3]}${1 + (i % 2)},${'ABC'[i % 3]},${i % 5}`);
  const schema = {
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'sub_grade', type: 'category', values: ['A1', 'A2', 'B1', 'B2', 'C1', 'C2', 'Z9'] },
      { name: 'grade', type: 'category', values: ['A', 'B', 'C'] },
      { name: 'count', type: 'integer', min: 0, max: 4 },
    ],
    constraints: [{ from: 'sub_grade', to: 'grade', map: 'discover' }],
  };

  it('is learned with noise by a release from a file, planned before, told of, and kept by every row', async () => {
    const folder = await folderWith({
      'loans.csv': `sub_grade,grade,count\n${rows.join('\n')}\n`,
      's.json': JSON.stringify(schema),
    });
    const words = ['release', 'loans.csv', '--schema', 's.json', '--epsilon', '12', '--pure'];
    const plan = await runHere(folder, ...words, '--dry-run');
    expect(plan).toMatchObject({ code: 0, err: '' });
    expect(plan.out).toMatch(/sub_grade -> grade: a noisy count of each combination, .* from about [\d,]+ rows on/);
    expect(existsSync(path.join(folder, 'loans.csv.ledger.jsonl'))).toBe(false);
    const { code, out, err } = await runHere(folder, ...words, '--bootstrap', '0', '-o', 'out');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      'sub_grade -> grade: learned with noise, for 6 of 7 values; not safe to say of, and free: Z9',
    );
    const lines = (await readFile(path.join(folder, 'out', 'synthetic.csv'), 'utf8')).trim().split('\n').slice(1);
    const broken = lines.filter((line) => /^[ABC]/.test(line) && line[0] !== line.split(',')[1]);
    expect([lines.length > 3000, broken]).toEqual([true, []]);
    expect(await runHere(folder, 'verify', 'out', '--ledger', 'loans.csv.ledger.jsonl')).toMatchObject({ code: 0 });
    // The schema that was found serves as it is, and a schema that leaves a map open serves a release alone.
    expect((await runHere(folder, 'inspect', 'loans.csv', '--schema', 's.json')).err).toContain(
      'must leave nothing to be asked for here, got "discover"',
    );
  });

  it('tells everything that is wrong with it at once, each with its line, and a single thing with its line too', async () => {
    const lined = (constraints: unknown[]): string => JSON.stringify({ ...schema, constraints }, undefined, 1);
    const wrong = [
      { from: 'subgrade', to: 'grade', map: 'discover' },
      { from: 'sub_grade', to: 'grade' },
      { forbid: "grade = 'D'" },
    ];
    const folder = await folderWith({ 'loans.csv': 'a\n1\n', 's.json': lined(wrong), 'one.json': lined([wrong[0]]) });
    const said = async (file: string) =>
      (await runHere(folder, 'release', 'loans.csv', '--schema', file, '--epsilon', '1', '-o', 'out')).err;
    const all = await said('s.json');
    expect(all).toContain('s.json: 3 things are to be put right:');
    expect(all.match(/line \d+: constraints\[\d\]/g)).toHaveLength(3);
    expect(await said('one.json')).toMatch(
      /one\.json, line \d+: constraints\[0\]\.from: must name a column of the schema, got "subgrade"; did you mean "sub_grade"\?/,
    );
  });
});

describe('a schema that is declared', () => {
  const { patients, passengers } = rawTables(400);
  const answers = [
    '',
    '@nothing',
    'Female, Male',
    '0..120 in 12',
    'yes/no',
    'number 50..300',
    'number 10..60',
    '',
    'discover dates M/D/YYYY',
    '2015-01-01..2023-12-31',
  ];

  const typed = async (names: readonly string[], lines: readonly string[]): Promise<{ draft: Draft; out: string }> => {
    const { io, said } = fakeIo({ isTerminal: true });
    const [input, output] = [new PassThrough(), new PassThrough()];
    output.resume();
    const done = declarePrompt(names, undefined, io, { input, output });
    input.end(lines.map((line) => `${line}\n`).join(''));
    return { draft: await done, out: said.out };
  };

  it('takes guesses and answers, and asks again what it does not understand', async () => {
    const names = patients.split('\n')[0].split(',');
    const { draft, out } = await typed(names, answers);
    expect(out).toMatch(/there is no list @nothing; there are @months/);
    expect(draft.attributes).toMatchObject([
      { name: 'patient_id', type: 'id' },
      { name: 'gender', type: 'category', values: ['Female', 'Male'], other: 'other' },
      { name: 'age', type: 'integer', min: 0, max: 120, bins: 12 },
      { name: 'hypertension', type: 'boolean' },
      { name: 'avg_glucose_level', type: 'number', min: 50, max: 300, bins: 20 },
      { name: 'bmi', type: 'number' },
      { name: 'smoking_status', type: 'category', values: 'discover' },
      { name: 'admitted', type: 'date', edges: 'discover' },
      { name: 'seen', type: 'date', by: 'year' },
    ]);
    expect(draft.table).toEqual({ columns: { admitted: { date: 'M/D/YYYY' } } });
    await expect(typed(names, ['', ''])).rejects.toThrow('every column must be declared or skipped');
  });

  it('without a terminal is a skeleton from the header alone, and takes over what fits another one', async () => {
    const folder = await folderWith({
      'raw.csv': passengers,
      'other.json': JSON.stringify({
        surmise: 1,
        origin: { kind: 'declared' },
        attributes: [{ name: 'Sex', type: 'category', values: ['female', 'male'] }],
      }),
    });
    const { code, out, err } = await runHere(
      folder,
      'schema',
      'raw.csv',
      '--declare',
      '--like',
      'other.json',
      '-o',
      's.json',
    );
    expect([code, err]).toEqual([
      0,
      'raw.csv: only its header was read, not a row. The first column has no name: it is taken for an index and left out.\n',
    ]);
    expect(out).toMatch(/^Wrote s.json. Read it, and correct what was guessed/);
    const { attributes } = JSON.parse(await readFile(path.join(folder, 's.json'), 'utf8')) as Draft;
    expect(attributes.find(({ name }) => name === 'Sex')).toMatchObject({ values: ['female', 'male'] });
    expect(attributes.find(({ name }) => name === 'Comment')).toMatchObject({ type: 'text' });
    const plan = await runHere(
      folder,
      'release',
      'raw.csv',
      '--schema',
      's.json',
      '--epsilon',
      '1',
      '--dry-run',
      '--json',
    );
    expect(JSON.parse(plan.out)).toMatchObject({ discovery: { share: 0.05 } });
  });

  it('tells all that is wrong with a file at once, each with its line', async () => {
    const text = `{ "surmise": 1, "origin": { "kind": "declared" }, "attributes": [
  { "name": "a", "type": "integer", "min": 3, "max": 1 },
  { "name": "b", "type": "boolean" },
  { "name": "c", "type": "category", "vals": ["x"] }
] }`;
    const folder = await folderWith({ 'raw.csv': 'a,b,c\n', 's.json': text });
    const { code, err } = await runHere(
      folder,
      'release',
      'raw.csv',
      '--schema',
      's.json',
      '--epsilon',
      '1',
      '-o',
      'out',
    );
    expect(code).toBe(2);
    expect(err).toMatch(
      /2 things are to be put right:\n {2}line 2: attribute "a": `max` must be above.*\n {2}line 4: attribute "c": unknown key "vals"; did you mean "values"\?/,
    );
  });

  it('says in options how the table is written, and takes comments in a schema file', async () => {
    const latin = Buffer.from('größe;wann\n1.234,5;03.02.2020\n99,5;04.02.2020\n', 'latin1');
    const folder = await folderWith({ 'raw.csv': '', 'p.csv': 'a\n1\n' });
    await writeFile(path.join(folder, 'raw.csv'), latin);
    const written = ['--encoding', 'iso-8859-1', '--delimiter', 'semicolon', '--decimal', 'comma'];
    const declared = ['schema', 'raw.csv', '--declare', '-o', 's.json', '--thousands', 'point', ...written];
    expect(await runHere(folder, ...declared, '--date-format', 'DD.MM.YYYY')).toMatchObject({ code: 0 });
    const text = await readFile(path.join(folder, 's.json'), 'utf8');
    const { table, attributes } = JSON.parse(text) as Draft;
    expect(table).toEqual({
      delimiter: ';',
      decimal: ',',
      thousands: '.',
      encoding: 'iso-8859-1',
      date: 'DD.MM.YYYY',
    });
    expect(attributes.map(({ name }) => name)).toEqual(['größe', 'wann']);
    await writeFile(path.join(folder, 's.json'), text.replace('{', '{ // what we know\n/* of it */'));
    const plan = await runHere(folder, 'release', 'raw.csv', '--schema', 's.json', '--epsilon', '1', '--dry-run');
    expect(plan).toMatchObject({ code: 0, err: '' });
    const clash = await runHere(
      folder,
      'release',
      'raw.csv',
      '--schema',
      's.json',
      '--epsilon',
      '1',
      '--dry-run',
      '--decimal',
      'point',
    );
    expect([clash.code, clash.err]).toEqual([2, expect.stringContaining('`thousands` and `decimal` must differ')]);
    for (const [words, said] of [
      [
        ['schema', 'p.csv', '--decimal', 'comma'],
        'option --decimal: says how a table is written whose schema is declared',
      ],
      [
        ['release', 'raw.csv', '--public', 'p.csv', '--epsilon', '1', '--dry-run', '--date-format', 'D.M.YYYY'],
        'option --date-format: says how a private table is written beside a schema',
      ],
      [
        ['schema', 'raw.csv', '--declare', '--delimiter', 'semi'],
        'option --delimiter: must be comma, semicolon, tab, pipe or one character',
      ],
    ] as const) {
      const { code, err } = await runHere(folder, ...words);
      expect([code, err]).toEqual([2, expect.stringContaining(said)]);
    }
  });

  const hasScript = (() => {
    try {
      return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
    } catch {
      return false;
    }
  })();

  describe.runIf(hasScript)('in a pseudo-terminal', () => {
    beforeAll(() => expect(existsSync(main), 'run npm run build first').toBe(true));

    it.each([
      [
        'patients',
        patients,
        [
          '',
          'Female, Male',
          '0..120 in 12',
          'yes/no',
          'number 50..300',
          'number 10..60',
          'never smoked, formerly smoked, smokes, Unknown',
          '2015-01-01..2022-12-31 by year M/D/YYYY',
          '2015-01-01..2022-12-31 by year',
        ],
      ],
      [
        'passengers',
        passengers,
        [
          'first, second, third',
          'female, male',
          '0..80 in 16',
          'number 0..400 in 10 decimal comma',
          'Southampton, Cherbourg, Queenstown',
          '1912-01-01..1912-12-31 by month DD.MM.YYYY',
          '',
          'yes/no',
        ],
      ],
    ])(
      'is typed column by column, and a release follows at epsilon 1 without a line of JSON: %s',
      async (_, text, lines) => {
        const folder = await folderWith({ 'raw.csv': text });
        const command = `${process.execPath} ${main} schema raw.csv --declare -o s.json`;
        const child = spawn('script', ['-qec', command, '/dev/null'], {
          cwd: folder,
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        let said = '';
        let asked = 0;
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          // One answer for each question that has been asked.
          for (; asked < lines.length && said.includes(`${asked + 1}/${lines.length}  `); asked++)
            child.stdin.write(`${lines[asked]}\n`);
        });
        const code = await new Promise((resolve) => child.on('close', resolve));
        expect([code, said.includes('Wrote s.json')]).toEqual([0, true]);
        const made = await runHere(folder, 'release', 'raw.csv', '--schema', 's.json', ...epsilonOne, '-o', 'out');
        expect([made.code, made.err]).toEqual([0, '']);
        expect((await runHere(folder, 'verify', 'out', '--ledger', 'raw.csv.ledger.jsonl')).code).toBe(0);
        // Numbers and dates were read: what is empty in the rows is what was empty in the table.
        const { schema } = await manifestIn(folder);
        const [header, ...rows] = (await readFile(path.join(folder, 'out', 'synthetic.csv'), 'utf8'))
          .trim()
          .split('\n');
        for (const [at, name] of header.split(',').entries()) {
          const spec = schema.attributes.find((own) => own.name === name)!;
          if (spec.type !== 'date' && spec.type !== 'number') continue;
          expect(rows.filter((row) => row.split(',')[at] === '').length, name).toBeLessThan(rows.length / 4);
        }
      },
    );
  });
});
