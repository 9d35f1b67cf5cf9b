import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

// Every cell of these tables holds this word, so that a sentence which quotes a cell is found out.
const secret = 'mrs-hidden';
const good = `name,colour\n${secret}-1,red ${secret}\n${secret}-2,blue ${secret}\n`;
const schema = (...attributes: object[]) => JSON.stringify({ surmise: 1, origin: { kind: 'declared' }, attributes });
const category = (name: string, values: readonly string[]) => ({ name, type: 'category', values });
const colours = schema(category('colour', [`red ${secret}`, `blue ${secret}`]));
const latin1 = Buffer.concat([Buffer.from(`name,colour\n${secret},`), Buffer.from([0xe9, 0x0a]), Buffer.from('a,b\n')]);

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly folders?: readonly string[];
  readonly words: readonly string[];
  readonly says: RegExp;
}

const cases: readonly Case[] = [
  {
    what: 'a line with a field too many',
    files: { 't.csv': `${good}${secret},b,${secret}\n` },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv, line 4: must have 2 fields like the header, got 3/,
  },
  {
    what: 'a line with a field too few',
    files: { 't.csv': `${good}${secret}\n` },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv, line 4: must have 2 fields like the header, got 1/,
  },
  {
    what: 'a ragged table read against a schema',
    files: { 't.csv': `${good}${secret},b,${secret}\n`, 's.json': colours },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /t\.csv, line 4: must have 2 fields/,
  },
  {
    what: 'a quote that never ends',
    files: { 't.csv': `${good}"${secret},b\n` },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv.*quote/,
  },
  {
    what: 'a column name given twice',
    files: { 't.csv': `colour,name,colour\n${secret},b,c\n` },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv: column names must differ, got one name for columns 1 and 3/,
  },
  {
    what: 'bytes that are not UTF-8',
    files: { 't.csv': latin1 },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv.*: must be UTF-8 text/,
  },
  {
    what: 'bytes that are not UTF-8, against a schema',
    files: { 't.csv': latin1, 's.json': schema(category('name', ['a']), category('colour', ['b'])) },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /t\.csv.*: must be UTF-8 text/,
  },
  {
    what: 'an empty file',
    files: { 't.csv': '' },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv: must have at least a header, got an empty file/,
  },
  {
    what: 'a table without rows to learn from',
    files: { 't.csv': 'name,colour\n' },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /no column could be made an attribute/,
  },
  {
    what: 'a directory in place of a table',
    files: {},
    folders: ['t.csv'],
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv: must be a file, got a directory/,
  },
  {
    what: 'a directory in place of a schema',
    files: { 't.csv': good },
    folders: ['s.json'],
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json: must be a schema file, got a directory/,
  },
  {
    what: 'a table that does not exist',
    files: {},
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /t\.csv: must be a file that exists/,
  },
  {
    what: 'a schema that does not exist',
    files: { 't.csv': good },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json: must be a schema file that exists/,
  },
  {
    what: 'a file of unknown form',
    files: { 't.doc': 'PK' },
    words: ['schema', 't.doc'],
    says: /t\.doc: must end in one of \.csv/,
  },
  {
    what: 'a workbook',
    files: { 't.xlsx': 'PK' },
    words: ['schema', 't.xlsx'],
    says: /t\.xlsx: must be a whole workbook .*; save it again, or save its sheet as CSV/,
  },
  {
    what: 'a workbook of another kind',
    files: { 't.ods': 'PK' },
    words: ['schema', 't.ods'],
    says: /t\.ods: must be a table of text, Parquet or a workbook of one sheet .*; save it as \.xlsx/,
  },
  {
    what: 'a file that is not the Parquet it says it is',
    files: { 't.parquet': good },
    words: ['schema', 't.parquet', '-o', 's.json'],
    says: /t\.parquet: must be a whole Parquet file/,
  },
  {
    what: 'a file that is not the gzip it says it is',
    files: { 't.csv.gz': good },
    words: ['schema', 't.csv.gz', '-o', 's.json'],
    says: /t\.csv\.gz: must be .*gzip/,
  },
  {
    what: 'a line that is not JSON',
    files: { 't.jsonl': `{"a":"${secret}"}\n{"a":${secret}\n` },
    words: ['schema', 't.jsonl', '-o', 's.json'],
    says: /t\.jsonl.*JSON/,
  },
  {
    what: 'a column that the table does not have',
    files: { 't.csv': good, 's.json': schema(category('color', ['a'])) },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /t\.csv: must have the column "color"; did you mean "colour"\?/,
  },
  {
    what: 'a schema whose range is upside down',
    files: { 't.csv': good, 's.json': schema({ name: 'colour', type: 'integer', min: 9, max: 1 }) },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json, line 1: attribute "colour"/,
  },
  {
    what: 'a schema that declares a value twice',
    files: { 't.csv': good, 's.json': schema(category('colour', ['a', 'b', 'a'])) },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json, line 1: attribute "colour".*twice/,
  },
  {
    what: 'a schema that is not JSON',
    files: { 't.csv': good, 's.json': '{\n  "surmise": 1,\n}\n' },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json: must be JSON, and line 3, column 1 is not/,
  },
  {
    what: 'a schema that breaks off',
    files: { 't.csv': good, 's.json': '{"surmise": 1, ' },
    words: ['inspect', 't.csv', '--schema', 's.json'],
    says: /s\.json: must be JSON/,
  },
  {
    what: 'an output directory that does not exist',
    files: { 't.csv': good },
    words: ['schema', 't.csv', '-o', 'nowhere/s.json'],
    says: /nowhere\/s\.json: must be in a directory that exists/,
  },
  {
    what: 'an output directory that is a file',
    files: { 't.csv': good },
    words: ['schema', 't.csv', '-o', 't.csv/s.json'],
    says: /t\.csv\/s\.json: must be in a directory that exists/,
  },
  {
    what: 'an output that exists',
    files: { 't.csv': good, 's.json': 'precious' },
    words: ['schema', 't.csv', '-o', 's.json'],
    says: /s\.json: must not exist yet/,
  },
  {
    what: 'an output that is a directory, even with --force',
    files: { 't.csv': good },
    folders: ['s.json'],
    words: ['schema', 't.csv', '-o', 's.json', '--force'],
    says: /s\.json: must be a file to write, got a directory/,
  },
  {
    what: 'a demo folder that exists',
    files: {},
    folders: ['there'],
    words: ['demo', '--out', 'there', '--rows', '10'],
    says: /there: must not exist yet/,
  },
  {
    what: 'a number that is none',
    files: { 't.csv': good },
    words: ['schema', 't.csv', '--bins', 'many'],
    says: /option --bins: must be a whole number from 2 to 65536, got "many"/,
  },
  {
    what: 'an excluded column that the table does not have',
    files: { 't.csv': good },
    words: ['schema', 't.csv', '--exclude', 'nome'],
    says: /option --exclude: must name a column of t\.csv, got "nome"; did you mean "name"\?/,
  },
  {
    what: 'a forgotten schema',
    files: { 't.csv': good },
    words: ['inspect', 't.csv'],
    says: /option --schema: needs a schema file/,
  },
];

