import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeDatabaseRows } from '../../adapters/postgres/write-rows.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { databaseOwner, type Owner } from '../support/postgres-table.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

const password = 'pw-of-the-reader';
let owner: Owner;
let role: string;
let place: string;
beforeAll(async () => {
  owner = await databaseOwner();
  role = `cli_reader_${process.pid}`;
  const rows = Array.from({ length: 300 }, (_, i) => `(${i % 40}, '${'fm'[i % 2]}', ${i % 90}, ${i % 7 === 0})`);
  await owner.client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'; CREATE SCHEMA released;
    CREATE TABLE people (person int, sex text, age int, works boolean);
    INSERT INTO people VALUES ${rows.join(', ')};
    CREATE VIEW released.persons AS SELECT * FROM people;
    GRANT USAGE ON SCHEMA released TO ${role}; GRANT SELECT ON released.persons TO ${role}`);
  const { host, port, database } = owner.login;
  place = `postgres://${role}@${host}:${port}/${database}?table=released.persons`;
  vi.stubEnv('PGPASSWORD', password);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await owner.end();
});

const schema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
    { name: 'works', type: 'boolean' },
  ],
});

const csv = async (where = ''): Promise<string> => {
  const { rows } = await owner.client.query<Record<string, unknown>>(`SELECT sex, age, works FROM people ${where}`);
  return ['sex,age,works', ...rows.map(({ sex, age, works }) => [sex, age, works].join()), ''].join('\n');
};

const quick = ['--schema', 'schema.json', '--epsilon', '2', '--mechanism', 'mst', '--bootstrap', '0'];
const seeds = ['--seed', '1', '--unsafe-seed', '9'];

/** All texts below a folder, and the names. */
const everything = async (folder: string): Promise<string> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((entry) => entry.isFile())
    .map(async (entry) => `${entry.name}\n${await readFile(path.join(entry.parentPath, entry.name), 'latin1')}`);
  return (await Promise.all(texts)).join('\n');
};

