import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { homeSchema, homes } from '../support/homes.js';
import { people } from '../support/people.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

// Item 11: a dry run does not open the private table, whatever its form, and so says the truth.

const whole = gzipSync(people(400, 1));
const contents: Readonly<Record<string, string | Uint8Array>> = {
  'private.csv.gz': whole.subarray(0, whole.length >> 1), // torn: whoever reads it complains
  'private.csv': 'who,who\n"SECRET',
  'private.jsonl': 'no JSON',
  'private.ndjson.gz': 'no gzip',
  'private.parquet': 'no Parquet',
  'private.tsv': '',
};
/** Older than the files, so that a file system with relative access times would renew it on any read. */
const longAgo = new Date('2001-01-01');

it('item 11: a dry run does not open the private table, whatever is in it, and plans the same', async () => {
  const folder = await folderWith({ ...contents, 'public.csv': people(300, 0), 'seen.csv': 'a\n1\n' });
  const words = ['--public', 'public.csv', '--exclude', 'who', '--epsilon', '1', '--dry-run', '--json'];
  const read = async (name: string) => (await stat(path.join(folder, name))).atimeMs > longAgo.getTime();
  const forget = (name: string) => utimes(path.join(folder, name), longAgo, new Date());
  await forget('seen.csv');
  await readFile(path.join(folder, 'seen.csv'));
  const isTold = await read('seen.csv');
  const planned = await runHere(folder, 'release', ...words);
  expect(planned).toMatchObject({ code: 0 });
  for (const name of Object.keys(contents)) {
    await forget(name);
    expect(await runHere(folder, 'release', name, ...words)).toEqual(planned);
    if (isTold) expect({ name, read: await read(name) }).toEqual({ name, read: false });
  }
  const [name] = Object.keys(contents);
  const { out } = await runHere(folder, 'release', name, ...words.slice(0, -1));
  expect(out).toContain('Dry run: the private table was not opened');
  await writeFile(
    path.join(folder, 's.json'),
    '{"surmise":1,"origin":{"kind":"declared"},"attributes":[{"name":"vip","type":"boolean"}]}',
  );
  const alone = ['--schema', 's.json', '--epsilon', '1', '--dry-run'];
  expect(await runHere(folder, 'release', name, ...alone)).toMatchObject({ code: 0 });
  if (isTold) expect(await read(name)).toBe(false);
});

it('a dry run opens neither of two private tables, beside public ones of both levels', async () => {
  const village = homes(60, 2);
  const folder = await folderWith({
    'p.jsonl': 'no JSON',
    'h.jsonl': 'no JSON either',
    'public-p.csv': village.persons,
    'public-h.csv': village.households,
    'schema.json': JSON.stringify(homeSchema),
    'seen.csv': 'a\n1\n',
  });
  const at = (name: string) => path.join(folder, name);
  const read = async (name: string) => (await stat(at(name))).atimeMs > longAgo.getTime();
  for (const name of ['p.jsonl', 'h.jsonl', 'seen.csv']) await utimes(at(name), longAgo, new Date());
  await readFile(at('seen.csv'));
  const files = [
    'p.jsonl',
    '--households',
    'h.jsonl',
    '--public',
    'public-p.csv',
    '--public-households',
    'public-h.csv',
  ];
  const planned = await runHere(folder, 'release', ...files, '--schema', 'schema.json', '--epsilon', '1', '--dry-run');
  expect(planned).toMatchObject({ code: 0 });
  if (await read('seen.csv')) expect([await read('p.jsonl'), await read('h.jsonl')]).toEqual([false, false]);
});
