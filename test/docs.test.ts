import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { domainOf } from '../src/domain/domain-of.js';
import { type Block, blocksOf, examplesOf } from './support/doc-blocks.js';
import { homeSchema, homes } from './support/homes.js';
import { runHere } from './support/run-here.js';

// Item 11: every example in docs/ and README.md is run.

const root = path.resolve(import.meta.dirname, '..');
const documents = ['README.md', ...readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))];
const modules = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort();
const blocks = [
  ...documents.flatMap((name) =>
    blocksOf(name, readFileSync(path.join(root, name === 'README.md' ? '' : 'docs', name), 'utf8')),
  ),
  ...modules.flatMap((name) => examplesOf(name, readFileSync(path.join(root, 'src', name), 'utf8'))),
];
const run = blocks.filter(({ notRun }) => notRun === undefined);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'surmise-docs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('few examples are not run, and each of them says why', () => {
  const left = blocks.filter(({ notRun }) => notRun !== undefined);
  expect(left.length).toBeLessThanOrEqual(5);
  for (const { notRun } of left) expect(notRun?.length).toBeGreaterThan(10);
  // Programs are fenced, so that none is taken for something to look at.
  expect(blocks.filter(({ kind, lines }) => kind === '' && /^(import|const) .*[;{]$/.test(lines[0]))).toEqual([]);
});

it('examples in JSON are JSON, and attributes among them can be declared', () => {
  for (const { where, lines } of run.filter(({ kind }) => kind === 'json')) {
    // A list of alternatives, one a line, or one value.
    const values: unknown[] = lines.every((line) => /^\{.*\}$/.test(line.trim()))
      ? lines.map((line) => JSON.parse(line))
      : [JSON.parse(lines.join('\n'))];
    for (const value of values) {
      const { name, type } = value as { name?: unknown; type?: unknown };
      if (name !== undefined && type !== undefined)
        expect(domainOf([value as never]).attributes, where).toHaveLength(1);
    }
  }
});

/** An example as a module: names that it uses and does not make come from the package or from the fixtures. */
const moduleOf = (
  { lines }: Block,
  api: Readonly<Record<string, readonly string[]>>,
  given: readonly string[],
): string => {
  const dist = (file: string) => JSON.stringify(path.join(root, 'dist', file));
  const text = lines
    .join('\n')
    .replaceAll(`'surmise/node'`, dist('adapters/index.js'))
    .replaceAll(`'surmise/advanced'`, dist('src/advanced.js'))
    .replaceAll(`'surmise'`, dist('src/index.js'))
    .replaceAll(/'\.\.\/(src\/.*?)'/g, (_, file: string) => dist(file));
  const made = new Set(
    [...text.matchAll(/(?:const|let|import) (?:(\w+)|[[{]([^=]*?)[\]}]) (?:=|from)/g)].flatMap(([, one, many]) =>
      (one ?? many).split(',').map((name) => name.trim().replace(/^\w+: /, '')),
    ),
  );
  const isUsed = (name: string) => !made.has(name) && new RegExp(`(?<![.\\w'"])${name}\\b(?!:)`).test(text);
  const fixtures = given.filter(isUsed);
  const functions = (names: readonly string[]) => names.filter((name) => isUsed(name) && !fixtures.includes(name));
  return [
    ...Object.entries(api).map(([file, names]) => `import { ${functions(names).join(', ')} } from ${dist(file)};`),
    `import { fixtures } from ${JSON.stringify(path.join(root, 'test/support/doc-fixtures.mjs'))};`,
    ...fixtures.map((name) => `const ${name} = await fixtures.${name}();`),
    text,
  ].join('\n');
};

