import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { killPostgres, startPostgres } from './postgres.js';

/** A PostgreSQL server that writes to its disk and may crash: one of a test file's own. */
export interface LedgerServer {
  /** The address of a database as a person would type it; the password of every role is in the environment. */
  url(options?: { readonly database?: string; readonly user?: string }): string;
  /** Runs statements as the superuser. */
  sql(statements: string): Promise<Record<string, unknown>[]>;
  /** Ends the server without a word to its clients. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and takes its folder away. */
  close(): Promise<void>;
}

const durably = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];

export const startLedgerServer = async (): Promise<LedgerServer> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'surmise-ledgers-'));
  await chmod(folder, 0o711);
  const first = await startPostgres(folder, undefined, durably);
  const { host, port, user: superuser, password } = first;
  let pid = first.pid;
  process.env.PGPASSWORD = password;
  // A test run that is stopped leaves no server behind.
  process.once('exit', () => {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended.
    }
  });
  return {
    url: ({ database = 'postgres', user = superuser } = {}) => `postgres://${user}@${host}:${port}/${database}`,
    sql: async (statements) => {
      const client = new pg.Client({ host, port, user: superuser, password, database: 'postgres' });
      client.on('error', () => undefined);
      await client.connect();
      try {
        const answer = (await client.query(statements)) as pg.QueryResult | pg.QueryResult[];
        return [answer].flat().at(-1)?.rows ?? [];
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    crash: () => killPostgres({ pid }),
    start: async () => {
      ({ pid } = await startPostgres(folder, first, durably));
    },
    close: async () => {
      await killPostgres({ pid });
      await rm(folder, { recursive: true, force: true });
    },
  };
};
