import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/domain/input-error.js';
import { LedgerDamage } from '../../src/privacy/ledger/chain.js';
import { firstLine, ledgerTerms, type NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import { type StoredLedger, storedLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { postgresAddress } from '../postgres/postgres-address.js';
import type { ServerAddress } from '../postgres/postgres-login.js';
import { databaseIdentity } from '../postgres/postgres-place.js';
import { type LedgerDatabase, postgresDatabase } from './postgres-database.js';
import { adviceFor, isPassing, postgresCode } from './postgres-failure.js';
import { appendStatement, makeStatement, readStatement, rowStatement, tableOf } from './postgres-statements.js';

/** Waits between tries of a statement whose connection was lost: a server that starts anew is back within them. */
const waitsMs = [100, 300, 1000, 3000, 9000];

/** How long a statement is still waited for once its user wants to stop: what it was about may have to be given back. */
const stoppingMs = 5000;

/** A ledger in a PostgreSQL database, by its address: `postgres://host/database?ledger=name`. */
export interface PostgresPlace {
  readonly address: ServerAddress;
  readonly ledger: string;
  readonly schema: string;
}

export const postgresPlace = (place: string): PostgresPlace => {
  const address = postgresAddress(place, ['ledger', 'schema']);
  const ledger = address.parameters.get('ledger');
  if (ledger === undefined || ledger.trim() === '')
    throw new InputError(
      `ledger ${address.shown}: must name the ledger, since a database may hold several, got none; add ?ledger=NAME`,
    );
  return { address, ledger, schema: address.parameters.get('schema') ?? 'public' };
};

/** Whether two addresses lead to one ledger, whoever comes in. */
export const isSamePostgres = async (one: string, two: string): Promise<boolean> => {
  const [a, b] = await Promise.all(
    [one, two].map(async (place) => {
      const { address, ledger, schema } = postgresPlace(place);
      return [await databaseIdentity(address), schema, ledger].join('\n');
    }),
  );
  return a === b;
};

/** PostgreSQL's code for a server with as many connections as it may have. */
const crowded = '53300';

interface StoreOptions {
  /** Another than that of the address, for tests. */
  readonly database?: LedgerDatabase | undefined;
  /** Ends waits for a server that is away or does not answer. */
  readonly signal?: AbortSignal | undefined;
}

interface Opened {
  readonly name: string;
  readonly place: PostgresPlace;
  query(statement: string, values: readonly unknown[]): ReturnType<LedgerDatabase['query']>;
}

/**
 * The database with lost connections mended: a statement is sent again as it was, so it must be one that may be carried out
 * twice. What never answered at all is told at once.
 */
const opened = (given: string, { database, signal }: StoreOptions = {}): Opened => {
  const place = postgresPlace(given);
  const name = place.address.shown;
  const { query } = database ?? postgresDatabase(place.address);
  const stopping = (): InputError =>
    new InputError(
      `ledger ${name}: must answer before it is stopped, got none; a step that was recorded counts as spent`,
    );
  let met = false;
  return {
    name,
    place,
    query: async (statement, values) => {
      for (let tries = 0; ; tries++) {
        try {
          const rows = await within(query(statement, values), signal, stopping);
          met = true;
          return rows;
        } catch (error) {
          if (error instanceof InputError) throw error;
          const code = postgresCode(error);
          // A server that has no room for one more is there.
          if (!isPassing(code) || tries === waitsMs.length || !(met || code === crowded)) throw error;
          // Whoever stops waits for no server.
          await sleep(waitsMs[tries], undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
};

/** What a statement answers, or an error once its user has stopped and waited for it for a while. */
const within = <T>(answer: Promise<T>, signal: AbortSignal | undefined, stopping: () => Error): Promise<T> => {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      timer = setTimeout(() => reject(stopping()), stoppingMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  });
};

const refusal = (name: string, error: unknown, what: string): InputError => {
  if (error instanceof InputError) return error;
  const code = postgresCode(error);
  if (code === '42P01' || code === '3F000')
    return new InputError(`ledger ${name}: must exist, got no table of ledgers there`, { kind: 'make-ledger' });
  return new InputError(`ledger ${name}: ${what}, got ${code}; ${adviceFor(code)}`);
};

const notDurable = (name: string): InputError =>
  new InputError(
    `ledger ${name}: must be kept by a server that writes to its disk, got fsync off or an unlogged table; switch fsync on there`,
  );

/**
 * The bytes of a ledger in a table: a row for each append, with the place where it begins. The key is that place, so of
 * two that append at the same end one is refused by the server, and nothing of it is stored: it has lost the race. One statement
 * is one transaction, durable when it is answered. An answer that never came is asked for by sending the statement again: the record
 * holds a nonce, so the row at that place is this one, or another's.
 */
export const postgresStore = (given: string, options: StoreOptions = {}): LedgerStore => {
  const { name, place, query } = opened(given, options);
  const { ledger, schema } = place;
  /** The end of what was read last: where the next record belongs, which was checked against all before it. */
  let end: number | undefined;

  const read = async (from: number): Promise<Uint8Array<ArrayBuffer>> => {
    const found = await query(readStatement(schema), [ledger, from]).catch((error) => {
      throw refusal(name, error, 'must be open to you');
    });
    const rows = found.map(({ starts, line }) => ({ starts: Number(starts), line: line as Uint8Array }));
    if (rows.length === 0)
      throw new InputError(`ledger ${name}: must exist, got no such ledger in that database`, { kind: 'make-ledger' });
    const gap = rows.findIndex(({ starts }, i) =>
      i === 0 ? starts > from : starts !== rows[i - 1].starts + rows[i - 1].line.length,
    );
    // A gap is told with its line, for which all lines before it are read.
    if (gap >= 0 && from > 0) return (await read(0)).slice(from);
    if (gap >= 0) throw new LedgerDamage(name, gap + 1, 'the row before it is missing');
    const bytes = new Uint8Array(Buffer.concat(rows.map(({ line }) => line)));
    end = rows[0].starts + bytes.length;
    if (end < from) throw new InputError(`ledger ${name}: must only grow, got a shorter one; restore the latest copy`);
    return bytes.slice(from - rows[0].starts);
  };

  return {
    name,
    read,
    append: async (bytes) => {
      if (end === undefined) await read(0);
      try {
        const stored = await query(appendStatement(schema), [ledger, end, bytes, tableOf(schema)]);
        if (stored.length === 0) throw notDurable(name);
      } catch (error) {
        const code = postgresCode(error);
        // Another record has that place, or this one has it since an earlier try: reading again tells which.
        if (code !== '23505')
          throw refusal(
            name,
            error,
            isPassing(code)
              ? 'must be there to the end of a step, which counts as spent if it was recorded'
              : 'must be writable, and this step was not recorded',
          );
      }
      return { sync: async () => {}, close: async () => {} };
    },
  };
};

/** Whether the ledger is there. */
export const postgresLedgerExists = async (given: string, options: StoreOptions = {}): Promise<boolean> => {
  const { name, place, query } = opened(given, options);
  try {
    return (await query(rowStatement(place.schema), [place.ledger, 0])).length > 0;
  } catch (error) {
    if (['42P01', '3F000'].includes(postgresCode(error))) return false;
    throw refusal(name, error, 'must be open to you');
  }
};

/**
 * Makes a ledger in a database, once: refuses when there is one of this name. Makes the table of ledgers first where there is
 * none, which takes the right to make tables; otherwise SELECT and INSERT are enough.
 */
export const createPostgresLedger = async (
  given: string,
  { database, signal, ...terms }: NewLedger & StoreOptions,
): Promise<StoredLedger> => {
  const made = ledgerTerms(terms);
  const line = firstLine(made);
  const { name, place, query } = opened(given, { database, signal });
  const { schema, ledger } = place;
  const begin = () => query(appendStatement(schema), [ledger, 0, line, tableOf(schema)]);
  try {
    const stored = await begin().catch(async (error) => {
      if (postgresCode(error) !== '42P01') throw error;
      // Two that make the table at once meet in the server's catalogue, where one fails; the table is there for both.
      const failed = await query(makeStatement(schema), []).catch((failure) => failure);
      return begin().catch((again) => {
        throw postgresCode(again) === '42P01' ? failed : again;
      });
    });
    if (stored.length === 0) throw notDurable(name);
  } catch (error) {
    if (postgresCode(error) !== '23505') throw refusal(name, error, 'must be in a schema that is open to you');
    // The answer to the first try may have been lost; then the ledger that is there is this one.
    const [row] = await query(rowStatement(schema), [ledger, 0]);
    if (row === undefined || Buffer.compare(row.line as Uint8Array, line) !== 0)
      throw new InputError(`ledger ${name}: must not exist yet, got one of that name there`, { kind: 'set-once' });
  }
  return storedLedger(postgresStore(given, { database, signal }), { dataset: made.dataset });
};

/** Opens a ledger in a database; with a `budget`, makes it first if there is none. See `fileLedger`. */
export const postgresLedger = async (
  given: string,
  { dataset, budget, database, signal, ...terms }: Partial<NewLedger> & StoreOptions = {},
): Promise<StoredLedger> => {
  if (budget !== undefined && !(await postgresLedgerExists(given, { signal }))) {
    try {
      return await createPostgresLedger(given, { ...terms, dataset, budget, database, signal });
    } catch (error) {
      // Another process may have made it in the meantime; then that one counts.
      if (!(await postgresLedgerExists(given, { signal }))) throw error;
    }
  }
  return storedLedger(postgresStore(given, { database, signal }), { dataset });
};
