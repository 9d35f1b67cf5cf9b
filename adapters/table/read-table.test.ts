import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainOf } from '../../src/domain/domain-of.js';
import { InputError } from '../../src/domain/input-error.js';
import { learnSchema, schemaLearner } from '../../src/domain/learn/learn-schema.js';
import { openDuckDB } from '../duckdb/duckdb.js';
import { readColumns, tableColumns } from './read-columns.js';
import { readTable } from './read-table.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const save = async (name: string, content: string | Buffer): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
};

const domain = domainOf([
  { name: 'sex', type: 'category', values: ['f', 'm'] },
  { name: 'age', type: 'integer', min: 0, max: 99, null: true },
]);
const csv = 'age,id,sex\n30,1,f\n,2,m\n120,3,f\n';
const expected = [
  [0, 1, 0],
  [30, 100, 99],
];
const codes = async (file: string) => (await readTable(file, domain)).columns.map((column) => [...column]);

test('the same rows give the same codes from every kind of file', async () => {
  const json = '{"age":30,"sex":"f"}\n{"age":null,"sex":"m"}\n{"sex":"f","age":"120"}\n';
  const files = [
    await save('a.csv', csv),
    await save('a.tsv', csv.replaceAll(',', '\t')),
    await save('crlf.csv', csv.replaceAll('\n', '\r\n')),
    await save('bom.csv', `\ufeff${csv}`),
    await save('quoted.csv', 'age,"id","sex"\n"30","1, ""one""\nmore",f\n"",2,"m"\n120,3,f'),
    await save('a.csv.gz', gzipSync(csv)),
    await save('two.csv.gz', Buffer.concat([gzipSync(csv.slice(0, 20)), gzipSync(csv.slice(20))])),
    await save('a.tsv.gz', gzipSync(csv.replaceAll(',', '\t'))),
    await save('a.jsonl', json),
    await save('a.ndjson.gz', gzipSync(json)),
  ];
  const parquet = path.join(folder, 'a.parquet');
  const database = await openDuckDB([parquet]);
  await database.connection.run(
    `COPY (SELECT * FROM (VALUES (30, 'f'), (NULL, 'm'), (120, 'f')) t(age, sex)) TO '${parquet}' (FORMAT parquet)`,
  );
  await database.close();
  for (const file of [...files, parquet]) expect(await codes(file), file).toEqual(expected);
});

test('a table of a header alone has no rows', async () => {
  expect((await readTable(await save('header.csv', 'age,sex\n'), domain)).length).toBe(0);
  expect((await readTable(await save('header2.csv', 'age,sex'), domain)).length).toBe(0);
});

test('rows stay in order over many chunks and threads', async () => {
  const n = 300_000;
  const wide = domainOf([{ name: 'x', type: 'integer', min: 0, max: n }]);
  const file = await save('long.csv', `x\n${Array.from({ length: n }, (_, i) => i).join('\n')}\n`);
  const { columns } = await readTable(file, wide, { threads: 2 });
  expect(columns[0].length).toBe(n);
  expect(columns[0].every((code, i) => code === i)).toBe(true);
});

