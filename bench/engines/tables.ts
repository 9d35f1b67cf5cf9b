import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { clickhouseConnection } from '../../adapters/clickhouse/connection.js';
import { postgresConnection } from '../../adapters/postgres/connection.js';
import { sparkConnection } from '../../adapters/spark/connection.js';
import type { Connection } from '../../adapters/sql/connection.js';
import { trinoConnection } from '../../adapters/trino/connection.js';
import { startClickHouse } from './chdb.js';
import { killPostgres, startPostgres } from './postgres.js';
import { servers } from './servers.js';

/** An engine that holds a table of made-up codes. */
export interface EngineTable {
  /** The table for a FROM clause. */
  readonly from: string;
  readonly port: number;
  /** Makes the table anew in the engine, of so many rows. */
  make(rows: number): Promise<void>;
  /** A connection through a port of this machine. */
  connect(port: number): Promise<Connection>;
  stop(): Promise<void>;
}

/** Attributes of 2 to 21 cells. */
export const sizes = Array.from({ length: 20 }, (_, i) => 2 + i);
export const names = sizes.map((_, i) => `x${i}`);

/** Codes of row n that fall off towards the last cell and go together in pairs of neighbours. Products stay below 2^63. */
const codes = (small: (value: string) => string, whole: (value: string) => string, double: (value: string) => string) =>
  sizes
    .map((size, i) => {
      const share = `${double(`(n * ${104_729 + 2 * (i - (i % 2)) * 7919}) % 1000003`)} / 1000003.0e0`;
      return `${small(whole(`${size} * power(${share}, ${1 + (i % 3)})`))} AS ${names[i]}`;
    })
    .join(', ');

const cast = (type: string) => (value: string) => `CAST(${value} AS ${type})`;
const floored = (value: string): string => `floor(${value})`;

const run = (connection: Connection, sql: string): Promise<void> => connection.query(sql, { onRow: () => undefined });

const postgres = async (): Promise<EngineTable> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'surmise-bench-'));
  // The server may be another user's process.
  chmodSync(folder, 0o755);
  const server = await startPostgres(folder, undefined, ['shared_buffers=1GB', 'work_mem=64MB']);
  // Also where the benchmark is stopped.
  process.once('exit', () => server.child.kill('SIGQUIT'));
  const login = { host: server.host, user: server.user, password: server.password, database: 'postgres' };
  return {
    from: 'codes',
    port: server.port,
    make: async (rows) => {
      const client = new pg.Client({ ...login, port: server.port });
      await client.connect();
      await client.query('DROP TABLE IF EXISTS codes');
      await client.query(
        `CREATE TABLE codes AS SELECT ${codes(cast('smallint'), floored, cast('float8'))} FROM generate_series(0, ${rows - 1}) AS t(n)`.replaceAll(
          '(n *',
          '(n::bigint *',
        ),
      );
      await client.query('VACUUM ANALYZE codes');
      await client.end();
    },
    connect: (port) => postgresConnection({ login: { ...login, port }, shown: 'PostgreSQL' }),
    stop: async () => {
      await killPostgres(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const clickhouse = async (): Promise<EngineTable> => {
  const engine = await startClickHouse({ compile: true });
  if (engine === undefined) throw new Error('chdb has no build for this machine');
  const connect = (port: number) =>
    clickhouseConnection({ url: new URL(`http://127.0.0.1:${port}`), shown: 'ClickHouse', isFixed: true });
  return {
    from: 'codes',
    port: engine.port,
    make: async (rows) => {
      await engine.run('DROP TABLE IF EXISTS codes');
      await engine.run(
        `CREATE TABLE codes ENGINE = MergeTree ORDER BY tuple() AS SELECT ${codes(
          (value) => `toUInt8(${value})`,
          floored,
          (value) => `toFloat64(${value})`,
        )} FROM (SELECT toInt64(number) AS n FROM numbers(${rows}))`,
      );
    },
    connect,
    stop: () => engine.close(),
  };
};

const spark = (name: 'Sail' | 'Spark') => async (): Promise<EngineTable> => {
  const server = await servers[name](3072);
  const folder = mkdtempSync(path.join(tmpdir(), 'surmise-bench-'));
  const connect = (port: number) =>
    sparkConnection({ host: '127.0.0.1', port, tls: false, shown: name, isFixed: true });
  return {
    // Files by their path: names of tables are a session's own in Sail.
    from: `parquet.\`${folder}/codes\``,
    port: server.port,
    make: async (rows) => {
      rmSync(path.join(folder, 'codes'), { recursive: true, force: true });
      const connection = await connect(server.port);
      await run(connection, 'DROP TABLE IF EXISTS codes');
      await run(
        connection,
        `CREATE TABLE codes USING parquet LOCATION '${folder}/codes' AS SELECT ${codes(cast('TINYINT'), floored, cast('DOUBLE'))} FROM (SELECT id AS n FROM range(0, ${rows}, 1, 8)) AS t`,
      );
      await connection.close();
    },
    connect,
    stop: async () => {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const trino = async (): Promise<EngineTable> => {
  const server = await servers.Trino(6144);
  const connect = (port: number) =>
    trinoConnection({ url: new URL(`http://127.0.0.1:${port}`), user: 'bench', shown: 'Trino', isFixed: true });
  return {
    from: 'memory.default.codes',
    port: server.port,
    make: async (rows) => {
      const connection = await connect(server.port);
      await run(connection, 'DROP TABLE IF EXISTS memory.default.codes');
      // A sequence has at most 10,000 numbers.
      const numbers = `SELECT a * 10000 + b AS n FROM UNNEST(sequence(0, ${Math.ceil(rows / 1e4) - 1})) AS t(a) CROSS JOIN UNNEST(sequence(0, 9999)) AS u(b)`;
      await run(
        connection,
        `CREATE TABLE memory.default.codes AS SELECT ${codes(cast('tinyint'), floored, cast('double'))} FROM (${numbers}) AS t WHERE n < ${rows}`,
      );
    },
    connect,
    stop: async () => server.stop(),
  };
};

/** Engines that hold a table of codes, by the name that `--only` takes. */
export const tables: Readonly<Record<string, () => Promise<EngineTable>>> = {
  postgres,
  clickhouse,
  trino,
  spark: spark('Spark'),
  sail: spark('Sail'),
};
