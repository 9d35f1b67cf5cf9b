import { afterEach, expect, test, vi } from 'vitest';
import { isAddress, tableAddress } from '../sql/address.js';
import { trinoIdentity, trinoLogin, trinoTable } from './trino-place.js';

afterEach(() => vi.unstubAllEnvs());

const login = (name: string) => trinoLogin(tableAddress(name));
const identity = (name: string) => trinoIdentity(tableAddress(name));
const table = (name: string) => trinoTable(tableAddress(name));

test('a coordinator on this machine is reached as it is, another over TLS, unless told', () => {
  vi.stubEnv('TRINO_PASSWORD', 'secret');
  vi.stubEnv('TRINO_USER', 'reader');
  vi.stubEnv('TRINO_ACCESS_TOKEN', '');
  expect(login('trino://localhost/lake?table=s.t').url.href).toBe('http://localhost:8080/');
  expect(login('trino://me@trino.example/lake?table=released.persons')).toEqual({
    url: new URL('https://trino.example:443'),
    user: 'me',
    password: 'secret',
    token: undefined,
    catalog: 'lake',
    schema: 'released',
    shown: 'trino://trino.example/lake?table=released.persons',
    isFixed: false,
  });
  expect(login('trino://trino.example:8443/lake?table=s.t')).toMatchObject({ user: 'reader' });
  expect(login('trino://trino.example/lake?table=s.t&ssl=false').url.href).toBe('http://trino.example:8080/');
  expect(() => login('trino://trino.example/lake?table=s.t&ssl=no')).toThrow(/ssl must be true or false/);
});

test('a version, a time or a word says that the rows stay as they are', () => {
  for (const extra of ['version=12', 'timestamp=2026-01-01', 'fixed=true'])
    expect(login(`trino://h/lake?table=s.t&${extra}`).isFixed).toBe(true);
  expect(table('trino://h/lake?table=s.t"x')).toBe('"lake"."s"."t""x"');
  expect(table('trino://h/lake?table=s.t&version=12')).toBe('"lake"."s"."t" FOR VERSION AS OF 12');
  expect(table("trino://h/lake?table=s.t&version=it's")).toBe(`"lake"."s"."t" FOR VERSION AS OF 'it''s'`);
  expect(table('trino://h/lake?table=s.t&timestamp=2026-01-31T12:00:00')).toBe(
    `"lake"."s"."t" FOR TIMESTAMP AS OF TIMESTAMP '2026-01-31 12:00:00 UTC'`,
  );
  expect(() => table('trino://h/lake?table=s.t&timestamp=yesterday')).toThrow(/a time of UTC such as/);
  expect(() => login('trino://h/lake?table=s.t&version=1&timestamp=2026-01-01')).toThrow(/got both/);
});

test('a table has one identity, by whatever door, whoever asks and whatever its version', async () => {
  const one = await identity('trino://trino.example/lake?table=released.persons&version=1');
  expect(await identity('trino://me@TRINO.example:8443/Lake?table=Released.PERSONS&version=2')).toBe(one);
  expect(await identity('trino://trino.example:9999/lake?table=released.persons')).not.toBe(one);
  expect(await identity('trino://trino.example/lake?table=released.others')).not.toBe(one);
});

test('an address must name the catalog and the schema, and hold no secret', async () => {
  expect(isAddress('trino://h/c?table=s.t')).toBe(true);
  await expect(identity('trino://h/?table=s.t')).rejects.toThrow(/got no catalog; add it/);
  await expect(identity('trino://h/c?table=t')).rejects.toThrow(/got no schema; add it/);
  for (const name of ['trino://me:hush@h/c?table=s.t', 'trino://h/c?table=s.t&token=hush']) {
    expect(() => tableAddress(name)).toThrow(/TRINO_PASSWORD or TRINO_ACCESS_TOKEN/);
    expect(() => tableAddress(name)).not.toThrow(/hush/);
  }
});
