import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClickHouse } from '../../bench/engines/chdb.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { holding } from '../../src/query/holding.js';
import { marginal } from '../../src/query/marginal.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { SourceLost } from '../../src/source/source-lost.js';
import { databaseOwner, type Owner } from '../../test/support/postgres-table.js';
import { clickhouseConnection } from '../clickhouse/connection.js';
import { postgresConnection } from '../postgres/connection.js';
import type { Connection } from './connection.js';
import { databaseSource } from './open-database-table.js';
import { sqlSource } from './sql-source.js';

let owner: Owner;
let role: { user: string; password: string };
const clickhouse = await startClickHouse();
beforeAll(async () => {
  owner = await databaseOwner();
  role = { user: `copier_${process.pid}`, password: 'copy' };
  await owner.client.query(`CREATE ROLE ${role.user} LOGIN PASSWORD 'copy'`);
});
afterAll(async () => {
  await owner.end();
  await clickhouse?.close();
});

/** An engine that rows can be written to, and a connection that copies or does not. */
interface Place {
  readonly name: string;
  readonly text: string;
  readonly end: string;
  run(sql: string): Promise<unknown>;
  connect(how: { readonly copies: boolean; readonly isFixed?: boolean }): Promise<Connection>;
}

const places: Place[] = [
  {
    name: 'PostgreSQL',
    text: 'text',
    end: '',
    run: (sql) => owner.client.query(sql),
    connect: ({ copies }) => postgresConnection({ login: { ...owner.login, ...role }, shown: 'postgres', copies }),
  },
  ...(clickhouse === undefined
    ? []
    : [
        {
          name: 'ClickHouse',
          text: 'Nullable(String)',
          end: ' ENGINE = MergeTree ORDER BY tuple()',
          run: (sql: string) => clickhouse.run(sql),
          connect: ({ copies, isFixed }: { copies: boolean; isFixed?: boolean }) =>
            clickhouseConnection({
              url: new URL(`http://127.0.0.1:${clickhouse.port}`),
              shown: 'chdb',
              copies,
              isFixed,
            }),
        },
      ]),
];

