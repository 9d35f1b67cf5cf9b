import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { tableAddress } from '../sql/address.js';
import { postgresIdentity, tableLogin } from './postgres-place.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
  await writeFile(path.join(folder, 'ca.pem'), 'CERTIFICATE');
  await writeFile(
    path.join(folder, 'services'),
    '[other]\nhost=wrong\n# a remark\n[survey]\nhost=db.example\nport=5433\ndbname=kept\nuser=reader\npassword=a=b\nsslmode=require\n',
  );
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

const login = (name: string) => tableLogin(tableAddress(name));
const identity = (name: string) => postgresIdentity(tableAddress(name));

describe('a login', () => {
  test('has TLS with a checked certificate for other hosts, and none for this one, unless told', async () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', ''])
      expect((await login(`postgres://${host}/d?table=t`)).ssl).toBe(false);
    expect((await login('postgres://db.example/d?table=t')).ssl).toEqual({ rejectUnauthorized: true });
    // The modes that may go without are no reason to go without.
    expect((await login('postgres://db.example/d?table=t&sslmode=prefer')).ssl).toEqual({ rejectUnauthorized: true });
    expect((await login('postgres://db.example/d?table=t&sslmode=require')).ssl).toEqual({ rejectUnauthorized: false });
    expect((await login('postgres://db.example/d?table=t&sslmode=disable')).ssl).toBe(false);
    const ca = path.join(folder, 'ca.pem');
    expect((await login(`postgres://localhost/d?table=t&sslmode=verify-full&sslrootcert=${ca}`)).ssl).toEqual({
      rejectUnauthorized: true,
      ca: 'CERTIFICATE',
    });
    vi.stubEnv('PGSSLROOTCERT', ca);
    for (const mode of ['require', 'verify-ca'])
      expect((await login(`postgres://db.example/d?table=t&sslmode=${mode}`)).ssl).toMatchObject({
        rejectUnauthorized: true,
        checkServerIdentity: expect.any(Function),
      });
    vi.stubEnv('PGSSLROOTCERT', path.join(folder, 'none.pem'));
    await expect(login('postgres://db.example/d?table=t')).rejects.toThrow(/sslrootcert/);
  });

  test('takes from the environment and from a service what the address leaves out', async () => {
    vi.stubEnv('PGSERVICEFILE', path.join(folder, 'services'));
    expect(await login('postgres:///?table=t&service=survey')).toEqual({
      host: 'db.example',
      port: 5433,
      database: 'kept',
      user: 'reader',
      password: 'a=b',
      ssl: { rejectUnauthorized: false },
    });
    vi.stubEnv('PGSERVICE', 'survey');
    expect(await login('postgres://me@localhost:99/own?table=t&sslmode=disable')).toMatchObject({
      host: 'localhost',
      port: 99,
      database: 'own',
      user: 'me',
    });
    vi.stubEnv('PGSERVICE', '');
    vi.stubEnv('PGHOST', 'h.example');
    vi.stubEnv('PGDATABASE', 'd');
    vi.stubEnv('PGUSER', 'u');
    expect(await login('postgres:///?table=t')).toMatchObject({
      host: 'h.example',
      port: 5432,
      database: 'd',
      user: 'u',
    });
    vi.stubEnv('PGDATABASE', '');
    await expect(login('postgres:///?table=t')).rejects.toThrow(/must name the database/);
  });
});

test('a table has one identity under all names of this machine, whoever asks, and another at another place', async () => {
  const one = await identity('postgres://localhost/d?table=t');
  for (const same of [
    'postgresql://me@127.0.0.1:5432/d?table=public.t',
    'postgres://[::1]/d?table=t&sslmode=disable',
    'POSTGRES://LOCALHOST/d?schema=public&table=t',
  ])
    expect(await identity(same)).toBe(one);
  const others = ['localhost:5433/d?table=t', 'localhost/e?table=t', 'localhost/d?table=s.t', 'h.example/d?table=t'];
  expect(new Set(await Promise.all(others.map((other) => identity(`postgres://${other}`)))).add(one).size).toBe(5);
  // A dot within a name is no schema.
  expect(await identity('postgres://localhost/d?schema=a&table=b.c')).not.toBe(
    await identity('postgres://localhost/d?schema=a.b&table=c'),
  );
});
