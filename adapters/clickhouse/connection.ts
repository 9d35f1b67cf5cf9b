import { randomUUID } from 'node:crypto';
import { InputError } from '../../src/domain/input-error.js';
import { inTurn } from '../../src/privacy/in-turn.js';
import { reachAgain } from '../sql/again.js';
import { type Connection, LostConnection, type QueryOptions, type SqlValue } from '../sql/connection.js';
import { httpRequest, isBusy } from '../sql/http.js';
import type { Column, ColumnKind } from '../sql/sql-table.js';
import { clickhouse } from './dialect.js';

export interface ClickHouseOptions {
  /** Of its HTTP interface: http://localhost:8123, https://host:8443. */
  readonly url: URL;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** What messages call the place, without credentials. */
  readonly shown: string;
  /** Whether what is asked about is known to stay as it is: a table that nobody writes to. ClickHouse keeps no state of a table. */
  readonly isFixed?: boolean | undefined;
  /** Whether a temporary table may be made, which a source then copies the codes of its rows to. */
  readonly copies?: boolean | undefined;
  /** Whether statements may write, which those about private rows never do. */
  readonly writes?: boolean | undefined;
  /** Milliseconds to go on trying to reach a server that was lost; half a minute unless told. */
  readonly patience?: number | undefined;
}

/** Seconds after which a server forgets a session that nobody used, with its temporary tables: as long as servers let it be unless told, ... */
const FORGOTTEN = 3600;
/** ... and milliseconds after which it is used, lest it be. */
const USED = 600_000;

/** What every query is set to: what the dialect counts on, whatever the user's profile says. A query that its user stops ends with the connection. */
const always: Readonly<Record<string, string>> = {
  default_format: 'JSONCompactEachRow',
  output_format_json_quote_64bit_integers: '1',
  prefer_column_name_to_alias: '1',
  group_by_use_nulls: '0',
  session_timezone: 'UTC',
  count_distinct_implementation: 'uniqExact',
  cancel_http_readonly_queries_on_client_close: '1',
};

/** What queries are set to in a server that knows the setting. */
const whereKnown: Readonly<Record<string, string>> = {
  force_grouping_standard_compatibility: '1',
  // Texts of doubles are read to the last bit.
  precise_float_parsing: '1',
  // What is too much is an error: a limit that cuts an answer short would make another one of it.
  group_by_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  read_overflow_mode_leaf: 'throw',
  timeout_overflow_mode: 'throw',
  skip_unavailable_shards: '0',
  distributed_group_by_no_merge: '0',
  limit: '0',
  offset: '0',
  extremes: '0',
  http_write_exception_in_output_format: '0',
  // Lists of categories and edges are long.
  max_query_size: String(2 ** 28),
  max_ast_elements: '10000000',
  max_expanded_ast_elements: '10000000',
  // Queries and what they found stay out of logs and caches.
  log_queries: '0',
  log_query_threads: '0',
  log_query_views: '0',
  log_processors_profiles: '0',
  log_profile_events: '0',
  query_metric_log_interval: '0',
  query_profiler_cpu_time_period_ns: '0',
  query_profiler_real_time_period_ns: '0',
  opentelemetry_start_trace_probability: '0',
  use_query_cache: '0',
  use_query_condition_cache: '0',
};

