import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/domain/input-error.js';
import { reachAgain } from '../sql/again.js';
import { type Connection, LostConnection, type QueryOptions } from '../sql/connection.js';
import type { Column, ColumnKind } from '../sql/sql-table.js';
import { type ArrowField, readArrow } from './arrow.js';
import { sail, spark } from './dialect.js';
import { GrpcError, type GrpcOptions, grpcOver, UNAVAILABLE } from './grpc.js';
import { fieldsOf, message } from './protobuf.js';

export interface SparkOptions {
  /** Of a Spark Connect server: Spark, Sail, Databricks. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly user?: string | undefined;
  /** A bearer's token, sent over TLS only. */
  readonly token?: string | undefined;
  /** What messages call the place, without credentials. */
  readonly shown: string;
  /** Whether what is asked about is known to stay as it is: a version of a table (VERSION AS OF), or one that nobody writes to. */
  readonly isFixed?: boolean | undefined;
  /** Milliseconds to go on trying to reach a server that was lost; half a minute unless told. */
  readonly patience?: number | undefined;
}

/** How often a query that is stopped is interrupted, with so many milliseconds between, as long as the server knows of it. */
const INTERRUPTS = { most: 6, pause: 500 };

/** How this program calls itself. */
const client = 'surmise';

/** Spark over Spark Connect: a query is sent as SQL, and its answer comes as a stream of Arrow batches. */
export const sparkConnection = async (options: SparkOptions): Promise<Connection> => {
  const { host, port, tls, token, user = 'surmise', shown, isFixed = false, patience = 30_000 } = options;
  if (token !== undefined && !tls)
    throw new InputError(`${shown}: a token must travel encrypted, got a connection without TLS; use TLS`);
  const place = host.includes(':') ? `[${host}]` : host;
  const server = grpcOver(
    new URL(`${tls ? 'https' : 'http'}://${place}:${port}`),
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  );
  let session = randomUUID();
  let begun = false;
  let closed = false;
  let dialect = spark;
  const who = message([1, user]);

  const call = async (method: string, asked: Uint8Array, how?: GrpcOptions): Promise<void> => {
    try {
      await server.call(`/spark.connect.SparkConnectService/${method}`, asked, how);
    } catch (error) {
      throw error instanceof GrpcError ? refusal(shown, error) : error;
    }
  };

  const run = async (
    sql: string,
    { signal, onRow }: QueryOptions,
    onFields: (fields: readonly ArrowField[]) => void = () => undefined,
  ): Promise<void> => {
    const operation = randomUUID();
    const plan = message([1, message([10, message([1, sql])])]);
    const asked = message([1, session], [2, who], [3, plan], [4, client], [6, operation]);
    // Cancelling here cancels there. Spark overhears it while it begins a stage, and is told again.
    const interrupt = async (): Promise<void> => {
      const ended = message([1, session], [2, who], [3, client], [4, 3], [6, operation]);
      for (let tries = 0; tries < INTERRUPTS.most && !closed; tries++) {
        let isKnown = false;
        await call('Interrupt', ended, {
          onMessage: (answer) => {
            isKnown ||= fieldsOf(answer).has(2);
          },
        });
        if (!isKnown) return;
        await sleep(INTERRUPTS.pause);
      }
    };
    const stop = (): void => void interrupt().catch(() => undefined);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await call('ExecutePlan', asked, {
        signal,
        onMessage: (answer) => {
          const batch = fieldsOf(answer).get(2);
          if (batch === undefined) return;
          const { fields, rows } = readArrow(fieldsOf(batch).get(2) ?? new Uint8Array());
          onFields(fields);
          for (const row of rows) onRow(row);
        },
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  /** Begins a session: days of moments are those of UTC, and what is cached is let go of with it. */
  const begin = async (signal: AbortSignal | undefined): Promise<void> => {
    if (begun) return;
    const pair = message([1, 'spark.sql.session.timeZone'], [2, 'UTC']);
    await call('Config', message([1, session], [2, who], [3, message([1, message([1, pair])])], [4, client]), {
      signal,
    });
    begun = true;
  };

  const query = async (sql: string, asked: QueryOptions, onFields?: Parameters<typeof run>[2]): Promise<void> => {
    asked.signal?.throwIfAborted();
    await begin(asked.signal);
    await run(sql, asked, onFields);
  };

  /** Spark tells its version with the revision that it was built of; Sail tells its own alone. */
  const recognise = (signal: AbortSignal | undefined): Promise<void> =>
    query('SELECT version()', {
      signal,
      onRow: ([version]) => {
        dialect = String(version).includes(' ') ? spark : sail;
      },
    });

  return {
    get dialect() {
      return dialect;
    },
    shown,
    isFixed,
    query: (sql, asked) => query(sql, asked),
    columns: async (from, asked) => {
      let found: Column[] = [];
      await recognise(asked?.signal);
      await query(`SELECT * FROM ${from} LIMIT 0`, { ...asked, onRow: () => undefined }, (fields) => {
        found = fields.map(({ name, type, bits, isSigned }) => ({
          name,
          type,
          kind: kindOf(type),
          sql: spark.identifier(name),
          bits: isSigned && bits > 0 ? bits : undefined,
        }));
      });
      return found;
    },
    recover: async (asked) => {
      // The session may be gone with the server.
      session = randomUUID();
      begun = false;
      await reachAgain(shown, patience, () => query('SELECT 1', { ...asked, onRow: () => undefined }), asked);
      return isFixed;
    },
    close: async () => {
      closed = true;
      const signal = AbortSignal.timeout(2000);
      await call('ReleaseSession', message([1, session], [2, who], [3, client]), { signal }).catch(() => undefined);
      server.close();
    },
  };
};

/** What to tell of an error of Spark: its class, or gRPC's code. Its text quotes values. */
const refusal = (shown: string, { status: code, details }: GrpcError): Error => {
  const [cancelled, unknown, invalid, expired, missing] = [1, 2, 3, 4, 5];
  const [denied, exhausted, aborted, internal, unauthenticated] = [7, 8, 10, 13, 16];
  const name = /\[([A-Z][A-Z0-9_.]+)\]/.exec(details)?.[1] ?? `gRPC ${code}`;
  if ([UNAVAILABLE, aborted, expired, cancelled].includes(code) || /SESSION|OPERATION_NOT_FOUND/.test(name))
    return new LostConnection(shown, name);
  if (code === unauthenticated || code === denied)
    return new InputError(`${shown}: the server did not let the user in (${name}); check SPARK_CONNECT_TOKEN`);
  if (/TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND/.test(name) || code === missing)
    return new InputError(`${shown}: there is no such table (${name}); check its name`);
  if (/UNRESOLVED_COLUMN/.test(name))
    return new InputError(`${shown}: there is no such column (${name}); check the schema against the table`);
  if (/PARSE_SYNTAX_ERROR/.test(name) || code === invalid)
    return new InputError(`${shown}: Spark could not understand the query (${name}); check the query of your own`);
  // A stage that failed too often, or an executor that was lost for good: the same query may succeed on the others.
  if ((code === internal || code === unknown) && /executor|fetch failed|worker|heartbeat|Job aborted/i.test(details))
    return new LostConnection(shown, name);
  if (code === exhausted)
    return new InputError(`${shown}: the cluster ran out of memory (${name}); ask for less at a time`);
  return new Error(`${shown}: Spark could not answer (${name})`);
};

const kinds: Readonly<Record<string, ColumnKind>> = {
  int: 'integer',
  float: 'double',
  bool: 'boolean',
  date: 'date',
  timestamp: 'date',
  utf8: 'text',
  'large utf8': 'text',
  decimal: 'text',
};

const kindOf = (type: string): ColumnKind => kinds[type] ?? 'nested';