const domain = domainOf([
  { name: 'sex', type: 'category', values: ['f', 'm'], null: true },
  { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
  { name: 'town', type: 'category', values: Array.from({ length: 300 }, (_, i) => `t${i}`) },
]);
const asked = [marginal('sex', 'age', 'town'), marginal('town'), marginal('age', 'sex'), marginal()];
const units: readonly Unit[] = [
  { kind: 'row', maxRecords: 1 },
  { kind: 'id', column: 'who', maxRecords: 2 },
];

let tables = 0;
/** Rows of 60 persons with up to five each, in a new table that the role may read. */
const written = async ({ run, text, end, name: engine }: Place): Promise<string> => {
  const table = `people${++tables}`;
  await run(`CREATE TABLE ${table} (who ${text}, sex ${text}, age ${text}, town ${text})${end}`);
  const random = seeded(4);
  const rows = Array.from({ length: 200 }, () => {
    const sex = ["'f'", "'m'", 'NULL'][random.uint32() % 3];
    return `('p${random.uint32() % 60}', ${sex}, '${random.uint32() % 100}', 't${random.uint32() % 300}')`;
  });
  await run(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
  if (engine === 'PostgreSQL') await run(`GRANT SELECT ON ${table} TO ${role.user}`);
  return table;
};

const opened = async (
  connection: Connection,
  table: string,
  unit: Unit,
): Promise<{ source: ClosableSource; sent: string[] }> => {
  const sent: string[] = [];
  const heard: Connection = {
    ...connection,
    query: (sql, options) => {
      sent.push(sql);
      return connection.query(sql, options);
    },
  };
  const relation = { shown: 'people', sql: table, columns: await connection.columns(table), isPrivate: true };
  const source = await sqlSource(heard, relation, domain, { dataset: 'test', unit, random: seeded(8) });
  return { source, sent };
};

describe.each(places)('a copy in $name', (place) => {
  test.each(units)(
    'has the rows of a $kind that the table would be counted by, and nothing reads the table after it',
    async (unit) => {
      const table = await written(place);
      const plain = await opened(await place.connect({ copies: false, isFixed: true }), table, unit);
      const expected = { counts: await plain.source.counts(asked), units: await plain.source.units() };
      expect(plain.sent.at(-1)).toContain(table);
      await plain.source.close();
      for (const isFixed of [true, false]) {
        const { source, sent } = await opened(await place.connect({ copies: true, isFixed }), table, unit);
        const before = sent.length;
        expect({ counts: await source.counts(asked), units: await source.units() }).toEqual(expected);
        expect(sent.slice(before)).not.toHaveLength(0);
        for (const sql of sent.slice(before)) expect(sql).not.toContain(table);
        await source.close();
      }
    },
  );

  test('stays as it is, whatever becomes of the table', async () => {
    const table = await written(place);
    const { source } = await opened(await place.connect({ copies: true, isFixed: false }), table, units[1]);
    const first = await source.counts(asked);
    await place.run(`INSERT INTO ${table} VALUES ('q', 'f', '1', 't1')`);
    expect(await source.counts(asked)).toEqual(first);
    await source.close();
  });

  test('counts households and their persons as their tables do', async () => {
    const schema = parseSchema({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'region', type: 'category', values: ['north', 'south'] },
        { name: 'sex', type: 'category', values: ['f', 'm'] },
      ],
      twoLevel: { key: 'home', household: ['region'], maxSize: 3, rule: 'trim', size: 'persons' },
    });
    const table = `homes${++tables}`;
    await place.run(`CREATE TABLE ${table} (home ${place.text}, region ${place.text}, sex ${place.text})${place.end}`);
    const random = seeded(6);
    const rows = Array.from({ length: 90 }, () => {
      const home = random.uint32() % 30;
      return `('h${home}', '${home % 3 === 0 ? 'north' : 'south'}', '${'fm'[random.uint32() % 2]}')`;
    });
    await place.run(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
    if (place.name === 'PostgreSQL') await place.run(`GRANT SELECT ON ${table} TO ${role.user}`);
    const found = [];
    for (const copies of [false, true]) {
      const connection = await place.connect({ copies, isFixed: true });
      const relation = { shown: 'homes', sql: table, columns: await connection.columns(table) };
      const source = await databaseSource(connection, relation, schema, {
        unit: { kind: 'household', column: 'home', maxRecords: 3 },
        random: seeded(2),
      });
      const names = domainFromSchema(schema).attributes.map(({ name }) => name);
      found.push([
        await source.counts([marginal(...names)]),
        await source.holdings!([holding('sex', 'region'), holding('persons')], {}),
        await source.units(),
      ]);
      await source.close();
    }
    expect(found[1]).toEqual(found[0]);
  });
});

test('a copy whose connection is cut off is made again of the same rows', async () => {
  const [place] = places;
  const table = await written(place);
  const { source } = await opened(await place.connect({ copies: true }), table, units[1]);
  const first = await source.counts(asked);
  await place.run(`DELETE FROM ${table}`);
  const ended = await owner.client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND query LIKE '%RELEASE SAVEPOINT%'`,
    [role.user],
  );
  expect(ended.rowCount).toBe(1);
  expect(await source.counts(asked)).toEqual(first);
  await source.close();
});

test('the transaction that has a copy can write nothing else, the copy holds no id, and it goes with the connection', async () => {
  const [place] = places;
  const table = await written(place);
  await place.run(`GRANT INSERT ON ${table} TO ${role.user}`);
  const connection = await place.connect({ copies: true });
  const { source } = await opened(connection, table, units[1]);
  const copies = async () =>
    (await owner.client.query<{ oid: number }>(`SELECT oid FROM pg_class WHERE relname = 'surmise_kept'`)).rows;
  const [{ oid }] = await copies();
  const columns = await owner.client.query<{ attname: string }>(
    'SELECT attname FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 ORDER BY attnum',
    [oid],
  );
  expect(columns.rows.map(({ attname }) => attname)).toEqual(['a0', 'a1', 'a2']);
  const write = connection.query(`INSERT INTO ${table} VALUES ('q', 'f', '1', 't1')`, { onRow: () => undefined });
  await expect(write).rejects.toThrow(/25006/);
  await source.close();
  await expect.poll(copies).toEqual([]);
});

test('a role that may make no temporary table is told what to grant, before anything is counted', async () => {
  const [place] = places;
  const table = await written(place);
  const { database } = owner.login;
  await place.run(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
  await expect(opened(await place.connect({ copies: true }), table, units[0])).rejects.toThrow(
    /^postgres: the role may not make a temporary table \(42501\); grant it TEMPORARY/,
  );
  await place.run(`GRANT TEMPORARY ON DATABASE ${database} TO PUBLIC`);
});

describe.skipIf(clickhouse === undefined)('a copy in a session of ClickHouse', () => {
  const place = places[1];
  /** The engine's one session forgets what it copied. */
  const forget = () => clickhouse!.run('DROP TEMPORARY TABLE surmise_kept_1');

  test('that was forgotten is made again of rows that stay the same; of others all answers would not be', async () => {
    for (const isFixed of [true, false]) {
      const table = await written(place);
      const { source } = await opened(await place.connect({ copies: true, isFixed }), table, units[0]);
      const first = await source.counts(asked);
      await forget();
      if (isFixed) expect(await source.counts(asked)).toEqual(first);
      else await expect(source.counts(asked)).rejects.toThrow(SourceLost);
      await source.close();
    }
  });

  test('is checked where a row without a place may have come in the meantime', async () => {
    const table = await written(place);
    const connection = await place.connect({ copies: true });
    const late: Connection = {
      ...connection,
      copy: async (...how) => {
        await place.run(`INSERT INTO ${table} VALUES ('q', 'f', '1', 'nowhere')`);
        return connection.copy!(...how);
      },
    };
    await expect(opened(late, table, units[0])).rejects.toThrow(/column "town": holds a value that the schema has no/);
  });

  test('is dropped at the end, and all that was sent was of one session', async () => {
    const table = await written(place);
    const from = clickhouse!.heard.length;
    const { source } = await opened(await place.connect({ copies: true }), table, units[0]);
    await source.close();
    const heard = clickhouse!.heard.slice(from);
    expect(heard.at(-1)?.sql).toBe('DROP TEMPORARY TABLE IF EXISTS surmise_kept_1');
    expect(new Set(heard.map(({ settings }) => settings.get('session_id'))).size).toBe(1);
    expect(heard[0].settings.get('session_id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is nothing that a table that may change is counted without', async () => {
    const table = await written(place);
    await expect(opened(await place.connect({ copies: false }), table, units[0])).rejects.toThrow(/copy=true/);
  });
});