/** ClickHouse over its HTTP interface. */
export const clickhouseConnection = async ({
  url,
  database,
  user,
  password,
  shown,
  isFixed = false,
  copies = false,
  writes = false,
  patience = 30_000,
}: ClickHouseOptions): Promise<Connection> => {
  /** Temporary tables are a session's. */
  const session: Readonly<Record<string, string>> = copies
    ? { session_id: randomUUID(), session_timeout: String(FORGOTTEN) }
    : {};
  let copied: { readonly name: string; readonly rows: string } | undefined;
  let number = 0;
  let using: NodeJS.Timeout | undefined;
  const headers = {
    ...(user === undefined ? {} : { 'X-ClickHouse-User': user }),
    ...(password === undefined ? {} : { 'X-ClickHouse-Key': password }),
  };
  let settings: Readonly<Record<string, string>> | undefined;

  const run = async (
    sql: string,
    set: Readonly<Record<string, string>>,
    { signal, onRow }: QueryOptions,
  ): Promise<void> => {
    const target = new URL(url);
    for (const [name, value] of Object.entries({ ...set, ...session })) target.searchParams.set(name, value);
    if (database !== undefined && database !== '') target.searchParams.set('database', database);
    let rest = '';
    /** A server that fails after it began to answer says so in the body. */
    let failure: string | undefined;
    const hear = (piece: string): void => {
      if (failure !== undefined) {
        failure += piece;
        return;
      }
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const [i, line] of lines.entries()) {
        const row = rowOf(line);
        if (row !== undefined) onRow(row);
        else if (line.trim() !== '') {
          failure = [...lines.slice(i), rest].join('\n');
          return;
        }
      }
    };
    try {
      const { status, text } = await httpRequest(shown, target, {
        method: 'POST',
        headers,
        body: sql,
        signal,
        onText: hear,
      });
      if (status !== 200) throw refusal(shown, text, status);
      hear('\n');
    } catch (error) {
      // The end of what it said, and of the connection with it.
      if (failure !== undefined) throw refusal(shown, failure);
      throw error;
    }
    if (failure !== undefined) throw refusal(shown, failure);
  };

  // A session takes one query at a time.
  const next: ReturnType<typeof inTurn> = copies ? inTurn() : (task) => task();
  const query = (sql: string, asked: QueryOptions): Promise<void> =>
    next(async () => {
      asked.signal?.throwIfAborted();
      settings ??= await settingsOf(asked.signal);
      try {
        await run(sql, settings, asked);
      } catch (error) {
        // The session was forgotten.
        if (error instanceof MissingTable && copied !== undefined && sql.includes(copied.name))
          throw new LostConnection(shown, error.code);
        throw error;
      }
    });
  const told = (sql: string, signal: AbortSignal | undefined): Promise<void> =>
    query(sql, { signal, onRow: () => undefined });

  const fill = async (signal: AbortSignal | undefined): Promise<void> => {
    if (copied !== undefined)
      await told(`CREATE TEMPORARY TABLE ${copied.name} ENGINE = Memory AS ${copied.rows}`, signal);
  };
  const drop = async (signal: AbortSignal | undefined): Promise<void> => {
    clearInterval(using);
    const name = copied?.name;
    copied = undefined;
    if (name !== undefined) await told(`DROP TEMPORARY TABLE IF EXISTS ${name}`, signal);
  };
  const copy = async (rows: string, signal: AbortSignal | undefined): Promise<string> => {
    await drop(signal);
    copied = { name: `surmise_kept_${++number}`, rows };
    await fill(signal);
    using = setInterval(() => void told('SELECT 1', undefined).catch(() => undefined), USED);
    using.unref();
    return copied.name;
  };
  /** Whether the copy is there. */
  const isThere = async (name: string, signal: AbortSignal | undefined): Promise<boolean> => {
    let found = 0;
    const own = `SELECT count() FROM system.tables WHERE is_temporary AND name = ${clickhouse.literal(name)}`;
    await query(own, {
      signal,
      onRow: ([tables]) => {
        found = Number(tables);
      },
    });
    return found > 0;
  };

  const settingsOf = async (signal: AbortSignal | undefined): Promise<Readonly<Record<string, string>>> => {
    const names = Object.keys(whereKnown).map(clickhouse.literal).join(', ');
    const found: Record<string, string> = { ...always, log_queries: '0', readonly: writes ? '0' : '2' };
    await run(`SELECT name FROM system.settings WHERE name IN (${names})`, found, {
      signal,
      onRow: ([name]) => {
        found[String(name)] = whereKnown[String(name)];
      },
    });
    return found;
  };

  return {
    dialect: clickhouse,
    shown,
    isFixed,
    query,
    ...(copies ? { copy: (rows, _, asked) => copy(rows, asked.signal) } : {}),
    columns: async (from, asked) => {
      const found: Column[] = [];
      await query(`DESCRIBE TABLE (SELECT * FROM ${from})`, {
        ...asked,
        onRow: ([name, type]) => found.push(columnOf(String(name), String(type))),
      });
      return found;
    },
    recover: async (asked) => {
      await reachAgain(shown, patience, () => query('SELECT 1', { ...asked, onRow: () => undefined }), asked);
      if (copied === undefined) return isFixed;
      if (await isThere(copied.name, asked?.signal)) return true;
      // Of rows that stay the same the copy can be made again.
      if (isFixed) await fill(asked?.signal);
      return isFixed;
    },
    close: () => drop(AbortSignal.timeout(2000)).catch(() => undefined),
  };
};

