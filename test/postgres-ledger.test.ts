import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LedgerDatabase, postgresDatabase } from '../adapters/ledger/postgres-database.js';
import {
  createPostgresLedger,
  isSamePostgres,
  postgresLedger,
  postgresPlace,
  postgresStore,
} from '../adapters/ledger/postgres-ledger.js';
import { appendStatement, tableOf } from '../adapters/ledger/postgres-statements.js';
import { oneAct } from '../experiments/audit/one-act.js';
import { parseAmount, zeroAmount } from '../src/privacy/accounting/amount.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { inspectLedger } from '../src/privacy/ledger/inspect-ledger.js';
import { rational } from '../src/privacy/rational.js';
import { killSuite } from './support/ledger-kill-suite.js';
import { type LedgerServer, startLedgerServer } from './support/ledger-postgres.js';
import { ledgerSuite } from './support/ledger-suite.js';
import { people } from './support/people.js';
import { runHere } from './support/run-here.js';
import { folderWith } from './support/surmise.js';

const dataset = 'kill test';
const budget = budgetOf({ epsilon: 1 });
const tenth = parseAmount('0.1');
const charges = [{ kind: 'exponential', epsilon: rational(1, 10) }] as const;

let server: LedgerServer;
let counter = 0;
/** A ledger that is not there yet, as the superuser or another role comes to it. */
const fresh = () => `${server.url()}?ledger=l${counter++}`;
const nameIn = (place: string) => postgresPlace(place).ledger;
const as = (user: string, place: string) => `${server.url({ user })}?ledger=${nameIn(place)}`;
/** What every role comes in with, as a person would have it in the environment. */
const secret = () => process.env.PGPASSWORD;
/** The rows of a ledger, removed or changed behind its back: the trigger must be switched off for that. */
const tamper = (place: string, statement: string) =>
  server.sql(
    `BEGIN; SET LOCAL session_replication_role = replica; ${statement.replaceAll('$ledger', `'${nameIn(place)}'`)}; COMMIT`,
  );

beforeAll(async () => {
  server = await startLedgerServer();
  await createPostgresLedger(fresh(), { dataset, budget });
});
afterAll(() => server.close());

ledgerSuite('a ledger in PostgreSQL', async () => {
  const place = fresh();
  return {
    create: (name, total) => createPostgresLedger(place, { dataset: name, budget: total }),
    reopen: (name) => postgresLedger(place, { dataset: name }),
  };
});

