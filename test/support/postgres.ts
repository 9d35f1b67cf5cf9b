import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type PostgresServer, startPostgres } from '../../bench/engines/postgres.js';

export { killPostgres, type PostgresServer, startPostgres } from '../../bench/engines/postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what test files share in one run. */
    shared: string;
  }
}

/** The server that all test files of a run share: the first that asks starts it, the end of the run stops it. Make a database of your own in it (`freshDatabase`). */
export const sharedPostgres = async (): Promise<PostgresServer> => {
  const folder = path.join(inject('shared'), 'postgres');
  const told = path.join(folder, 'server.json');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const { child, ...server } = await startPostgres(folder);
    child.unref();
    await writeFile(`${told}.new`, JSON.stringify(server));
    await cp(`${told}.new`, told);
    return server;
  }
  for (let tries = 0; tries < 600; tries++) {
    const text = await readFile(told, 'utf8').catch(() => '');
    if (text.endsWith('}')) return JSON.parse(text) as PostgresServer;
    await sleep(100);
  }
  throw new Error('postgres: another test file was to start the server, and it did not within a minute');
};

const login = ({ host, port, user, password }: PostgresServer) => ({ host, port, user, password });

let databases = 0;

/** A database that nobody else has: how to connect to it, as `pg` takes it. */
export const freshDatabase = async (
  server: PostgresServer,
): Promise<{ host: string; port: number; user: string; password: string; database: string }> => {
  const database = `test_${process.pid}_${++databases}`;
  const client = new pg.Client({ ...login(server), database: 'postgres' });
  await client.connect();
  await client.query(`CREATE DATABASE ${database} TEMPLATE template0`);
  await client.end();
  return { ...login(server), database };
};
