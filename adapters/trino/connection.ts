import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { InputError } from '../../src/domain/input-error.js';
import { reachAgain } from '../sql/again.js';
import { type Connection, LostConnection, type QueryOptions, type SqlValue } from '../sql/connection.js';
import { httpRequest, isBusy } from '../sql/http.js';
import type { Column, ColumnKind } from '../sql/sql-table.js';
import { trino } from './dialect.js';

export interface TrinoOptions {
  /** Of the coordinator: http://localhost:8080, https://host:8443. */
  readonly url: URL;
  readonly user: string;
  /** Sent over TLS only. */
  readonly password?: string | undefined;
  /** A bearer's token in the place of a password, sent over TLS only. */
  readonly token?: string | undefined;
  /** Where the tables of a query are that names no catalog and no schema. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** What messages call the place, without credentials. */
  readonly shown: string;
  /** Whether what is asked about is known to stay as it is: a version of a table (FOR VERSION AS OF), or one that nobody writes to. */
  readonly isFixed?: boolean | undefined;
  /** Milliseconds to go on trying to reach a coordinator that was lost; half a minute unless told. */
  readonly patience?: number | undefined;
}

/** One page of an answer (Trino's client protocol). */
const page = v.object({
  nextUri: v.optional(v.string()),
  columns: v.optional(v.array(v.object({ name: v.string(), type: v.string() }))),
  data: v.optional(v.array(v.array(v.unknown()))),
  error: v.optional(v.object({ errorName: v.optional(v.string()), errorType: v.optional(v.string()) })),
});
type Page = v.InferOutput<typeof page>;

/** How often, and after how long, a coordinator that has too much to do is asked again before it counts as lost. */
const BUSY = { tries: 20, pause: 100 };

/** Trino over its client protocol: a statement is posted, and its answer fetched page by page. */
export const trinoConnection = async (options: TrinoOptions): Promise<Connection> => {
  const { url, user, password, token, catalog, schema, shown, isFixed = false, patience = 30_000 } = options;
  if ((password ?? token) !== undefined && url.protocol !== 'https:')
    throw new InputError(
      `${shown}: a password or token must travel encrypted, got a connection without TLS; use TLS, or take TRINO_PASSWORD and TRINO_ACCESS_TOKEN away`,
    );
  const secret =
    token === undefined ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : `Bearer ${token}`;
  const headers: Readonly<Record<string, string>> = {
    'X-Trino-User': user,
    'X-Trino-Source': 'surmise',
    'X-Trino-Time-Zone': 'UTC',
    ...(catalog === undefined ? {} : { 'X-Trino-Catalog': catalog }),
    ...(schema === undefined ? {} : { 'X-Trino-Schema': schema }),
    ...((password ?? token) === undefined ? {} : { Authorization: secret }),
  };

  const ask = async (
    method: 'GET' | 'POST',
    place: string,
    { body, signal }: { readonly body?: string; readonly signal?: AbortSignal | undefined },
  ): Promise<Page> => {
    for (let tries = 0; ; tries++) {
      const { status, text } = await httpRequest(shown, new URL(place, url), { method, headers, body, signal });
      if (status === 200) return pageOf(shown, text);
      if (!isBusy(status)) throw refusal(shown, `HTTP ${status}`);
      if (tries === BUSY.tries) throw new LostConnection(shown, `HTTP ${status}`);
      await sleep(BUSY.pause, undefined, signal === undefined ? {} : { signal });
    }
  };

  const run = async (
    sql: string,
    { signal, onRow }: QueryOptions,
    onColumns: (columns: NonNullable<Page['columns']>) => void = () => undefined,
  ): Promise<void> => {
    signal?.throwIfAborted();
    let next: string | undefined;
    try {
      let answer = await ask('POST', '/v1/statement', { body: sql, signal });
      for (let isNamed = false; ; ) {
        next = answer.nextUri === undefined ? undefined : onServer(answer.nextUri);
        if (answer.error !== undefined) throw refusal(shown, answer.error.errorName, answer.error.errorType);
        if (answer.columns !== undefined && !isNamed) {
          isNamed = true;
          onColumns(answer.columns);
        }
        for (const row of answer.data ?? []) onRow(row as SqlValue[]);
        if (next === undefined) return;
        answer = await ask('GET', next, { signal });
      }
    } catch (error) {
      // Cancelling here cancels there.
      if (next !== undefined)
        await httpRequest(shown, new URL(next, url), {
          method: 'DELETE',
          headers,
          signal: AbortSignal.timeout(5000),
        }).catch(() => undefined);
      signal?.throwIfAborted();
      throw error;
    }
  };

  return {
    dialect: trino,
    shown,
    isFixed,
    query: (sql, asked) => run(sql, asked),
    columns: async (from, asked) => {
      let found: Column[] = [];
      await run(`SELECT * FROM ${from} LIMIT 0`, { ...asked, onRow: () => undefined }, (columns) => {
        found = columns.map(({ name, type }) => columnOf(name, type));
      });
      return found;
    },
    recover: async (asked) => {
      await reachAgain(shown, patience, () => run('SELECT 1', { ...asked, onRow: () => undefined }), asked);
      return isFixed;
    },
    close: async () => undefined,
  };
};