it('item 11: examples in TypeScript run against the built package', { timeout: 120_000 }, async () => {
  const work = path.join(folder, 'ts');
  mkdirSync(work);
  const api = {
    'src/index.js': Object.keys(await import('../src/index.js')),
    'src/advanced.js': Object.keys(await import('../src/advanced.js')),
  };
  const given = [
    ...readFileSync(path.join(root, 'test/support/doc-fixtures.mjs'), 'utf8').matchAll(
      /^ {2}(\w+): (async|open[SL])/gm,
    ),
  ];
  const names = given.map(([, name]) => name);
  const examples = run.filter(({ kind }) => kind === 'ts' || kind === 'js');
  expect(examples.length).toBeGreaterThanOrEqual(15);
  // Examples of one document may build on those before them.
  const files = [...documents, ...modules].flatMap((name) => {
    const own = examples.filter(({ where }) => where.startsWith(`${name}:`));
    return own.map((block, i) => {
      const file = path.join(work, `${name.replaceAll('/', '-')}-${i}.mjs`);
      const isAlone = !(name === 'tables.md' && i === 1);
      const lines = isAlone ? block.lines : [...own[0].lines, ...block.lines];
      writeFileSync(file, moduleOf({ ...block, lines }, api, names));
      return { where: block.where, file };
    });
  });
  const main = files.map(
    ({ where, file }) =>
      `await import(${JSON.stringify(file)}).catch((error) => { console.error(${JSON.stringify(where)}, error); process.exitCode = 1; });`,
  );
  writeFileSync(path.join(work, 'all.mjs'), `${main.join('\n')}\nprocess.exit();\n`);
  const { status, stderr } = spawnSync(process.execPath, ['all.mjs'], { cwd: work, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

/** A table with the columns that the documents ask for; `shift` moves its shares. */
const survey = (rows: number, shift: number): string =>
  `person,sex,age,works\n${Array.from({ length: rows }, (_, i) =>
    [`p${i}`, i % 2 === 0 ? 'female' : 'male', 20 + ((i * 7 + shift) % 40), (i * 13 + shift) % 5 < 3].join(','),
  ).join('\n')}\n`;
const schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['female', 'male'] },
    { name: 'works', type: 'boolean' },
    { name: 'age', type: 'integer', edges: [20, 30, 40, 60], null: false },
  ],
};

/** The folder that every block of commands begins in: tables, a schema, a release, its ledger. */
const makeBase = async (base: string, cli: readonly Block[]): Promise<void> => {
  mkdirSync(base);
  const put = (name: string, text: string) => writeFileSync(path.join(base, name), text);
  for (const [i, name] of [
    'survey',
    'survey-2018',
    'survey-2019',
    'survey-2021',
    'neighbours',
    'private',
    'public',
  ].entries())
    put(`${name}.csv`, survey(240 + i, i));
  put('schema.json', JSON.stringify(schema));
  const { persons, households } = homes(240, 1);
  put('persons.csv', persons);
  put('households.csv', households);
  put('homes.json', JSON.stringify(homeSchema));
  put('questions.sql', 'SELECT COUNT(*) FROM data; SELECT sex, COUNT(*) FROM data GROUP BY sex;');
  // The measurements and the workload that the documents themselves show.
  put(
    'workload.json',
    blocks.find(({ kind, lines }) => kind === 'json' && lines[1]?.includes('"works"'))!.lines.join('\n'),
  );
  put('marginals.json', cli.find(({ kind }) => kind === 'json')!.lines.join('\n'));
  const words = [
    'release',
    'survey.csv',
    '--public',
    'survey-2018.csv',
    '--epsilon',
    '1',
    '--bootstrap',
    '2',
    '-o',
    'released',
  ];
  expect(await runHere(base, ...words)).toMatchObject({ code: 0 });
  expect(
    await runHere(base, 'ledger', 'init', 'survey.ledger', '--dataset', 'd', '--epsilon', '1', '--delta', '1e-9'),
  ).toMatchObject({
    code: 0,
  });
};

const wordsOf = (line: string, here: string): string[] => {
  const [command, input] = line.replace(/ +#.*$/, '').split(/ < (?=[^"]*$)/);
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
  // There is no standard input in this process: the statements are typed. A small demo, and one budget, are as good as more.
  const typed = input === undefined ? [] : [readFileSync(path.join(here, input.trim()), 'utf8')];
  return [...words.slice(words.indexOf('surmise') + 1), ...typed].map((word) =>
    word === '5000' ? '200' : /^0\.1,0\.3,1/.test(word) ? '1' : word,
  );
};

it('item 11: commands run as they stand, on small tables', { timeout: 300_000 }, async () => {
  const [base, demo] = ['base', 'demo'].map((name) => path.join(folder, name));
  await makeBase(
    base,
    blocks.filter(({ where }) => where.startsWith('cli.md:')),
  );
  // The tour of the README is run in test/cli/readme.test.ts, on the demo; what needs a server, where there is one.
  const needsServer = (line: string) => line.includes('.example.org/');
  const commands = run.filter(
    ({ kind, where, lines }) => kind === 'sh' && !where.startsWith('README.md') && !lines.some(needsServer),
  );
  expect(commands.length).toBeGreaterThanOrEqual(20);
  const done = new Set<string>();
  for (const { where, lines } of commands) {
    // What several documents show is run once.
    if (lines.every((line) => done.has(line))) continue;
    for (const line of lines) expect(line, where).toMatch(/^(surmise|open) /);
    const here = path.join(folder, where.replace(/\W/g, '-'));
    // What is done with the demo's tables builds on what was done before.
    const isDemo = lines.some((line) => line.includes('orvania'));
    cpSync(isDemo && existsSync(demo) ? demo : base, here, { recursive: true });
    for (const line of lines.filter((one) => one.startsWith('surmise '))) {
      const words = wordsOf(line, here);
      // What a command is to make is not there yet, and a first release finds no ledger.
      const made = [words[words.indexOf('-o') + 1], words[0] === 'ledger' && words[1] === 'init' ? words[2] : ''];
      for (const name of made.filter((one) => one !== '' && one !== words[0]))
        rmSync(path.join(here, name), { recursive: true, force: true });
      if (/^(release|check-public) survey\.csv(?!.*--dry-run)/.test(words.join(' ')))
        rmSync(path.join(here, 'survey.csv.ledger.jsonl'), { force: true });
      const { code, err } = await runHere(here, ...words);
      expect({ where, line, code, err: code === 0 ? '' : err }).toEqual({ where, line, code: 0, err: '' });
    }
    for (const line of lines) done.add(line);
    // It stays until the end: a ledger in a copy of it knows its table by the inode, which must not become another file's.
    if (isDemo) cpSync(here, demo, { recursive: true });
  }
});