describe('bad input', () => {
  it.each(cases)('$what: one sentence, exit code 2, nothing written', async ({ files, folders = [], words, says }) => {
    const folder = await folderWith(files);
    for (const name of folders) await mkdir(path.join(folder, name));
    const before = (await readdir(folder)).sort();
    const { code, out, err } = await surmise(folder, ...words);
    expect(err).toMatch(says);
    expect(err).toMatch(/^surmise: [^\n]+\n$/);
    expect(err).not.toContain(secret);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect((await readdir(folder)).sort()).toEqual(before);
    for (const [name, content] of Object.entries(files))
      expect(Buffer.compare(await readFile(path.join(folder, name)), Buffer.from(content as Uint8Array))).toBe(0);
  });

  it('an undeclared category without `other`: the counts, then one sentence with column and row, exit code 2', async () => {
    const folder = await folderWith({
      't.csv': `colour\nred\n${secret}\nred\n${secret}\n`,
      's.json': schema(category('colour', ['red', 'blue'])),
    });
    const { code, out, err } = await surmise(folder, 'inspect', 't.csv', '--schema', 's.json', '--json');
    expect(code).toBe(2);
    expect(err).toMatch(
      /^surmise: t\.csv: column "colour", row 2: not a declared value; .* `other` \(and 1 more such values?\)\n$/,
    );
    expect(err + out).not.toContain(secret);
    expect(JSON.parse(out).attributes[0]).toMatchObject({ outside: 2, cells: [{ count: 2 }, { count: 0 }] });
    expect((await readdir(folder)).sort()).toEqual(['s.json', 't.csv']);
  });
});
