import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf } from '../src/domain/domain-of.js';
import { marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { killPostgres, type PostgresServer, startPostgres } from './support/postgres.js';
import { postgresSource } from './support/postgres-table.js';

/** A server that writes down all it can: every statement, how long it took, and those that fail. */
const talkative = [
  'logging_collector=on',
  'log_directory=told',
  'log_filename=all.log',
  'log_statement=all',
  'log_min_duration_statement=0',
  'log_min_messages=info',
  'log_min_error_statement=info',
  'log_temp_files=0',
];

let folder: string;
let server: PostgresServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-logs-'));
  await chmod(folder, 0o711);
  server = await startPostgres(folder, undefined, talkative);
  process.once('exit', () => {
    try {
      process.kill(server.pid, 'SIGQUIT');
    } catch {
      // It has ended.
    }
  });
});
afterAll(async () => {
  await killPostgres(server);
  await rm(folder, { recursive: true, force: true });
});

/** What the server wrote down since the last time; a statement of ours is waited for, since a process of its own writes. */
let heard = 0;
const written = async (): Promise<string> => {
  const mark = `mark ${Math.random()}`;
  await as({}, `SELECT '${mark}'`);
  const folderOfLogs = path.join(server.data, 'told');
  for (let tries = 0; tries < 1000; tries++) {
    await sleep(10);
    const texts = await Promise.all(
      (await readdir(folderOfLogs)).sort().map((name) => readFile(path.join(folderOfLogs, name), 'utf8')),
    );
    const text = texts.join('');
    if (!text.includes(mark)) continue;
    const fresh = text.slice(heard);
    heard = text.length;
    return fresh;
  }
  throw new Error('the server wrote nothing down');
};

const as = async (who: { user?: string; password?: string }, sql: string): Promise<void> => {
  const client = new pg.Client({ ...loginOf(), ...who });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};
const loginOf = () => ({
  host: server.host,
  port: server.port,
  user: server.user,
  password: server.password,
  database: 'postgres',
});

const domain = domainOf([
  { name: 'sex', type: 'category', values: ['f', 'm'] },
  { name: 'age', type: 'integer', min: 0, max: 99 },
]);

/** Opens, counts, and fails in the middle, as the role. */
const count = async (who: { user?: string; password?: string }): Promise<void> => {
  const login = { ...loginOf(), ...who };
  const options = { dataset: 'test', unit: { kind: 'row', maxRecords: 1 }, random: seeded(1) } as const;
  for (const copies of [false, true]) {
    const source = await postgresSource(login, 'persons', domain, { ...options, copies });
    expect((await source.counts([marginal('sex', 'age')]))[0].reduce((sum, n) => sum + n, 0)).toBe(3);
    await source.close();
  }
  await expect(postgresSource(login, 'failing', domain, options)).rejects.toThrow(/22P02/);
};

test('a server that logs all it can holds no count and no error of a role that may switch that off, and of another both', async () => {
  await as(
    {},
    `CREATE TABLE persons (sex text, age int); INSERT INTO persons VALUES ('f', 30), ('m', 40), ('m', 41);
     CREATE VIEW failing AS SELECT sex, ('SECRET' || age)::int AS age FROM persons;
     CREATE ROLE granted LOGIN PASSWORD 'x'; CREATE ROLE plain LOGIN PASSWORD 'x';
     GRANT SELECT ON persons, failing TO granted, plain;
     GRANT SET ON PARAMETER log_statement, log_min_duration_statement, log_min_error_statement, log_min_messages, log_duration, track_activities TO granted`,
  );
  await written();
  const isAbout = /FROM "?(public"?\."?)?(persons|failing)|GROUPING SETS|surmise_kept/i;
  for (const who of [{}, { user: 'granted', password: 'x' }]) {
    await count(who);
    const text = await written();
    // It did log, up to the moment when it was told not to.
    expect(text).toContain('set_config');
    expect(text).not.toMatch(isAbout);
    expect(text).not.toContain('SECRET3');
  }
  await count({ user: 'plain', password: 'x' });
  const text = await written();
  expect(text).toMatch(isAbout);
  expect(text).toContain('SECRET3');
});