describe('making and opening', () => {
  test('a ledger is made once, and so is the table, by however many at once; a second attempt changes nothing', async () => {
    await server.sql('CREATE DATABASE several');
    const place = `${server.url({ database: 'several' })}?ledger=one`;
    const opened = await Promise.all(
      [1, 2, 3, 4].map((epsilon) => postgresLedger(place, { dataset, budget: budgetOf({ epsilon }) })),
    );
    expect(new Set(opened.map((ledger) => ledger.budget.total)).size).toBe(1);
    await expect(createPostgresLedger(place, { dataset, budget })).rejects.toThrow(/a ledger is made once; its total/);
    // Others have their ledgers in the same table.
    const two = await createPostgresLedger(place.replace('one', 'two'), { dataset, budget });
    await oneAct(two, { amount: tenth, what: 'x' });
    expect((await opened[0].status()).spent).toBe(zeroAmount);
  });

  test('what is not there is said in a sentence with its code and no secret', async () => {
    const said = (place: string) =>
      postgresLedger(place).then(
        () => 'opened',
        (error) => error.message as string,
      );
    expect(await said(fresh())).toMatch(/^ledger postgres:.*must exist, got no such ledger in that database; check/);
    expect(await said(`${server.url({ database: 'template1' })}?ledger=x`)).toMatch(/got no table of ledgers there/);
    expect(await said(`${server.url({ database: 'none' })}?ledger=x`)).toMatch(/got 3D000; check the name/);
    expect(await said(`${server.url({ user: 'nobody' })}?ledger=x`)).toMatch(/got 28P01; check the user/);
    expect(await said('postgres://127.0.0.1:1/x?ledger=x')).toMatch(/got ECONNREFUSED; check the host and the port/);
    expect(await said(server.url())).toMatch(/must name the ledger.*add \?ledger=NAME/);
    expect(await said(`${server.url()}?ledger=x&sslmode=require`)).toMatch(/got a server without TLS/);
    for (const secret of ['postgres://me:hidden@h/d?ledger=x', 'postgres://h/d?ledger=x&password=hidden']) {
      expect(await said(secret)).toMatch(/must hold no password.*PGPASSWORD/);
      expect(await said(secret)).not.toContain('hidden');
    }
  });

  test('SELECT and INSERT are enough, and nobody changes or removes a record, the owner neither', async () => {
    const place = fresh();
    await createPostgresLedger(place, { dataset, budget });
    await server.sql(
      `CREATE ROLE spender LOGIN PASSWORD '${secret()}'; CREATE ROLE reader LOGIN PASSWORD '${secret()}'`,
    );
    await server.sql('GRANT SELECT, INSERT ON surmise_ledger TO spender; GRANT SELECT ON surmise_ledger TO reader');
    const spender = await postgresLedger(as('spender', place), { dataset });
    await (await oneAct(spender, { amount: tenth, what: 'x' })).commit(charges);
    await createPostgresLedger(as('spender', fresh()), { dataset, budget });
    const reader = await postgresLedger(as('reader', place), { dataset });
    expect((await reader.status()).spent).toBe(tenth);
    await expect(oneAct(reader, { amount: tenth, what: 'x' })).rejects.toThrow(/was not recorded, got 42501; ask for/);
    for (const statement of [
      'DELETE FROM surmise_ledger',
      'UPDATE surmise_ledger SET starts = 0',
      'TRUNCATE surmise_ledger',
    ])
      await expect(server.sql(statement)).rejects.toThrow(/a ledger only grows/);
  });

  test('a commit waits for the disk whatever the role was set to; a server that does not write is refused', async () => {
    await server.sql(`CREATE ROLE hasty LOGIN PASSWORD '${secret()}'; ALTER ROLE hasty SET synchronous_commit = off`);
    await server.sql('GRANT SELECT, INSERT ON surmise_ledger TO hasty');
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url({ user: 'hasty' }) });
    await client.connect();
    await client.query('BEGIN');
    await client.query(appendStatement('public'), ['never', 0, Buffer.from('x'), tableOf('public')]);
    expect((await client.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]);
    await client.query('ROLLBACK');
    expect((await client.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }]);
    await client.end();
    const place = fresh();
    await server.sql('ALTER TABLE surmise_ledger SET UNLOGGED');
    await expect(createPostgresLedger(place, { dataset, budget })).rejects.toThrow(/writes to its disk/);
    await server.sql('ALTER TABLE surmise_ledger SET LOGGED');
    await createPostgresLedger(place, { dataset, budget });
  });

  test('rows that are missing or changed are damage, with their line', async () => {
    const damaged = async (statement: string) => {
      const place = fresh();
      const ledger = await createPostgresLedger(place, { dataset, budget });
      await (await oneAct(ledger, { amount: tenth, what: 'x' })).commit(charges);
      await tamper(place, statement);
      return inspectLedger(postgresStore(place)).then(
        ({ damage }) => damage?.line,
        (error) => error.line,
      );
    };
    const second = '(SELECT min(starts) FROM surmise_ledger WHERE ledger = $ledger AND starts > 0)';
    expect(await damaged(`DELETE FROM surmise_ledger WHERE ledger = $ledger AND starts = ${second}`)).toBe(2);
    expect(await damaged('DELETE FROM surmise_ledger WHERE ledger = $ledger AND starts = 0')).toBe(1);
    const flip = 'UPDATE surmise_ledger SET line = set_byte(line, 40, 1 # get_byte(line, 40)) WHERE ledger = $ledger';
    expect(await damaged(`${flip} AND starts = ${second}`)).toBe(2);
    const place = fresh();
    const ledger = await createPostgresLedger(place, { dataset, budget });
    await oneAct(ledger, { amount: tenth, what: 'x' });
    await tamper(place, 'DELETE FROM surmise_ledger WHERE ledger = $ledger AND starts > 0');
    await expect(ledger.status()).rejects.toThrow(/must only grow/);
  });

  test('an address is compared by where it leads, whoever comes in', async () => {
    const one = 'postgres://me@h/d?ledger=a';
    expect(await isSamePostgres(one, 'postgresql://you@h:5432/d?ledger=a&schema=public')).toBe(true);
    expect(await isSamePostgres('postgres:///d?ledger=a&host=127.0.0.1', 'postgres://localhost/d?ledger=a')).toBe(true);
    for (const other of ['g/d?ledger=a', 'h/e?ledger=a', 'h/d?ledger=b', 'h/d?ledger=a&schema=s', 'h:1/d?ledger=a'])
      expect(await isSamePostgres(one, `postgres://me@${other}`)).toBe(false);
  });
});