describe('a release of a table in PostgreSQL', () => {
  test('is that of the same rows in a file, and holds nothing of how they were reached', async () => {
    const folder = await folderWith({ 'schema.json': schema, 'rows.csv': await csv() });
    const release = (table: string, out: string) =>
      runHere(folder, 'release', table, ...quick, ...seeds, '--ledger', `${out}.jsonl`, '-o', out);
    expect(await release(place, 'there')).toMatchObject({ code: 0 });
    expect(await release('rows.csv', 'here')).toMatchObject({ code: 0 });
    const read = (out: string, name: string) => readFile(path.join(folder, out, name), 'latin1');
    for (const name of ['synthetic.csv', 'measurements.bin'])
      expect(await read('there', name)).toBe(await read('here', name));
    const { host, port, database } = owner.login;
    const kept = await everything(folder);
    for (const secret of [password, role, host, `:${port}`, database, 'released.persons'])
      expect(kept).not.toContain(secret);
    expect((await runHere(folder, 'verify', 'there', '--ledger', 'there.jsonl')).code).toBe(0);
  });

  test('that copies the codes of its rows first is the same release, of the same ledger, and leaves no table behind', async () => {
    const folder = await folderWith({ 'schema.json': schema });
    const bound = ['--unit-id', 'person', '--max-records', '2'];
    const release = (table: string, out: string, ledger: string) =>
      runHere(folder, 'release', table, ...quick, ...seeds, ...bound, '--ledger', ledger, '-o', out);
    expect(await release(`${place}&copy=true`, 'copied', 'l.jsonl')).toMatchObject({ code: 0 });
    // The budget is spent, whether rows are copied or not.
    const spent = await release(place, 'again', 'l.jsonl');
    expect(spent).toMatchObject({ code: 2 });
    expect(spent.err).not.toMatch(/another table/);
    const elsewhere = await folderWith({ 'schema.json': schema });
    const plain = await runHere(
      elsewhere,
      'release',
      place,
      ...quick,
      ...seeds,
      ...bound,
      '--ledger',
      'l.jsonl',
      '-o',
      'out',
    );
    expect(plain).toMatchObject({ code: 0 });
    for (const name of ['synthetic.csv', 'measurements.bin'])
      expect(await readFile(path.join(folder, 'copied', name), 'latin1')).toBe(
        await readFile(path.join(elsewhere, 'out', name), 'latin1'),
      );
    expect((await runHere(folder, 'verify', 'copied', '--ledger', 'l.jsonl')).code).toBe(0);
    await expect
      .poll(async () => (await owner.client.query(`SELECT 1 FROM pg_class WHERE relname = 'surmise_kept'`)).rowCount)
      .toBe(0);
  });

  test('keeps to the ledger of its table, by whatever name the host goes', async () => {
    const folder = await folderWith({ 'schema.json': schema });
    const release = (table: string, out: string, ...more: string[]) =>
      runHere(folder, 'release', table, ...quick, ...more, '-o', out);
    expect(await release(place, 'a')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no ledger can stand beside a table of a database.*--ledger FILE/),
    });
    expect(await release(place, 'a', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });
    // The budget is spent, under every name.
    const local = place.replace('127.0.0.1', 'localhost');
    expect(await release(local, 'b', '--ledger', 'l.jsonl')).toMatchObject({ code: 2 });
    expect((await release(local, 'b', '--ledger', 'l.jsonl')).err).not.toMatch(/another table/);
    expect(await release(local, 'b', '--ledger', 'second.jsonl')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/second budget/),
    });
    expect(await release(place.replace('released.persons', 'other'), 'b', '--ledger', 'l.jsonl')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/got that of another table/),
    });
    expect((await readdir(folder)).sort()).toEqual(['a', 'l.jsonl', 'schema.json']);
  });

  test('of a query of one’s own asks for its unit, and runs it where the rows are', async () => {
    const query = '-- grown-ups\nSELECT person, sex, age, works FROM released.persons WHERE age >= 18;\n';
    const folder = await folderWith({
      'schema.json': schema,
      'rows.csv': await csv('WHERE age >= 18'),
      'own.sql': query,
      'bad.sql': 'DROP TABLE people',
      'wrong.sql': 'SELECT sex, age FROM released.persons',
    });
    const release = (table: string, out: string, ...more: string[]) =>
      runHere(folder, 'release', table, ...quick, ...seeds, ...more, '--ledger', `${out}.jsonl`, '-o', out);
    const err = async (...given: Parameters<typeof release>) => {
      const said = await release(...given);
      expect(said.code).toBe(2);
      return said.err;
    };
    expect(await err(place, 'a', '--query', 'own.sql')).toMatch(/must say whose its rows are/);
    expect(await err('rows.csv', 'a', '--query', 'own.sql')).toMatch(/is for a private table of a database/);
    expect(await err(place, 'a', '--query', 'bad.sql', '--unit', 'row')).toMatch(/must be one SELECT/);
    expect(await err(place, 'a', '--query', 'none.sql', '--unit', 'row')).toMatch(/none\.sql: must be a file/);
    expect(await err(place, 'a', '--query', 'wrong.sql', '--unit', 'row')).toMatch(/must have the column "works"/);
    expect(await release(place, 'there', '--query', 'own.sql', '--unit', 'row')).toMatchObject({ code: 0 });
    expect(await release('rows.csv', 'here')).toMatchObject({ code: 0 });
    const rows = (out: string) => readFile(path.join(folder, out, 'synthetic.csv'), 'utf8');
    expect(await rows('there')).toBe(await rows('here'));
    const bound = ['--unit-id', 'person', '--max-records', '2'];
    expect(await release(place, 'ids', '--query', 'own.sql', ...bound)).toMatchObject({ code: 0 });
  });

  test('says what is wrong with an address or a login without a word of the password, and spends nothing', async () => {
    const folder = await folderWith({ 'schema.json': schema });
    const refused = async (table: string, ...more: string[]): Promise<string> => {
      const words = ['release', table, ...quick, '--ledger', 'l.jsonl', '-o', 'out', ...more];
      const { code, out, err } = await runHere(folder, ...words);
      expect(code).toBe(2);
      expect(out + err).not.toContain(password);
      return err;
    };
    const { host, port, database } = owner.login;
    const server = `${host}:${port}/${database}`;
    expect(await refused(`postgres://${role}:${password}@${server}?table=x`)).toMatch(/without a password.*PGPASSFILE/);
    expect(await refused(`postgres://${server}?table=x&password=${password}`)).toMatch(/without a password/);
    expect(await refused(`postgres://${server}`)).toMatch(/must name the table/);
    expect(await refused(`postgres://${role}@${server}?table=a.b.c`)).toMatch(/must name the table/);
    expect(await refused(`${place}&colour=red`)).toMatch(/parameters among table, schema, .*got "colour"/);
    expect(await refused(`${place}&copy=perhaps`)).toMatch(/copy must be true or false/);
    expect(await refused(`${place}&sslmode=perhaps`)).toMatch(/sslmode must be one of/);
    expect(await refused(`${place}&service=none`)).toMatch(/service "none": must be in/);
    expect(await refused(place.replace('released.persons', 'people'))).toMatch(/grant SELECT.*42501/);
    expect(await refused(place.replace('released.persons', 'nothing'))).toMatch(/no such table.*42P01/);
    expect(await refused(`${place}&sslmode=require`)).toMatch(/TLS/);
    vi.stubEnv('PGPASSWORD', 'wrong');
    expect(await refused(place)).toMatch(/did not let the role in.*28P01/);
    vi.stubEnv('PGPASSWORD', password);
    expect(await readdir(folder)).toEqual(['schema.json']);
  });

  test('that loses the server after an answer ends with what it paid for, and goes on from there without paying twice', async () => {
    await owner.client.query(`CREATE VIEW released.slowly AS SELECT *, pg_sleep(0.003)::text AS slept FROM people;
      GRANT SELECT ON released.slowly TO ${role}`);
    const folder = await folderWith({ 'schema.json': schema });
    const words = [
      'release',
      place.replace('released.persons', 'released.slowly'),
      ...quick,
      '--ledger',
      'l.jsonl',
      '-o',
      'out',
    ];
    const mine = `FROM pg_stat_activity WHERE usename = '${role}'`;
    let isOver = false;
    const counting = async (): Promise<string> => {
      const sql = `SELECT query_start::text AS began ${mine} AND state = 'active' AND query LIKE 'SELECT CASE GROUPING%'`;
      while (!isOver) {
        const { rows } = await owner.client.query<{ began: string }>(sql);
        if (rows.length > 0) return rows[0].began;
        await sleep(5);
      }
      throw new Error('the release was over before its second act was seen');
    };
    const released = runHere(folder, ...words).finally(() => {
      isOver = true;
    });
    const first = await counting();
    while ((await counting()) === first) await sleep(5);
    // The second act is under way, so the first was answered.
    await owner.client.query(`SELECT pg_terminate_backend(pid) ${mine}`);
    const { code, err } = await released;
    expect(code).toBe(2);
    expect(err).toMatch(/state of the table that all answers are of/);
    expect(err).toMatch(/go on with:\n.*--resume/);
    expect(err).not.toContain(password);
    // The ledger has room for one release, so nothing can have been paid twice.
    const resumed = await runHere(folder, ...words, '--resume');
    expect(resumed.err).not.toMatch(/surmise:/);
    expect(resumed).toMatchObject({ code: 0 });
    expect(await runHere(folder, 'verify', 'out', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });
    expect((await readdir(folder)).sort()).toEqual(['l.jsonl', 'out', 'schema.json']);
  });

  test('is planned without reaching the server, and its columns are declared without a row', async () => {
    const folder = await folderWith({ 'schema.json': schema });
    const nowhere = 'postgres://nobody@127.0.0.1:1/none?table=persons';
    expect(await runHere(folder, 'release', nowhere, ...quick, '--dry-run')).toMatchObject({ code: 0 });
    const declared = await runHere(folder, 'schema', place, '--declare', '-o', 'declared.json');
    expect(declared.code).toBe(0);
    const { attributes } = JSON.parse(await readFile(path.join(folder, 'declared.json'), 'utf8')) as {
      attributes: { name: string }[];
    };
    expect(attributes.map(({ name }) => name)).toEqual(['person', 'sex', 'age', 'works']);
  });

  test('takes public tables of a database too, and none that is private', async () => {
    await owner.client.query(`CREATE TABLE open_people AS SELECT sex, age, works, ARRAY[1] AS many FROM people WHERE person < 30;
      CREATE VIEW released.earlier AS SELECT * FROM open_people; GRANT SELECT ON released.earlier TO ${role}`);
    const earlier = place.replace('released.persons', 'released.earlier');
    const folder = await folderWith({ 'schema.json': schema });
    expect(await runHere(folder, 'schema', earlier, '-o', 'learned.json')).toMatchObject({ code: 0, err: '' });
    const learned = JSON.parse(await readFile(path.join(folder, 'learned.json'), 'utf8')) as {
      origin: { file: string; rows: number };
      attributes: { name: string; type: string }[];
    };
    expect(learned.origin).toMatchObject({ file: 'earlier.csv', rows: 230 });
    expect(learned.attributes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'sex category',
      'age integer',
      'works boolean',
    ]);
    expect(await runHere(folder, 'inspect', earlier, '--schema', 'schema.json')).toMatchObject({ code: 0 });
    const words = ['--epsilon', '1', '--ledger', 'l.jsonl', '--mechanism', 'reweight', '--bootstrap', '0'];
    const release = (...more: string[]) =>
      runHere(folder, 'release', place, '--schema', 'schema.json', ...words, ...more);
    expect(await release('--public', place.replace('127.0.0.1', 'localhost'), '-o', 'out')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is the private table itself/),
    });
    expect(await release('--public', earlier, '-o', 'out')).toMatchObject({ code: 0 });
    expect(await runHere(folder, 'schema', place)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must be public, got a table that has a ledger, l\.jsonl/),
    });
    expect((await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
  });

  test('writes its rows to a new table, whole or not at all', async () => {
    const folder = await folderWith({ 'schema.json': schema });
    const { user, host, port, database } = owner.login;
    const target = (table: string, who = user) => `postgres://${who}@${host}:${port}/${database}?table=${table}`;
    vi.stubEnv('PGPASSWORD', owner.login.password);
    const release = (to: string, out: string) =>
      runHere(folder, 'release', target('people'), ...quick, ...seeds, '--ledger', 'l.jsonl', '-o', out, '--to', to);
    // Nothing is spent for a place where no table can be made.
    for (const [to, message] of [
      ['elsewhere.csv', /must be the address of a table/],
      [target('people'), /must not exist yet/],
      [target('nowhere.rows'), /no such schema/],
    ] as const)
      expect(await release(to, 'none')).toMatchObject({ code: 2, err: expect.stringMatching(message) });
    vi.stubEnv('PGPASSWORD', password);
    expect(
      await runHere(
        folder,
        'release',
        place,
        ...quick,
        ...seeds,
        '--ledger',
        'l.jsonl',
        '-o',
        'none',
        '--to',
        target('released.rows', role),
      ),
    ).toMatchObject({ code: 2, err: expect.stringMatching(/may not make a table/) });
    expect(await readdir(folder)).toEqual(['schema.json']);
    vi.stubEnv('PGPASSWORD', owner.login.password);
    expect(await release(target('made'), 'out')).toMatchObject({ code: 0 });
    vi.stubEnv('PGPASSWORD', password);
    const { rows } = await owner.client.query<Record<string, unknown>>('SELECT sex, age, works FROM made');
    const text = ['sex,age,works', ...rows.map(({ sex, age, works }) => [sex, age, works].join()), ''].join('\n');
    expect(text).toBe(await readFile(path.join(folder, 'out', 'synthetic.csv'), 'utf8'));
    // A row that has no place in the middle of the second part takes the first with it.
    const domain = domainOf([{ name: 'n', type: 'integer', min: 0, max: 9 }]);
    async function* parts() {
      yield { n: ['1', '2'] };
      yield { n: ['3', 'SECRET'] };
    }
    vi.stubEnv('PGPASSWORD', owner.login.password);
    await expect(writeDatabaseRows(target('half'), domain, parts())).rejects.toThrow(/^(?!.*SECRET).*22P02/);
    vi.stubEnv('PGPASSWORD', password);
    expect((await owner.client.query(`SELECT to_regclass('half') AS it`)).rows).toEqual([{ it: null }]);
  });
});
