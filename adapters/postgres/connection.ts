import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import type { Client, QueryArrayConfig, QueryConfig } from 'pg';
import { InputError } from '../../src/domain/input-error.js';
import { SourceLost } from '../../src/source/source-lost.js';
import {
  type Connection,
  type CopyColumn,
  LostConnection,
  type QueryOptions,
  type SqlValue,
} from '../sql/connection.js';
import type { Column, ColumnKind } from '../sql/sql-table.js';
import { postgres } from './dialect.js';
import { loadPg } from './load-pg.js';
import { postgresError } from './postgres-error.js';

/** Where a server is and who asks, as its client takes it; what is left out comes from the environment (PGHOST, PGUSER, PGPASSFILE and so on). */
export interface PostgresLogin {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
  readonly ssl?: boolean | ConnectionOptions | undefined;
}

/** Who asks, and what messages call the place. */
export interface PostgresConnectionOptions {
  readonly login: PostgresLogin;
  /** Without credentials. */
  readonly shown: string;
  /** Milliseconds to go on trying to reach a server that was lost; half a minute unless told. */
  readonly patience?: number | undefined;
  /** Whether a temporary table may be made, which a source then copies the codes of its rows to. */
  readonly copies?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A connection to PostgreSQL that sees one state of its tables from its first query on: all queries run in one transaction, REPEATABLE READ and READ ONLY. A second,
 * idle connection holds the same state by an exported snapshot, so that a query that was cut off goes on with the very same rows on a new connection; only
 * where both are gone, as when the server restarts, the state is.
 */
export const postgresConnection = async ({
  login,
  shown,
  patience = 30_000,
  copies = false,
  signal,
}: PostgresConnectionOptions): Promise<Connection> => {
  const pg = await loadPg();
  /** Whose transaction holds the state, where the server lets it be shared. */
  let keeper: Client | undefined;
  let worker: Client | undefined;
  let pid = 0;
  let snapshot: string | undefined;
  /** The copy that the worker has, to be made again with another worker. */
  let copied: { readonly table: string; readonly rows: string } | undefined;

  const connect = async (): Promise<Client> => {
    const client = new pg.Client({ keepAlive: true, connectionTimeoutMillis: 15_000, ...login });
    // A lost connection is heard of by the query that needs it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await letGo(client);
      throw told(error);
    }
  };
  const told = (error: unknown): unknown => postgresError(error, shown);

  /** One statement whose result is small. */
  const ask = async (client: Client, sql: string): Promise<SqlValue[][]> => {
    try {
      return (await client.query({ text: sql, rowMode: 'array' } satisfies QueryArrayConfig)).rows as SqlValue[][];
    } catch (error) {
      throw told(error);
    }
  };

  /** Begins to look at the state of this moment, and holds it. */
  const begin = async (): Promise<void> => {
    const first = await connect();
    try {
      await ask(first, BEGIN);
      const [[encoding, version]] = await ask(first, ABOUT);
      if (encoding !== 'UTF8')
        throw new InputError(`${shown}: the database must be in UTF8, got ${String(encoding)}; make a copy in UTF8`);
      await ask(first, settings(Number(version)));
      // A standby in recovery shares no state: there one connection holds it alone.
      const [[exported]] = await ask(first, 'SELECT pg_export_snapshot()').catch((error: unknown) => {
        if (error instanceof LostConnection) throw error;
        return [[null]];
      });
      if (exported === null) {
        for (const sql of ['ROLLBACK', BEGIN, settings(Number(version))]) await ask(first, sql);
        [worker, pid] = [first, await pidOf(first)];
        return;
      }
      snapshot = String(exported);
      keeper = first;
      await join();
    } catch (error) {
      await letGo(first);
      throw error;
    }
  };

  /** Looks at the state that the keeper holds. */
  const join = async (): Promise<void> => {
    const client = await connect();
    try {
      if (copied !== undefined) await makeTable(client, copied.table);
      await ask(client, BEGIN);
      await ask(client, `SET TRANSACTION SNAPSHOT ${postgres.literal(snapshot!)}`);
      const [[, version]] = await ask(client, ABOUT);
      await ask(client, settings(Number(version)));
      [worker, pid] = [client, await pidOf(client)];
    } catch (error) {
      await letGo(client);
      throw error;
    }
  };

