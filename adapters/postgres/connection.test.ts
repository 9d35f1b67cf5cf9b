import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf } from '../../src/domain/domain-of.js';
import { marginal } from '../../src/query/marginal.js';
import { seeded } from '../../src/random/seeded.js';
import { databaseOwner, type Login, type Owner, postgresSource } from '../../test/support/postgres-table.js';
import { LostConnection } from '../sql/connection.js';
import { postgresConnection } from './connection.js';

let owner: Owner;
let login: Login;
let roles = 0;

// A role that may read one view and nothing else, as the documentation has it.
beforeAll(async () => {
  owner = await databaseOwner();
  const role = `reader_${process.pid}_${++roles}`;
  login = { ...owner.login, user: role, password: 'read' };
  await owner.client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'read';
    CREATE TABLE secret_rows (sex text, salary int);
    CREATE VIEW persons AS SELECT sex FROM secret_rows;
    CREATE VIEW slowly AS SELECT sex, pg_sleep(0.02)::text AS slept FROM secret_rows;
    CREATE VIEW failing AS SELECT sex, salary / 0 AS x FROM secret_rows;
    CREATE VIEW telling AS SELECT sex, ('SECRET' || salary)::int AS x FROM secret_rows;
    GRANT SELECT ON persons, slowly, failing, telling TO ${role}`);
});
afterAll(() => owner.end());

const fill = (...sexes: string[]): Promise<unknown> =>
  owner.client.query(`DELETE FROM secret_rows; INSERT INTO secret_rows SELECT unnest('{${sexes.join()}}'::text[]), 1`);

/** Ends connections of the role: those that run a query now, or all. */
const terminate = async (which: 'active' | 'all'): Promise<number> => {
  const state = which === 'active' ? `AND state = 'active'` : '';
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 ${state}`;
  return (await owner.client.query(sql, [login.user])).rowCount ?? 0;
};
const untilOne = async (once: () => Promise<number>): Promise<void> => {
  while ((await once()) === 0) await sleep(5);
};

const domain = domainOf([{ name: 'sex', type: 'category', values: ['f', 'm'] }]);
const open = (table = 'persons', further = {}) =>
  postgresSource(login, table, domain, {
    dataset: 'test',
    unit: { kind: 'row', maxRecords: 1 },
    random: seeded(1),
    ...further,
  });
const sexes = [marginal('sex')];

test('all counts are of the rows that there were when the source was opened, whatever is written meanwhile', async () => {
  await fill('f', 'm', 'm');
  const source = await open();
  await fill('f');
  expect(await source.counts(sexes)).toEqual([Float64Array.of(1, 2)]);
  expect(await source.units()).toBe(3);
  await source.close();
});

test('a connection that is cut off in the middle of a count is made anew, and the count is of the same rows', async () => {
  await fill(...Array.from({ length: 12 }, (_, i) => (i < 5 ? 'f' : 'm')));
  const source = await open('slowly');
  expect(await source.counts([marginal()])).toEqual([Float64Array.of(12)]);
  await owner.client.query('DELETE FROM secret_rows');
  const counts = source.counts(sexes);
  await untilOne(() => terminate('active'));
  expect(await counts).toEqual([Float64Array.of(5, 7)]);
  await source.close();
});

test('without its rows a source goes on as long as it has answered nothing, and then with others; after an answer it refuses', async () => {
  await fill('f', 'm', 'm');
  const source = await open();
  await terminate('all');
  await fill('f', 'f');
  expect(await source.counts(sexes)).toEqual([Float64Array.of(2, 0)]);
  expect(await source.units()).toBe(2);
  await terminate('all');
  await expect(source.counts(sexes)).rejects.toThrow(/state of the table .* nothing was spent/);
  await source.close();

  // Other rows are looked at like the first ones.
  const other = await open();
  await terminate('all');
  await fill('f', 'SECRET');
  await expect(other.counts(sexes)).rejects.toThrow(/^(?!.*SECRET).*column "sex": holds a value/);
  await other.close();
});

test('where the table may change, answers go on with the rows of their moment', async () => {
  await fill('f');
  const source = await open('persons', { changing: true });
  expect(await source.counts(sexes)).toEqual([Float64Array.of(1, 0)]);
  await terminate('all');
  await fill('m', 'm');
  expect(await source.counts(sexes)).toEqual([Float64Array.of(0, 2)]);
  await source.close();
});

test('a count that is aborted is cancelled in the server, and the next one is answered', async () => {
  await fill(...new Array<string>(60).fill('f'));
  const source = await open('slowly');
  const active = async () =>
    (await owner.client.query(`SELECT FROM pg_stat_activity WHERE usename = $1 AND state = 'active'`, [login.user]))
      .rowCount ?? 0;
  const stop = new AbortController();
  const counts = source.counts(sexes, { signal: stop.signal });
  await untilOne(active);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(counts).rejects.toBe(reason);
  expect(await active()).toBe(0);
  await fill('m');
  expect((await source.counts([marginal()]))[0][0]).toBe(60);
  await source.close();
}, 60_000);

test('what the server says stays there but for its code', async () => {
  await fill('f');
  const connection = await postgresConnection({ login, shown: 'here' });
  const failure = async (sql: string): Promise<string> => {
    const error = await connection.query(sql, { onRow: () => undefined }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(LostConnection);
    const { message, stack, cause } = error as Error;
    expect(`${message} ${stack?.split('\n')[0]} ${String(cause)}`).not.toMatch(/SECRET|secret_rows|salary/);
    return message;
  };
  expect(await failure('SELECT x FROM failing')).toMatch(/^here: .*22012/);
  expect(await failure('SELECT x FROM telling')).toMatch(/^here: .*22P02/);
  expect(await failure('SELECT * FROM secret_rows')).toMatch(/grant SELECT .*42501/);
  expect(await failure('SELECT * FROM none')).toMatch(/no such table.*42P01/);
  // The transaction goes on after each of them, and can write nothing.
  expect(await failure('CREATE TABLE x ()')).toMatch(/25006/);
  let rows = 0;
  await connection.query('SELECT * FROM persons', { onRow: () => rows++ });
  expect(rows).toBe(1);
  await connection.close();
  await expect(postgresConnection({ login: { ...login, password: 'wrong' }, shown: 'here' })).rejects.toThrow(
    /^here: .*password.*28P01/,
  );
  await expect(postgresConnection({ login: { ...login, database: 'none' }, shown: 'here' })).rejects.toThrow(/3D000/);
  await expect(postgresConnection({ login: { ...login, port: 1 }, shown: 'here' })).rejects.toThrow(/ECONNREFUSED/);
});

test('columns of every type are told with the way their values are read', async () => {
  await owner.client.query(`CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN whole AS int;
    CREATE TABLE typed (a whole, b float4, c mood, d timestamptz, e timestamp, f bytea, g int[], h json, i uuid, j numeric(9, 2), k bool, "L ""l" interval)`);
  const connection = await postgresConnection({ login: owner.login, shown: 'here' });
  const columns = await connection.columns('typed');
  expect(columns.map(({ kind }) => kind).join(' ')).toBe(
    'integer double text text date nested nested nested text text boolean nested',
  );
  expect(columns.at(-1)).toEqual({ name: 'L "l', sql: '"L ""l"', type: 'interval', kind: 'nested' });
  await connection.close();
});
