import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDB } from '../adapters/duckdb/duckdb.js';
import { openPrivateFile } from '../adapters/private/private-file.js';
import type { PrivateFileOptions } from '../adapters/private/private-file-options.js';
import { parseSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { seededEntropy } from '../src/privacy/entropy.js';

// Item 6: no row of a private file decides which columns there are, and no key of a row is ever printed.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const save = async (name: string, content: string | Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
};

const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'], other: 'other', null: true },
    { name: 'age', type: 'integer', min: 0, max: 3, null: true },
  ],
});

type Options = Omit<PrivateFileOptions, 'random'>;
const engines = ['memory', 'duckdb'] as const;

/** Exact counts of both attributes, from either engine: this is a laboratory. */
const countsOf = async (file: string, options: Options = {}, by: Schema = schema): Promise<number[][]> => {
  const counts: number[][][] = [];
  for (const engine of engines) {
    const source = await openPrivateFile(file, by, { random: seededEntropy(1), engine, ...options });
    const marginals = by.attributes.map(({ name }) => ({ kind: 'marginal' as const, attributes: [name] }));
    counts.push((await source.counts(marginals)).map((cells) => [...cells]));
    await source.close();
  }
  expect(counts[1]).toEqual(counts[0]);
  return counts[0];
};

const refusalOf = async (file: string, options: Options = {}, by: Schema = schema): Promise<string> => {
  const messages: string[] = [];
  for (const engine of engines) {
    const opened = openPrivateFile(file, by, { random: seededEntropy(1), engine, ...options });
    messages.push(
      await opened.then(
        () => 'accepted',
        (error: Error) => error.message.replace(folder, ''),
      ),
    );
  }
  expect(messages[1]).toBe(messages[0]);
  return messages[0];
};

const none = [
  [0, 0, 0, 0],
  [0, 0, 0, 0, 0],
];

