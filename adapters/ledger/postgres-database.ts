import type { Pool } from 'pg';
import { loadPg } from '../postgres/load-pg.js';
import { postgresLogin, type ServerAddress } from '../postgres/postgres-login.js';

/** A database as a ledger sees it, so that tests can break it at every step. */
export interface LedgerDatabase {
  /** Carries out one statement, which is a transaction of its own, and gives its rows. */
  query(statement: string, values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** How long to wait for a connection, and for the answer to one statement. */
const connectingMs = 10_000;
const answeringMs = 60_000;

/** Idle connections are given back soon: a release works between its acts, and the next one is a moment away. */
const idleMs = 2_000;

/** Opens no connection yet; what there is of them does not keep the program running. */
export const postgresDatabase = (address: ServerAddress): LedgerDatabase => {
  let opening: Promise<Pool> | undefined;
  const open = async (): Promise<Pool> => {
    const { Pool } = await loadPg();
    const pool = new Pool({
      ...(await postgresLogin(address)),
      max: 2,
      connectionTimeoutMillis: connectingMs,
      query_timeout: answeringMs,
      idleTimeoutMillis: idleMs,
      allowExitOnIdle: true,
      keepAlive: true,
      application_name: 'surmise',
    });
    // An idle connection that the server ended: the next statement opens another.
    pool.on('error', () => undefined);
    return pool;
  };
  return {
    query: async (statement, values) => {
      opening ??= open();
      const pool = await opening;
      // Several statements in one, which is for those without values, have several results.
      return (await pool.query<Record<string, unknown>>(statement, [...values])).rows ?? [];
    },
  };
};
