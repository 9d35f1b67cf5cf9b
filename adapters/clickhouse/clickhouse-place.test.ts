import { afterEach, expect, test, vi } from 'vitest';
import { isAddress, tableAddress } from '../sql/address.js';
import { clickhouseIdentity, clickhouseLogin, clickhouseTable } from './clickhouse-place.js';

afterEach(() => vi.unstubAllEnvs());

const login = (name: string) => clickhouseLogin(tableAddress(name));
const identity = (name: string) => clickhouseIdentity(tableAddress(name));
const table = (name: string) => clickhouseTable(tableAddress(name));

test('a server on this machine is reached as it is, another over TLS, unless told', () => {
  vi.stubEnv('CLICKHOUSE_USER', 'reader');
  vi.stubEnv('CLICKHOUSE_PASSWORD', 'secret');
  expect(login('clickhouse://localhost/?table=t').url.href).toBe('http://localhost:8123/');
  expect(login('clickhouse://[::1]:9000/?table=t&secure=true').url.href).toBe('https://[::1]:9000/');
  expect(login('clickhouse://me@ch.example/survey?table=t')).toEqual({
    url: new URL('https://ch.example:8443'),
    database: 'survey',
    user: 'me',
    password: 'secret',
    shown: 'clickhouse://ch.example/survey?table=t',
    isFixed: false,
    copies: false,
  });
  expect(login('clickhouse://ch.example/?table=t')).toMatchObject({ user: 'reader', database: 'default' });
  expect(() => login('clickhouse://ch.example/?table=t&secure=false')).toThrow(/a password must travel encrypted/);
  vi.stubEnv('CLICKHOUSE_PASSWORD', '');
  expect(login('clickhouse://ch.example/?table=t&secure=false').url.href).toBe('http://ch.example:8123/');
  expect(login('clickhouse://ch.example/?table=t&fixed=true').isFixed).toBe(true);
  expect(login('clickhouse://ch.example/?table=t&copy=true').copies).toBe(true);
});

test('a table is in the database of the path, or of its name; two are refused', () => {
  expect(table('clickhouse://h/?table=t')).toBe('`default`.`t`');
  expect(table('clickhouse://h/?table=survey.t')).toBe('`survey`.`t`');
  expect(table('clickhouse://h/survey?table=a`b')).toBe('`survey`.`a\\`b`');
  expect(() => table('clickhouse://h/one?table=two.t')).toThrow(/must name one database, got "one" and "two"/);
});

test('a table has one identity, by whatever door and whoever asks', async () => {
  const one = await identity('clickhouse://ch.example/survey?table=t');
  expect(await identity('clickhouse://me@CH.example:8443/?table=survey.t&fixed=true')).toBe(one);
  expect(await identity('clickhouse://ch.example:8123/survey?table=t&secure=false')).toBe(one);
  expect(await identity('clickhouse://ch.example:9999/survey?table=t')).not.toBe(one);
  expect(await identity('clickhouse://ch.example/survey?table=T')).not.toBe(one);
  expect(await identity('clickhouse://127.0.0.1/?table=t')).toBe(await identity('clickhouse://localhost/?table=t'));
});

test('a secret in an address is refused without being repeated, and so is what nobody knows', async () => {
  expect(isAddress('clickhouse://h/?table=t')).toBe(true);
  expect(() => tableAddress('clickhouse://me:hush@h/?table=t')).toThrow(/CLICKHOUSE_PASSWORD/);
  expect(() => tableAddress('clickhouse://me:hush@h/?table=t')).not.toThrow(/hush/);
  await expect(identity('clickhouse://h/?table=t&version=3')).rejects.toThrow(/"version"; leave it out/);
});