/** A line of an answer, undefined where it is none: what a parser says of it would quote it. */
const rowOf = (line: string): SqlValue[] | undefined => {
  if (!line.startsWith('[')) return undefined;
  try {
    return JSON.parse(line) as SqlValue[];
  } catch {
    return undefined;
  }
};

/** Codes of a server that may answer the same query in a moment: too many queries, its network, a restart, a replica or shard that went away, memory that others use, a session that still ends a query. */
const passing = new Set(['202', '203', '209', '210', '236', '242', '279', '285', '373', '394', '415', '439', '745']);

const entry = 'the server did not let the user in; check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD';
const setting = 'the user must be allowed to set settings of its own queries; give it a profile with readonly = 2';
const advice: Readonly<Record<string, string>> = {
  '47': 'there is no such column; check the schema against the table',
  '62': 'ClickHouse could not understand the query; check the query of your own',
  '81': 'there is no such database; check its name',
  '158': 'a limit of the user was reached; raise max_rows_to_read for its profile',
  '159': 'the query took longer than the server allows; raise max_execution_time for the profile of the user',
  '164': setting,
  '192': entry,
  '193': entry,
  '194': entry,
  '241':
    'the query needed more memory than it may use; raise max_memory_usage, or set max_bytes_before_external_group_by',
  '307': 'a limit of the user was reached; raise max_bytes_to_read for its profile',
  '396': 'a limit of the user was reached; raise max_result_rows for its profile',
  '452': setting,
  '497': 'the user may not read it; grant SELECT on the table or view',
  '516': entry,
};

/** A table that is not there, which may be a copy of a session that is gone. */
class MissingTable extends InputError {
  constructor(
    shown: string,
    readonly code: string,
  ) {
    super(`${shown}: there is no such table; check its name (${code})`);
  }
}

/** What to tell of an error of ClickHouse: its code. Its text quotes values. */
const refusal = (shown: string, text: string, status = 0): Error => {
  const code = /Code: (\d+)/.exec(text)?.[1] ?? (status === 0 ? 'unknown' : `HTTP ${status}`);
  if (passing.has(code) || isBusy(status)) return new LostConnection(shown, code);
  if (code === '60') return new MissingTable(shown, code);
  const what = advice[code];
  return what === undefined
    ? new Error(`${shown}: ClickHouse could not answer (${code})`)
    : new InputError(`${shown}: ${what} (${code})`);
};

const columnOf = (name: string, type: string): Column => {
  const sql = clickhouse.identifier(name);
  const own = type.replace(/^LowCardinality\((.*)\)$/, '$1');
  const bare = own.replace(/^Nullable\((.*)\)$/, '$1');
  const isNeverNull = own === bare;
  // A moment names different days in different zones: its text, in UTC, decides.
  if (/^DateTime/.test(bare)) return { name, type, kind: 'text', sql: `toTimeZone(${sql}, 'UTC')` };
  return { name, type, kind: kindOf(bare), sql, isNeverNull };
};

const kindOf = (type: string): ColumnKind => {
  if (/^U?Int(8|16|32|64)$/.test(type)) return 'integer';
  if (/^(Float|BFloat)\d+$/.test(type)) return 'double';
  if (type === 'Bool') return 'boolean';
  if (/^Date(32)?$/.test(type)) return 'date';
  return /^(String|FixedString|U?Int\d+|Decimal|Enum|UUID|IPv)/.test(type) ? 'text' : 'nested';
};