/** The next page is asked of the server that was named, whatever it calls itself behind a proxy: secrets go nowhere else. */
const onServer = (uri: string): string => {
  const { pathname, search } = new URL(uri);
  return `${pathname}${search}`;
};

/** What a parser says of an answer would quote it. */
const pageOf = (shown: string, text: string): Page => {
  try {
    return v.parse(page, JSON.parse(text));
  } catch {
    throw new Error(`${shown}: must answer as Trino does, got something else; check that a coordinator is there`);
  }
};

/** Errors of a cluster that lost a worker, has too few, or is on its way up: the same query may succeed. */
const passing =
  /^(REMOTE_TASK_(ERROR|MISMATCH|FAILED)|REMOTE_HOST_GONE|NODE_DISAPPEARED|NO_NODES_AVAILABLE|PAGE_TRANSPORT_(ERROR|TIMEOUT)|TOO_MANY_REQUESTS_FAILED|SERVER_(SHUTTING_DOWN|STARTING_UP)|CLUSTER_OUT_OF_MEMORY|EXCHANGE_\w+|GENERIC_INTERNAL_ERROR|ABANDONED_(QUERY|TASK)|HTTP 410)$/;

const advice: Readonly<Record<string, string>> = {
  TABLE_NOT_FOUND: 'there is no such table; check its name',
  SCHEMA_NOT_FOUND: 'there is no such schema; check its name',
  CATALOG_NOT_FOUND: 'there is no such catalog; check its name',
  COLUMN_NOT_FOUND: 'there is no such column; check the schema against the table',
  PERMISSION_DENIED: 'the user may not read it; grant SELECT on the table or view',
  QUERY_TEXT_TOO_LARGE: 'the query is longer than the cluster allows; raise query.max-length',
  EXCEEDED_LOCAL_MEMORY_LIMIT: 'a worker ran out of memory; raise query.max-memory-per-node, or ask for less at a time',
  EXCEEDED_GLOBAL_MEMORY_LIMIT: 'the cluster ran out of memory; raise query.max-memory, or ask for less at a time',
  EXCEEDED_TIME_LIMIT: 'the query took longer than the cluster allows; raise query.max-run-time',
  'HTTP 401': 'the coordinator did not let the user in; check the user and TRINO_PASSWORD or TRINO_ACCESS_TOKEN',
  'HTTP 403': 'the coordinator did not let the user in; check the user and TRINO_PASSWORD or TRINO_ACCESS_TOKEN',
};

/** What to tell of an error of Trino: its name. Its text quotes values. */
const refusal = (shown: string, name = 'unknown', type = ''): Error => {
  if (passing.test(name)) return new LostConnection(shown, name);
  const what = advice[name];
  if (what !== undefined) return new InputError(`${shown}: ${what} (${name})`);
  return type === 'USER_ERROR'
    ? new InputError(`${shown}: Trino could not understand the query (${name}); check the query of your own`)
    : new Error(`${shown}: Trino could not answer (${name})`);
};

const columnOf = (name: string, type: string): Column => {
  const sql = trino.identifier(name);
  // A moment names different days in different zones: here, those of UTC.
  if (/^timestamp.*with time zone$/.test(type))
    return { name, type, kind: 'date', sql: `CAST(${sql} AT TIME ZONE 'UTC' AS timestamp(6))` };
  return { name, type, kind: kindOf(type), sql };
};

const kindOf = (type: string): ColumnKind => {
  if (/^(tinyint|smallint|integer|bigint)$/.test(type)) return 'integer';
  if (/^(real|double)$/.test(type)) return 'double';
  if (type === 'boolean') return 'boolean';
  if (/^(date|timestamp(\(\d+\))?)$/.test(type)) return 'date';
  return /^(varchar|char|decimal|uuid|ipaddress|time\b)/.test(type) ? 'text' : 'nested';
};