  /** Makes a temporary table, which nothing but a transaction of its own can: rows may be put into it where nothing else may be written. */
  const makeTable = async (client: Client, sql: string): Promise<void> => {
    await ask(client, 'BEGIN READ WRITE');
    const [[, version]] = await ask(client, ABOUT);
    await ask(client, settings(Number(version)));
    try {
      await client.query(sql);
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw code === '42501'
        ? new InputError(
            `${shown}: the role may not make a temporary table (42501); grant it TEMPORARY on the database, or leave copy=true out`,
          )
        : told(error);
    }
    await ask(client, 'COMMIT');
  };

  const copy = async (
    rows: string,
    columns: readonly CopyColumn[],
    { signal: stop }: { readonly signal?: AbortSignal | undefined },
  ): Promise<string> => {
    if (keeper === undefined)
      throw new InputError(
        `${shown}: a copy must be made in a server that writes, got a standby; name the primary server, or leave copy=true out`,
      );
    const list = columns.map(({ name, cells }) => `${name} ${columnType(cells)}`);
    copied = {
      table: `CREATE TEMPORARY TABLE ${COPY} (${list.join(', ')})`,
      rows: `INSERT INTO pg_temp.${COPY} ${rows}`,
    };
    if (worker !== undefined) await letGo(worker);
    worker = undefined;
    await join();
    await fill(stop);
    return `pg_temp.${COPY}`;
  };
  const fill = async (stop: AbortSignal | undefined): Promise<void> => {
    if (copied !== undefined) await query(copied.rows, { signal: stop, onRow: () => undefined });
  };

  const pidOf = async (client: Client): Promise<number> => Number((await ask(client, 'SELECT pg_backend_pid()'))[0][0]);

  /** Runs a query so that its end, good or bad, leaves the transaction as it was. */
  const query = async (sql: string, { signal: stop, onRow }: QueryOptions): Promise<void> => {
    stop?.throwIfAborted();
    const client = worker;
    if (client === undefined) throw new LostConnection(shown, 'closed');
    await ask(client, 'SAVEPOINT surmise');
    // Cancelling here cancels there; what comes of it is the query's own end.
    const cancel = (): void => void cancelled(pid).catch(() => undefined);
    stop?.addEventListener('abort', cancel, { once: true });
    try {
      await streamed(client, sql, onRow);
    } catch (error) {
      const reason = told(error);
      if (!(reason instanceof LostConnection)) await ask(client, 'ROLLBACK TO SAVEPOINT surmise');
      stop?.throwIfAborted();
      throw reason;
    } finally {
      stop?.removeEventListener('abort', cancel);
    }
    await ask(client, 'RELEASE SAVEPOINT surmise');
    stop?.throwIfAborted();
  };

  const streamed = (client: Client, sql: string, onRow: QueryOptions['onRow']): Promise<void> =>
    new Promise((resolve, reject) => {
      let failure: unknown;
      const running = new pg.Query({ text: sql, rowMode: 'array', types: asText } as QueryConfig);
      running.on('row', (row: unknown) => {
        try {
          if (failure === undefined) onRow(row as SqlValue[]);
        } catch (error) {
          failure = error;
        }
      });
      running.on('end', () => (failure === undefined ? resolve() : reject(failure)));
      running.on('error', reject);
      client.query(running);
    });

  const cancelled = async (of: number): Promise<void> => {
    const client = await connect();
    try {
      await ask(client, `SELECT pg_cancel_backend(${of})`);
    } finally {
      await letGo(client);
    }
  };

  /** Whether the state is still held. */
  const isHeld = async (): Promise<boolean> => {
    if (keeper === undefined) return false;
    try {
      await ask(keeper, 'SELECT 1');
      return true;
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      await letGo(keeper);
      keeper = undefined;
      return false;
    }
  };

  const again = async (stop: AbortSignal | undefined): Promise<boolean> => {
    if (worker !== undefined) await letGo(worker);
    worker = undefined;
    if (await isHeld()) {
      await join();
      await fill(stop);
      return true;
    }
    copied = undefined;
    await begin();
    return false;
  };