describe('item 6: columns of private JSON lines', () => {
  test('are those of the schema: a key that no row has is null, a key of no attribute is ignored', async () => {
    const file = await save('keys.jsonl', '{"sex":"f","SECRET":1}\n{"sex":"m"}\n{}\n');
    expect(await countsOf(file)).toEqual([
      [1, 1, 0, 1],
      [0, 0, 0, 0, 3],
    ]);
  });

  test('are the same whichever rows there are: neighbours are both read', async () => {
    const rows = ['{"sex":"f"}', '{"age":2}', '{"other key":[1]}'];
    for (let left = 0; left < rows.length; left++) {
      const file = await save('neighbour.jsonl', rows.filter((_, i) => i !== left).join('\n'));
      expect((await countsOf(file))[0].reduce((sum, n) => sum + n)).toBe(2);
    }
  });

  test('may have names that differ in case only, or hold slashes and quotes', async () => {
    const odd = parseSchema({
      ...schema,
      attributes: ['a', 'A', 'x/y~z', 'it\'s "so"'].map((name) => ({
        name,
        type: 'category',
        values: ['1', '2'],
        null: true,
      })),
    });
    const file = await save('odd.jsonl', '{"a":1,"A":2,"x/y~z":1,"it\'s \\"so\\"":2}\n');
    expect(await countsOf(file, {}, odd)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(await refusalOf(await save('odd.jsonl', '{"a":1}\n["SECRET"]\n'), {}, odd)).toMatch(
      /every line must be one JSON object/,
    );
  });

  test('hold values as their text: nested ones as JSON, huge numbers clamp, words that JSON does not have are text', async () => {
    const lines = [
      '{"sex":{"f":1},"age":1e999}',
      '{"sex":["f"],"age":-123456789012345678901234567890}',
      '{"age":NaN}',
      '{"age":true}',
    ];
    expect(await countsOf(await save('values.jsonl', lines.join('\n')))).toEqual([
      [0, 0, 2, 2],
      [1, 0, 0, 1, 2],
    ]);
  });

  test.each([
    ['a broken line', '{"sex":"f"}\n{"SECRET":\n', ', line 2: every line must be one JSON object'],
    ['a line that is no object', '{"sex":"f"}\n["SECRET"]\n', ', line 2: every line must be one JSON object'],
    ['a number on a line', '{"sex":"f"}\n\n5\n', 'every line must be one JSON object'],
    [
      'a key twice',
      '{"sex":"SECRET","sex":"f"}\n',
      ', line 1: every line must be one JSON object in which no key stands',
    ],
    ['a byte order mark', '\ufeff{"sex":"SECRET"}\n', 'got a byte order mark'],
    ['half a character', Buffer.from('{"sex":"SECRET\xe9"}\n', 'latin1'), 'must be UTF-8 text'],
  ])('with %s are refused by line number at most', async (_, content, says) => {
    const message = await refusalOf(await save('bad.jsonl', content));
    expect(message).toContain(says);
    expect(message).not.toMatch(/SECRET|sex/);
  });
});

describe('an id column of private JSON lines', () => {
  const unit = { kind: 'id', column: 'who', maxRecords: 1 } as const;

  test('is read beside the schema’s columns, as text', async () => {
    const file = await save('ids.jsonl', '{"who":1,"sex":"f"}\n{"who":"1","sex":"f"}\n{"sex":"m","who":2}\n');
    expect((await countsOf(file, { unit }))[0]).toEqual([1, 1, 0, 0]);
  });

  test('that a row lacks is told by column and row, without a key of the row', async () => {
    const file = await save('noid.jsonl', '{"who":1}\n{"SECRET":2}\n');
    expect(await refusalOf(file, { unit })).toMatch(/column "who", row 2: empty, and every row must say whose it is/);
  });
});

describe('item 6: a private file without rows is a table without rows', () => {
  test.each([
    ['an empty CSV file', 'e.csv', ''],
    ['a CSV header alone', 'h.csv', 'sex,age\n'],
    ['a CSV header without its newline', 'h2.csv', 'sex,age'],
    ['an empty TSV file', 'e.tsv', ''],
    ['an empty file of JSON lines', 'e.jsonl', ''],
    ['JSON lines of newlines', 'n.jsonl', '\n\n'],
    ['nothing, compressed, as CSV', 'e.csv.gz', gzipSync('')],
    ['nothing, compressed, as JSON lines', 'e.jsonl.gz', gzipSync('')],
    ['no byte where a compressed file should be', 'z.csv.gz', ''],
    ['no byte where a Parquet file should be', 'e.parquet', ''],
  ])('%s', async (_, name, content) => {
    const file = await save(name, content);
    expect(await countsOf(file)).toEqual(none);
    expect(await countsOf(file, { unit: { kind: 'id', column: 'age', maxRecords: 2 } })).toEqual(none);
  });

  test('a Parquet file of columns alone', async () => {
    const file = path.join(folder, 'none.parquet');
    const database = await openDuckDB([file]);
    await database.connection.run(`COPY (SELECT 'f' AS sex, 1 AS age WHERE false) TO '${file}' (FORMAT parquet)`);
    await database.close();
    expect(await countsOf(file)).toEqual(none);
  });
});

describe('item 6: names of columns of a private file are never listed', () => {
  test('of structures in a Parquet file', async () => {
    const file = path.join(folder, 'nested.parquet');
    const database = await openDuckDB([file]);
    await database.connection.run(`COPY (SELECT {'SECRET': 1} AS sex, 1 AS age) TO '${file}' (FORMAT parquet)`);
    await database.close();
    expect(await refusalOf(file)).toMatch(/column "sex" must hold plain values, got lists or structures/);
  });

  test.each([
    [
      'a CSV file without a header, whose first row would be the names',
      'SECRET,sexe,12\nf,m,1\n',
      'must have the column "sex"',
    ],
    ['a repeated name', 'sex,SECRET,age,SECRET\n', 'got one name for columns 2 and 4'],
  ])('%s', async (_, content, says) => {
    const message = await refusalOf(await save('named.csv', content));
    expect(message).toContain(says);
    expect(message).not.toMatch(/SECRET|sexe/);
  });
});