/** The real database, whose connection breaks at the n-th record: before the server has it, or after, so that nobody hears the answer. */
const breaking = (place: string, nth: number, when: 'before' | 'after'): LedgerDatabase => {
  const { query } = postgresDatabase(postgresPlace(place).address);
  let appends = 0;
  return {
    query: async (statement, values) => {
      const breaks = statement === appendStatement('public') && ++appends === nth;
      if (!breaks) return query(statement, values);
      if (when === 'after') await query(statement, values);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  };
};

describe('connections that break', () => {
  test.each([
    ['before', 1],
    ['after', 1],
    ['before', 3],
    ['after', 3],
    ['after', 4],
  ] as const)(
    'one that ends %s the server has record %d: the record is there once, and nothing is void',
    async (when, nth) => {
      const place = fresh();
      await createPostgresLedger(place, { dataset, budget });
      const ledger = await postgresLedger(place, { dataset, database: breaking(place, nth, when) });
      await (await oneAct(ledger, { amount: parseAmount('0.5'), what: 'x' })).commit(charges);
      const { status, entries, damage } = await inspectLedger(postgresStore(place));
      expect([damage, status.spent, status.reserved]).toEqual([undefined, tenth, zeroAmount]);
      expect(entries.map(({ verdict }) => verdict)).toEqual(Array(5).fill('accepted'));
    },
  );

  test('whoever stops waits neither for a server that is away nor for one that does not answer', async () => {
    const place = fresh();
    await createPostgresLedger(place, { dataset, budget });
    const { query } = postgresDatabase(postgresPlace(place).address);
    for (const way of ['away', 'silent'] as const) {
      const stop = new AbortController();
      let isGone = false;
      let asked = 0;
      const database: LedgerDatabase = {
        query: (statement, values) => {
          if (!isGone) return query(statement, values);
          asked++;
          setTimeout(() => stop.abort(new Error('enough')), 20);
          return way === 'silent'
            ? new Promise(() => undefined)
            : Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
        },
      };
      const ledger = await postgresLedger(place, { dataset, database, signal: stop.signal });
      isGone = true;
      // Neither sleeps the quarter of a minute that a lost server is waited for, nor asks again.
      await expect(ledger.status()).rejects.toThrow(
        way === 'silent' ? /must answer before it is stopped/ : /got ECONNREFUSED/,
      );
      expect(asked, way).toBe(1);
    }
  });

  test('while another takes its place: the record is written behind it', async () => {
    const place = fresh();
    await createPostgresLedger(place, { dataset, budget });
    const other = await postgresLedger(place, { dataset });
    const { query } = postgresDatabase(postgresPlace(place).address);
    let appends = 0;
    const database: LedgerDatabase = {
      query: async (statement, values) => {
        if (statement === appendStatement('public') && ++appends === 1) {
          await oneAct(other, { amount: tenth, what: 'first' });
          throw Object.assign(new Error('gone'), { code: '57P01' });
        }
        return query(statement, values);
      },
    };
    const ledger = await postgresLedger(place, { dataset, database });
    await oneAct(ledger, { amount: tenth, what: 'second' });
    const { status, entries } = await inspectLedger(postgresStore(place));
    expect(status.spent).toBe(parseAmount('0.2'));
    expect(entries.map(({ verdict }) => verdict)).toEqual(Array(5).fill('accepted'));
  });

  test('a ledger whose making was not answered is made', async () => {
    const place = fresh();
    const database = breaking(place, 1, 'after');
    await database.query('SELECT 1', []);
    const met: LedgerDatabase = {
      query: (statement, values) =>
        database.query(statement, values).catch((error) => {
          // Whoever never met the server is told at once, so this one has met it.
          if (error.code === 'ECONNRESET') return database.query(statement, values);
          throw error;
        }),
    };
    const ledger = await createPostgresLedger(place, { dataset, budget, database: met });
    expect((await ledger.status()).records).toBe(1);
  });

  test('a server that crashes and starts anew in the middle: the holder goes on, and every grant is there', async () => {
    const place = fresh();
    const ledger = await createPostgresLedger(place, { dataset, budget });
    const spend = async () => {
      for (let i = 0; i < 10; i++) await (await oneAct(ledger, { amount: tenth, what: `${i}` })).commit(charges);
    };
    const spent = spend();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await server.crash();
    await server.start();
    // Connections that were idle are ended by the administrator.
    await server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'surmise'");
    await spent;
    const { status, entries, damage } = await inspectLedger(postgresStore(place));
    expect([damage, status.remaining, status.reserved]).toEqual([undefined, zeroAmount, zeroAmount]);
    expect(entries.every(({ verdict }) => verdict === 'accepted')).toBe(true);
    expect(entries).toHaveLength(41);
  });
});

describe('surmise with a ledger in PostgreSQL', () => {
  test('init, show, raise, verify and end speak of it as of a file', async () => {
    const folder = await folderWith({});
    const place = fresh();
    expect(await runHere(folder, 'ledger', 'init', place, '--epsilon', '1', '--pure')).toMatchObject({ code: 0 });
    expect(await runHere(folder, 'ledger', 'init', place, '--epsilon', '1')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must not exist yet, got one of that name there; a ledger is made once/),
    });
    const ledger = await postgresLedger(place);
    const run = await ledger.run({ amount: tenth, what: 'left', release: 'a'.repeat(32), seeded: false });
    expect((await runHere(folder, 'ledger', 'show', place)).out).toContain(`surmise ledger end '${place}' ${run.id}`);
    expect(await runHere(folder, 'ledger', 'end', place, String(run.id))).toMatchObject({ code: 0 });
    const raise = ['ledger', 'raise', place, '--epsilon', '2', '--reason', 'a second wave'];
    expect(await runHere(folder, ...raise)).toMatchObject({ code: 0 });
    expect((await runHere(folder, 'ledger', 'verify', place)).out).toMatch(/: sound/);
    await tamper(place, 'DELETE FROM surmise_ledger WHERE ledger = $ledger AND starts = 0');
    expect(await runHere(folder, 'ledger', 'verify', place)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/DAMAGED at line 1/),
    });
  });

  test('a release spends from it, a note leads the next one there, and nothing tells a secret', async () => {
    const folder = await folderWith({ 'public.csv': people(300, 0), 'private.csv': people(300, 2) });
    const place = fresh();
    const release = ['release', 'private.csv', '--public', 'public.csv', '--exclude', 'who', '--epsilon', '1'];
    const quick = ['--workload', 'all-2way', '--bootstrap', '0'];
    const secret = place.replace('postgres@', 'postgres:hidden@');
    const refused = await runHere(folder, ...release, ...quick, '-o', 'out', '--ledger', secret);
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/must hold no password/) });
    expect(refused.out + refused.err).not.toContain('hidden');
    expect((await readdir(folder)).sort()).toEqual(['private.csv', 'public.csv']);
    const made = await runHere(folder, ...release, ...quick, '-o', 'out', '--ledger', place);
    expect(made.code).toBe(0);
    expect(made.out).toContain(`surmise verify out --ledger '${place}'`);
    expect(await runHere(folder, 'verify', 'out', '--ledger', place)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(path.join(folder, 'private.csv.ledger-place.json'), 'utf8')).ledger).toBe(place);
    // The total of the first release is spent, wherever the second one is told to look.
    const again = await runHere(folder, ...release, ...quick, '-o', 'again');
    expect(again).toMatchObject({ code: 2, err: expect.stringMatching(/epsilon 0/) });
    const second = await runHere(folder, ...release, ...quick, '-o', 'again', '--ledger', fresh());
    expect(second).toMatchObject({ code: 2, err: expect.stringMatching(/would be a second budget of private.csv/) });
    const taken = await runHere(folder, 'schema', 'private.csv');
    expect(taken).toMatchObject({ code: 2, err: expect.stringMatching(/has a ledger/) });
  });
});

killSuite('processes that are killed on a ledger in PostgreSQL', {
  fresh,
  kills: 6,
  width: 4,
  every: 2,
  stepsOfOnce: 12,
  gone: (place) => tamper(place, 'DELETE FROM surmise_ledger WHERE ledger = $ledger'),
});
