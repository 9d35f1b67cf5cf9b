import { InputError } from '../../src/domain/input-error.js';
import {
  checkParameters,
  httpUrl,
  isThisHost,
  oneHost,
  saysCopy,
  saysFixed,
  type TableAddress,
  truth,
} from '../sql/address.js';
import type { ClickHouseOptions } from './connection.js';
import { clickhouse } from './dialect.js';

/** Of the HTTP interface, without and with TLS: two doors of one server. */
const ports = { plain: 8123, tls: 8443 };

/** Where a table is by all that is known without asking the server. */
export const clickhouseIdentity = async (address: TableAddress): Promise<string> => {
  const { host, port } = address;
  const door = port === undefined || port === ports.plain || port === ports.tls ? '' : `:${port}`;
  return `clickhouse://${oneHost(host)}${door}/?${JSON.stringify([databaseOf(address), address.table])}`;
};

/** How to reach the server. TLS unless it is on this machine or `secure` says otherwise; who comes in is said by the environment. */
export const clickhouseLogin = (address: TableAddress): ClickHouseOptions => {
  const { host, user, shown } = address;
  const database = databaseOf(address);
  const tls = truth(address, 'secure') ?? !isThisHost(host);
  const password = process.env.CLICKHOUSE_PASSWORD || undefined;
  if (password !== undefined && !tls && !isThisHost(host))
    throw new InputError(
      `${shown}: a password must travel encrypted, got secure=false and CLICKHOUSE_PASSWORD; use TLS, or a tunnel that ends on this machine`,
    );
  return {
    url: httpUrl(address, { tls, ports }),
    database,
    user: user ?? (process.env.CLICKHOUSE_USER || undefined),
    password,
    shown,
    isFixed: saysFixed(address),
    copies: saysCopy(address),
  };
};

/** The table for a FROM clause. */
export const clickhouseTable = (address: TableAddress): string =>
  [databaseOf(address), address.table].map(clickhouse.identifier).join('.');

/** ClickHouse has databases and no schemas: the path names one, or the word before the table's name does. */
const databaseOf = (address: TableAddress): string => {
  checkParameters(address, ['user', 'secure', 'fixed', 'copy']);
  const { database, schema, shown } = address;
  if (database !== '' && schema !== undefined && schema !== database)
    throw new InputError(
      `${shown}: must name one database, got ${JSON.stringify(database)} and ${JSON.stringify(schema)}; ClickHouse has no schemas, so leave one out`,
    );
  return database || schema || 'default';
};