  await begin();
  signal?.throwIfAborted();
  return {
    dialect: postgres,
    shown,
    isFixed: true,
    query,
    ...(copies ? { copy } : {}),
    columns: async (from) => {
      if (worker === undefined) throw new LostConnection(shown, 'closed');
      await ask(worker, 'SAVEPOINT surmise');
      try {
        const { fields } = await worker.query(`SELECT * FROM ${from} LIMIT 0`);
        const known = new Map<number, Pick<Column, 'type' | 'kind'>>();
        const ids = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))];
        const types = `SELECT oid, typname, typcategory FROM pg_type WHERE oid IN (${ids.join(', ') || '0'})`;
        for (const [oid, name, category] of await ask(worker, types))
          known.set(Number(oid), { type: String(name), kind: kindOf(String(name), String(category)) });
        return fields.map(({ name, dataTypeID }) => ({
          name,
          sql: postgres.identifier(name),
          ...(known.get(dataTypeID) ?? { type: 'unknown', kind: 'nested' }),
        }));
      } catch (error) {
        const reason = told(error);
        if (!(reason instanceof LostConnection)) await ask(worker, 'ROLLBACK TO SAVEPOINT surmise');
        throw reason;
      }
    },
    recover: async (options) => {
      const until = performance.now() + patience;
      for (let pause = 100; ; pause = Math.min(2 * pause, 2000))
        try {
          options?.signal?.throwIfAborted();
          return await again(options?.signal);
        } catch (error) {
          options?.signal?.throwIfAborted();
          if (!(error instanceof LostConnection)) throw error;
          if (performance.now() + pause > until)
            throw new SourceLost(`${shown}: must be within reach, got lost (${error.code}); try again when it is back`);
          await sleep(pause, undefined, options);
        }
    },
    close: async () => {
      const held = [worker, keeper].filter((client) => client !== undefined);
      [worker, keeper] = [undefined, undefined];
      await Promise.all(held.map(letGo));
    },
  };
};

/** What a copy is called, in the schema of the connection's own temporary tables. */
const COPY = 'surmise_kept';

const columnType = (cells: number | undefined): string => {
  if (cells === undefined) return 'text';
  return cells <= 2 ** 15 ? 'int2' : 'int4';
};

const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const ABOUT = "SELECT current_setting('server_encoding'), current_setting('server_version_num')";

/** Values as texts, as they come. */
const asText = { getTypeParser: () => (value: unknown) => value } as unknown as QueryArrayConfig['types'];

/** Ends a connection whatever its state. */
const letGo = async (client: Client): Promise<void> => {
  // Ending waits for the server, which may be gone.
  await Promise.race([client.end().catch(() => undefined), sleep(2000, undefined, { ref: false })]);
};

/**
 * Settings of the transaction, those of them that there are and that the role may set. What a result looks like must not hang on the session; nothing may
 * cut a release off in the middle; and no log or statistic is to keep the queries or what they found.
 */
const settings = (version: number): string => {
  const wanted: Record<string, string> = {
    TimeZone: 'UTC',
    DateStyle: 'ISO, YMD',
    standard_conforming_strings: 'on',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    transaction_timeout: '0',
    idle_session_timeout: '0',
    // As much as the tables of one query take, where it is less.
    work_mem: '65536',
    // Cells take more than the way from one process of the server to another: several of them compute cells, where it is more.
    parallel_tuple_cost: '0.01',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_min_duration_sample: '-1',
    log_transaction_sample_rate: '0',
    log_duration: 'off',
    log_statement_stats: 'off',
    log_temp_files: '-1',
    // What the server says of an error may quote a value.
    log_min_messages: 'panic',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    debug_print_plan: 'off',
    track_activities: 'off',
    'pg_stat_statements.track': 'none',
    'auto_explain.log_min_duration': '-1',
  };
  const values = Object.entries(wanted).map(
    ([name, value]) => `(${postgres.literal(name)}, ${postgres.literal(value)})`,
  );
  const may = [`s.context = 'user'`, `(s.context = 'superuser' AND current_setting('is_superuser') = 'on')`];
  if (version >= 150_000) may.push(`(s.context = 'superuser' AND has_parameter_privilege(s.name, 'SET'))`);
  const [now, wish] = ['s.setting::numeric', 'w.value::numeric'];
  const value = `CASE s.name WHEN 'work_mem' THEN greatest(${now}, ${wish})::text WHEN 'parallel_tuple_cost' THEN least(${now}, ${wish})::text ELSE w.value END`;
  return `SELECT count(set_config(s.name, ${value}, true)) FROM (VALUES ${values.join(', ')}) AS w(name, value) JOIN pg_settings s ON s.name = w.name WHERE ${may.join(' OR ')}`;
};

const kindOf = (name: string, category: string): ColumnKind => {
  if (/^int[248]$/.test(name)) return 'integer';
  if (/^float[48]$/.test(name)) return 'double';
  if (name === 'bool') return 'boolean';
  // A time with a zone names different days in different zones: its text, in UTC, decides.
  if (name === 'date' || name === 'timestamp') return 'date';
  // Numbers, texts, enumerations, times, addresses; of the types that belong to no group, one that is plain.
  return /^[NSEDI]$/.test(category) || name === 'uuid' ? 'text' : 'nested';
};
