import { afterEach, expect, test, vi } from 'vitest';
import { isAddress, tableAddress } from '../sql/address.js';
import { sparkIdentity, sparkLogin, sparkTable } from './spark-place.js';

afterEach(() => vi.unstubAllEnvs());

const login = (name: string) => sparkLogin(tableAddress(name));
const identity = (name: string) => sparkIdentity(tableAddress(name));
const table = (name: string) => sparkTable(tableAddress(name));

test('a server on this machine is reached as it is, another over TLS, unless told', () => {
  vi.stubEnv('SPARK_CONNECT_TOKEN', 'secret');
  expect(login('sc://localhost?table=t')).toMatchObject({ host: 'localhost', port: 15_002, tls: false });
  expect(login('sc://me@spark.example:443/?table=t')).toEqual({
    host: 'spark.example',
    port: 443,
    tls: true,
    user: 'me',
    token: 'secret',
    shown: 'sc://spark.example:443/?table=t',
    isFixed: false,
  });
  expect(login('sc://spark.example/?table=t&use_ssl=false').tls).toBe(false);
  expect(() => login('sc://spark.example/?table=t&use_ssl=maybe')).toThrow(/use_ssl must be true or false/);
});

test('a version, a time or a word says that the rows stay as they are', () => {
  expect(login('sc://h/?table=t&version=12').isFixed).toBe(true);
  expect(login('sc://h/?table=t&timestamp=2026-01-01').isFixed).toBe(true);
  expect(login('sc://h/?table=t&fixed=true').isFixed).toBe(true);
  expect(login('sc://h/?table=t&fixed=false').isFixed).toBe(false);
  expect(() => login('sc://h/?table=t&version=1&timestamp=2026-01-01')).toThrow(/got both/);
  expect(table('sc://h/?table=t')).toBe('`t`');
  expect(table('sc://h/?table=s.t`x&version=12')).toBe("`s`.`t``x` VERSION AS OF '12'");
  expect(table('sc://h/lake?table=t&timestamp=2026-01-01')).toBe("`lake`.`default`.`t` TIMESTAMP AS OF '2026-01-01'");
});

test('a table has one identity, whoever asks and whatever its version', async () => {
  const one = await identity('sc://spark.example/?table=persons&version=1');
  expect(await identity('sc://me@SPARK.example:15002/spark_catalog?table=default.persons&version=2')).toBe(one);
  expect(await identity('sc://spark.example/?table=others')).not.toBe(one);
  expect(await identity('sc://127.0.0.1/?table=t')).toBe(await identity('sc://localhost/?table=t'));
});

test('a secret in an address is refused without being repeated, and so is what nobody knows', async () => {
  expect(isAddress('sc://h/?table=t')).toBe(true);
  for (const name of ['sc://me:hush@h/?table=t', 'sc://h/?table=t&token=hush']) {
    expect(() => tableAddress(name)).toThrow(/SPARK_CONNECT_TOKEN/);
    expect(() => tableAddress(name)).not.toThrow(/hush/);
  }
  await expect(identity('sc://h/?table=t&sslmode=require')).rejects.toThrow(/"sslmode"; leave it out/);
});