test('an aborted signal stops the reading with its reason', async () => {
  const reason = new Error('enough');
  const file = path.join(folder, 'a.csv');
  await expect(readTable(file, domain, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const halfway = readTable(path.join(folder, 'long.csv'), domainOf([{ name: 'x', type: 'integer', min: 0, max: 9 }]), {
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  });
  await expect(halfway).rejects.toBe(reason);
});

test('an empty field is the empty text, which a schema may declare', async () => {
  const named = domainOf([{ name: 'a', type: 'category', values: ['', 'x'] }]);
  expect((await readTable(await save('void.csv', 'a,b\n,1\nx,2\n"",3\n'), named)).columns[0]).toEqual(
    new Uint8Array([0, 1, 0]),
  );
});

describe('input that cannot be used is refused in one sentence without a value of it', () => {
  const secret = 'SECRET';
  const refuse = async (file: string, ...parts: (string | RegExp)[]) => {
    const error = await readTable(file, domain).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InputError);
    const { message } = error as InputError;
    expect(message).not.toMatch(/\n|DuckDB|SECRET/);
    for (const part of [path.basename(file), ...parts]) expect(message).toMatch(part);
  };
  test('a missing file', () => refuse(path.join(folder, 'none.csv'), 'exists'));
  test('a directory', async () => {
    await mkdir(path.join(folder, 'd.csv'));
    await refuse(path.join(folder, 'd.csv'), 'directory');
  });
  test('an unknown ending', async () => refuse(await save('a.doc', 'x'), '.parquet'));
  test('a workbook', async () => refuse(await save('a.ods', 'x'), 'its sheet as CSV'));
  test.skipIf(process.getuid?.() === 0)('an unreadable file', async () => {
    const file = await save('closed.csv', csv);
    await chmod(file, 0);
    await refuse(file, 'permissions');
  });
  test('an empty file', async () => refuse(await save('empty.csv', ''), 'empty'));
  test('an empty compressed file', async () => refuse(await save('empty.csv.gz', gzipSync('')), 'empty'));
  test('a file that is not gzip', async () => refuse(await save('not.csv.gz', csv), 'gzip'));
  test('a damaged gzip file', async () => {
    const long = gzipSync(`age,sex\n${Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 97},f`).join('\n')}`);
    await refuse(await save('torn.csv.gz', long.subarray(0, long.length >> 1)), 'damaged');
  });
  test('a row too short', async () =>
    refuse(await save('short.csv', `age,sex,x\n1,f,\n${secret}\n`), 'line 3', 'got 1'));
  test('a row too long', async () =>
    refuse(await save('wide.csv', `age,sex\n1,f\n2,m,${secret}\n`), 'line 3', 'got 3'));
  test('a duplicate column', async () =>
    refuse(await save('twice.csv', 'age,sex,age\n1,f,2\n'), 'one name for columns 1 and 3'));
  test('a column without a name', async () => refuse(await save('unnamed.csv', 'age,,sex\n1,f,2\n'), 'column 2'));
  test('an open quote', async () => refuse(await save('open.csv', `age,sex\n1,"${secret}\n2,f\n`), 'quote'));
  test('text after a closing quote', async () =>
    refuse(await save('after.csv', `age,sex\n1,"f"${secret}\n`), 'line 2', 'quote'));
  test('mixed line endings', async () => refuse(await save('mixed.csv', 'age,sex\n1,f\r\n2,m\n'), 'line ending'));
  test('bytes that are not UTF-8', async () =>
    refuse(await save('latin.csv', Buffer.from(`age,sex\n1,f\n2,${secret}\xe9\n`, 'latin1')), 'UTF-8', 'line 3'));
  test('bytes that are not UTF-8, in a file with more columns than are read', async () =>
    refuse(await save('latin3.csv', Buffer.from(`id,age,sex\n7,1,f\n8,2,${secret}\xe9\n`, 'latin1')), 'UTF-8'));
  test('a header that is not UTF-8', async () =>
    refuse(await save('latin2.csv', Buffer.from('\xe9ge,sex\n1,f\n', 'latin1')), 'UTF-8', 'line 1'));
  test('UTF-16', async () => refuse(await save('utf16.csv', Buffer.from(`\ufeff${csv}`, 'utf16le')), 'UTF-8'));
  test('a missing column, with a guess', async () =>
    refuse(await save('mis.csv', 'Age,sexe\n1,f\n'), 'did you mean "sexe"'));
  test('a missing column, with a list', async () => refuse(await save('mis2.csv', 'x,y\n1,f\n'), 'it has x, y'));
  test('broken JSON', async () => refuse(await save('b.jsonl', `{"age":1,"sex":"f"}\n{"age":${secret}\n`), 'JSON'));
  test('JSON that is no object', async () =>
    refuse(await save('l.jsonl', `{"age":1,"sex":"f"}\n["${secret}"]\n`), 'JSON'));
  test('JSON that is not UTF-8', async () =>
    refuse(await save('u.jsonl', Buffer.from('{"age":1,"sex":"\xe9"}\n', 'latin1')), 'UTF-8'));
  test('text that pretends to be Parquet', async () => refuse(await save('p.parquet', csv), 'Parquet'));
  test('a value without a cell, with the first row of it', async () =>
    refuse(await save('v.csv', `age,sex\n1,f\n2,${secret}\nx,m\n`), 'column "sex", row 2: not a declared value'));
  test('an empty value without a null cell', async () =>
    refuse(await save('n.csv', `age,sex\n1,f\n2,\nx,m\n`), 'column "sex", row 2: empty'));
  test('a value without a cell far into the file', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => (i === 123_456 ? `1,${secret}` : '1,f'));
    await refuse(
      await save('far.csv', `age,sex\n${rows.join('\n')}\n`),
      'column "sex", row 123457: not a declared value',
    );
  });
  test('a nested column', async () => {
    const file = path.join(folder, 'nested.parquet');
    const database = await openDuckDB([file]);
    await database.connection.run(`COPY (SELECT [1, 2] AS age, 'f' AS sex) TO '${file}' (FORMAT parquet)`);
    await database.close();
    await refuse(file, /got INTEGER\[\]/);
  });
});

test('the database reaches the files it was opened for and nothing else', async () => {
  const allowed = await save('allowed.csv', 'a\n1\n');
  const other = await save('other.csv', 'a\n1\n');
  const { connection, close } = await openDuckDB([allowed]);
  try {
    await connection.run(`SELECT * FROM read_csv('${allowed}')`);
    await expect(connection.run(`SELECT * FROM read_csv('${other}')`)).rejects.toThrow(/disabled by configuration/);
    await expect(connection.run(`SELECT * FROM 'https://example.org/a.csv'`)).rejects.toThrow();
    await expect(connection.run('SET enable_external_access = true')).rejects.toThrow();
    await expect(connection.run('INSTALL httpfs')).rejects.toThrow();
  } finally {
    await close();
  }
});

test('names and types of the columns are known without the rows', async () => {
  expect(await tableColumns(path.join(folder, 'a.parquet'))).toEqual([
    { name: 'age', type: 'INTEGER' },
    { name: 'sex', type: 'VARCHAR' },
  ]);
  expect((await tableColumns(path.join(folder, 'a.csv'))).map(({ name }) => name)).toEqual(['age', 'id', 'sex']);
});

test('a schema learned from parts of a file is the one learned from its whole columns', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => [i % 70, i % 3 === 0 ? 'f' : 'm'] as const);
  const file = await save('public.csv', `age,sex\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  const learner = schemaLearner({ file: 'public.csv' });
  for await (const part of readColumns(file)) learner.add(part);
  const whole = learnSchema({ age: rows.map(([age]) => age), sex: rows.map(([, sex]) => sex) }, { file: 'public.csv' });
  expect(learner.finish()).toEqual(whole);
});
