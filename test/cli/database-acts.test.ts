import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { homeSchema, homes } from '../support/homes.js';
import { databaseOwner, type Owner } from '../support/postgres-table.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

let owner: Owner;
let placeOf: (table: string) => string;
beforeAll(async () => {
  owner = await databaseOwner();
  const { host, port, database, user, password } = owner.login;
  placeOf = (table) => `postgres://${user}@${host}:${port}/${database}?table=${table}`;
  vi.stubEnv('PGPASSWORD', password);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await owner.end();
});

/** Writes the lines of a CSV file without quotes to a table of texts. */
const store = async (name: string, csv: string): Promise<void> => {
  const [header, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  await owner.client.query(`CREATE TABLE ${name} (${header.map((one) => `"${one}" text`).join(', ')})`);
  await owner.client.query(
    `INSERT INTO ${name} SELECT * FROM unnest(${header.map((_, i) => `$${i + 1}::text[]`).join(', ')})`,
    header.map((_, i) => lines.map((line) => line[i])),
  );
};

const seeds = ['--seed', '1', '--unsafe-seed', '9', '--bootstrap', '0'];

test('households in two tables of a database are released as those in two files, and one of them elsewhere is refused', async () => {
  const { persons, households } = homes(300, 1);
  await store('persons', persons);
  await store('households', households);
  const folder = await folderWith({
    'persons.csv': persons,
    'households.csv': households,
    'schema.json': JSON.stringify(homeSchema),
  });
  const quick = ['--mechanism', 'h-mwem', '--set', 'rounds=4', '--set', 'attributes=2', '--epsilon', '2'];
  const release = (table: string, other: string, out: string) =>
    runHere(
      folder,
      ...['release', table, '--households', other, '--schema', 'schema.json', ...quick, ...seeds],
      ...['--ledger', `${out}.jsonl`, '-o', out],
    );
  expect(await release(placeOf('persons'), placeOf('households'), 'there')).toMatchObject({ code: 0 });
  expect(await release('persons.csv', 'households.csv', 'here')).toMatchObject({ code: 0 });
  for (const name of ['persons.csv', 'households.csv', 'measurements.bin'])
    expect(await readFile(path.join(folder, 'there', name), 'latin1')).toBe(
      await readFile(path.join(folder, 'here', name), 'latin1'),
    );
  expect((await runHere(folder, 'verify', 'there', '--ledger', 'there.jsonl')).code).toBe(0);
  const before = await readdir(folder);
  const refused: [string, string, RegExp][] = [
    [placeOf('persons'), 'households.csv', /one of them in a database and one in a file/],
    ['persons.csv', placeOf('households'), /one of them in a database and one in a file/],
    [placeOf('persons'), placeOf('persons'), /must be another table than that of the persons/],
    [placeOf('persons'), placeOf('households').replace('127.0.0.1', 'db.example'), /must be in the same database/],
    [placeOf('persons'), placeOf('nothing'), /no such table/],
  ];
  for (const [table, other, message] of refused)
    expect(await release(table, other, 'out')).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  expect(await readdir(folder)).toEqual(before);
});

test('the schema of a table in a database is asked for as that of a file, of rows and of ids', async () => {
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `p${i % 1500},${['red', 'green', 'blue', 'red'][i % 4]},${(i * 37) % 90},${i % 3 === 0}`,
  );
  const csv = `person,colour,age,works\n${lines.join('\n')}\n`;
  await store('raw', csv);
  const folder = await folderWith({
    'raw.csv': csv,
    'own.sql': 'SELECT person, colour, age FROM raw',
    'draft.json': JSON.stringify({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'colour', type: 'category', values: 'discover' },
        { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
        { name: 'works', type: 'boolean' },
      ],
    }),
  });
  const release = (table: string, out: string, ...more: string[]) =>
    runHere(folder, 'release', table, '--epsilon', '2', ...seeds, ...more, '--ledger', `${out}.jsonl`, '-o', out);
  const read = (out: string, name: string) => readFile(path.join(folder, out, name), 'latin1');
  const ids = ['--unit-id', 'person', '--max-records', '2'];
  const found = async (out: string): Promise<{ readonly name: string; readonly values?: readonly string[] }[]> =>
    JSON.parse(await read(out, 'bundle.json')).schema.attributes;
  for (const [i, words] of [
    ['--discover', '--exclude', 'person'],
    ['--schema', 'draft.json'],
  ].entries()) {
    expect(await release(placeOf('raw'), `there${i}`, ...words)).toMatchObject({ code: 0 });
    expect(await release('raw.csv', `here${i}`, ...words)).toMatchObject({ code: 0 });
    expect(await found(`there${i}`)).toEqual(await found(`here${i}`));
    expect(await read(`there${i}`, 'measurements.bin')).toBe(await read(`here${i}`, 'measurements.bin'));
    expect((await runHere(folder, 'verify', `there${i}`, '--ledger', `there${i}.jsonl`)).code).toBe(0);
  }
  // Which rows an id keeps is chosen by other draws there, so that noise is another.
  expect(await release(placeOf('raw'), 'ids', '--discover', ...ids)).toMatchObject({ code: 0 });
  const colours = (await found('ids')).find(({ name }) => name === 'colour');
  expect([...colours!.values!].sort()).toEqual(['blue', 'green', 'red']);
  expect((await runHere(folder, 'verify', 'ids', '--ledger', 'ids.jsonl')).code).toBe(0);
  const query = ['--query', 'own.sql', '--discover'];
  expect(await release(placeOf('raw'), 'out', ...query)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/must say whose its rows are/),
  });
  expect(await release(placeOf('raw'), 'own', ...query, ...ids)).toMatchObject({ code: 0 });
  expect((await found('own')).map(({ name }) => name)).toEqual(['colour', 'age']);
});
