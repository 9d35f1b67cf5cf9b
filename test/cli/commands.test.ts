import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands.js';
import { commandNames } from '../../cli/options/command-table.js';
import { helpText } from '../../cli/options/help.js';
import { optionsOf } from '../../cli/options/table.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { folderWith, start, surmise } from '../support/surmise.js';

const table = `id,age,colour,since,vip\n${Array.from({ length: 400 }, (_, i) =>
  [
    `p${i}`,
    i % 7 === 0 ? '' : 18 + ((i * 37) % 60),
    ['red', 'green', 'blue'][i % 3],
    `20${10 + (i % 9)}-03-0${1 + (i % 9)}`,
    i % 2 === 0,
  ].join(','),
).join('\n')}\n`;

describe('the command line', () => {
  it.each(commandNames)('explains %s with its usage and an example', async (name) => {
    const { code, out, err } = await surmise('.', name, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^usage: surmise ${name}\\b`));
    expect(out).toMatch(new RegExp(`examples?:\\s+surmise ${name}\\b`));
    expect((await surmise('.', 'help', name)).out).toBe(out);
  });

  it.each(commandNames)('declares in the help of %s every option it takes', async (name) => {
    const help = helpText((await commands[name]()).default);
    for (const { name: option } of optionsOf(name))
      expect(help).toMatch(new RegExp(`^ {2}(-\\w,| {3}) --${option}\\b`, 'm'));
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(132);
  });

  it('refuses an unknown option of a command with a suggestion and exit code 2', async () => {
    const { code, out, err } = await surmise('.', 'schema', 't.csv', '--bin', '3');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('surmise: option --bin: unknown to surmise schema; did you mean --bins?\n');
  });

  it('learns a schema that its own inspect accepts, and marks it as public', async () => {
    const folder = await folderWith({ 't.csv': table });
    const learned = await surmise(folder, 'schema', 't.csv', '-o', 's.json');
    expect(learned).toMatchObject({ code: 0, err: '' });
    expect(learned.out).toMatch(/^t\.csv: 400 public rows\n/);
    expect(learned.out).toMatch(/id: left out/);
    const schema = parseSchema(JSON.parse(await readFile(path.join(folder, 's.json'), 'utf8')));
    expect(schema.origin).toMatchObject({ kind: 'public-table', file: 't.csv', rows: 400 });
    expect(schema.attributes.map(({ name, type }) => [name, type])).toEqual([
      ['age', 'integer'],
      ['colour', 'category'],
      ['since', 'date'],
      ['vip', 'boolean'],
    ]);
    const inspected = await surmise(folder, 'inspect', 't.csv', '--schema', 's.json', '--json');
    expect(inspected).toMatchObject({ code: 0, err: '' });
    const { rows, attributes } = JSON.parse(inspected.out);
    expect(rows).toBe(400);
    for (const { cells, outside, clamped, other } of attributes) {
      expect({ outside, clamped, other }).toEqual({ outside: 0, clamped: 0, other: 0 });
      expect(cells.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(400);
    }
    expect(attributes[0].null).toBe(58);
    const colour = Object.fromEntries(
      attributes[1].cells.map((cell: { label: string; count: number }) => [cell.label, cell.count]),
    );
    expect(colour).toEqual({ blue: 133, green: 133, red: 134, other: 0 });
  });

  it('counts what was clamped, null and other', async () => {
    const folder = await folderWith({
      't.csv': 'n,d,c\n-5,1999-12-31,x\n0,2000-01-01,y\n10,2001-12-31,\n11,2002-01-01,z\n',
      's.json': JSON.stringify({
        surmise: 1,
        origin: { kind: 'declared' },
        attributes: [
          { name: 'n', type: 'number', min: 0, max: 10, bins: 5 },
          { name: 'd', type: 'date', by: 'year', min: '2000-01-01', max: '2001-12-31' },
          { name: 'c', type: 'category', values: ['x'], other: 'rest', null: true },
        ],
      }),
    });
    const { out, code } = await surmise(folder, 'inspect', 't.csv', '--schema', 's.json', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).attributes).toMatchObject([
      { clamped: 2, null: 0, other: 0, outside: 0 },
      { clamped: 2 },
      { clamped: 0, null: 1, other: 2 },
    ]);
    const text = (await surmise(folder, 'inspect', 't.csv', '--schema', 's.json')).out;
    expect(text).toMatch(/^t\.csv: 4 rows, read as public data/);
    expect(text).toContain('rest');
  });

  it('replaces an existing schema with --force only, and prints JSON with --json', async () => {
    const folder = await folderWith({ 't.csv': table, 's.json': 'old' });
    const { code, out } = await surmise(
      folder,
      'schema',
      't.csv',
      '-o',
      's.json',
      '--force',
      '--json',
      '--exclude',
      'age',
    );
    expect(code).toBe(0);
    const printed = JSON.parse(out);
    expect(printed.schema).toEqual(JSON.parse(await readFile(path.join(folder, 's.json'), 'utf8')));
    expect(printed.schema.attributes.map(({ name }: { name: string }) => name)).toEqual(['colour', 'since', 'vip']);
  });

  it('makes the demo twice without touching the first, the same for the same seed', async () => {
    const folder = await folderWith({});
    const first = await surmise(folder, 'demo', '--rows', '300');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('fictional');
    const second = await surmise(folder, 'demo', '--rows', '300', '--json');
    expect(JSON.parse(second.out)).toMatchObject({ fictional: true, schema: { file: 'surmise-demo-2/schema.json' } });
    expect((await readdir(folder)).sort()).toEqual(['surmise-demo', 'surmise-demo-2']);
    const files = ['private-2023.csv', 'public-2018.csv', 'schema.json'];
    const ledger = 'private-2023.csv.ledger.jsonl';
    for (const name of ['surmise-demo', 'surmise-demo-2'])
      expect((await readdir(path.join(folder, name))).sort()).toEqual([...files, ledger, 'release'].sort());
    const { release, comparison } = JSON.parse(second.out);
    expect(release).toMatchObject({ directory: 'surmise-demo-2/release', privacy: { delta: '1e-9', seeded: false } });
    expect(comparison.pairs).toBeGreaterThan(100);
    for (const name of ['surmise-demo', 'surmise-demo-2']) {
      const words = ['verify', `${name}/release`, '--ledger', `${name}/${ledger}`];
      expect(await surmise(folder, ...words)).toMatchObject({ code: 0, err: '' });
    }
    // The ledger has room for another release of the table where it now is.
    const again = ['release', 'surmise-demo/private-2023.csv', '--schema', 'surmise-demo/schema.json'];
    const words = ['--public', 'surmise-demo/public-2018.csv', '--epsilon', '1', '-o', 'surmise-demo/again'];
    expect(await surmise(folder, ...again, ...words)).toMatchObject({ code: 0, err: '' });
    for (const file of files) {
      const read = (name: string) => readFile(path.join(folder, name, file), 'utf8');
      expect(await read('surmise-demo')).toBe(await read('surmise-demo-2'));
    }
    const lines = (await readFile(path.join(folder, 'surmise-demo/public-2018.csv'), 'utf8')).trim().split('\n');
    expect(lines.length - 1).toBeGreaterThanOrEqual(300);
    expect(lines.length - 1).toBeLessThan(308);
  });
});

describe('stopping', () => {
  /** Resolves when a temporary file or folder shows that the work has begun. */
  const begun = async (folder: string): Promise<void> => {
    while (!(await readdir(folder)).some((name) => name.endsWith('.tmp')))
      await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('ends a long demo on Ctrl-C with code 130, and leaves nothing behind', async () => {
    const folder = await folderWith({});
    const { child, outcome } = start(folder, 'demo', '--rows', '20000000');
    await begun(folder);
    child.kill('SIGINT');
    expect(await outcome).toEqual({ code: 130, out: '', err: 'surmise: stopped before it was done\n' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends the reading of a large table on Ctrl-C with code 130, and writes no schema', async () => {
    const folder = await folderWith({ 't.csv': `n\n${'12\n345\n6\n'.repeat(1_500_000)}` });
    const { child, outcome } = start(folder, 'schema', 't.csv', '-o', 's.json');
    await begun(folder);
    child.kill('SIGINT');
    expect(await outcome).toEqual({ code: 130, out: '', err: 'surmise: stopped before it was done\n' });
    expect(await readdir(folder)).toEqual(['t.csv']);
  });

  it('ends without a word when the reader of its pipe has gone', async () => {
    const folder = await folderWith({ 't.csv': table });
    const { child, outcome } = start(folder, 'schema', 't.csv', '--json');
    child.stdout?.destroy();
    const { code, err } = await outcome;
    expect(err).toBe('');
    expect([0, 141]).toContain(code);
  });
});
