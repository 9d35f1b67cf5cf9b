import { userInfo } from 'node:os';
import { InputError } from '../../src/domain/input-error.js';
import {
  checkParameters,
  checkState,
  httpUrl,
  isThisHost,
  oneHost,
  saysFixed,
  type TableAddress,
  truth,
} from '../sql/address.js';
import type { TrinoOptions } from './connection.js';
import { trino } from './dialect.js';

/** Of a coordinator, without and with TLS; 8443 is what its own configuration proposes. */
const ports = { plain: 8080, tls: 443 };
const doors = new Set<number | undefined>([undefined, ports.plain, ports.tls, 8443]);

/** Where a table is by all that is known without asking the coordinator; its versions are one table. Names are the same in any case. */
export const trinoIdentity = async (address: TableAddress): Promise<string> => {
  const { host, port, database, schema, table } = checked(address);
  const names = [database, schema, table].map((name) => name.toLowerCase());
  return `trino://${oneHost(host)}${doors.has(port) ? '' : `:${port}`}/?${JSON.stringify(names)}`;
};

/** How to reach the coordinator. TLS unless it is on this machine or `ssl` says otherwise; who comes in is said by the environment. */
export const trinoLogin = (address: TableAddress): TrinoOptions => {
  const { host, user, database, schema, shown } = checked(address);
  return {
    url: httpUrl(address, { tls: truth(address, 'ssl') ?? !isThisHost(host), ports }),
    user: user ?? (process.env.TRINO_USER || userInfo().username),
    password: process.env.TRINO_PASSWORD || undefined,
    token: process.env.TRINO_ACCESS_TOKEN || undefined,
    catalog: database,
    schema,
    shown,
    isFixed: saysFixed(address),
  };
};

/** The table for a FROM clause, as of the version (a number, or the name of a branch or tag) or the time that is named. */
export const trinoTable = (address: TableAddress): string => {
  const { database, schema, table, parameters, shown } = checked(address);
  const named = [database, schema, table].map(trino.identifier).join('.');
  const [version, timestamp] = ['version', 'timestamp'].map((name) => parameters.get(name));
  if (version !== undefined)
    return `${named} FOR VERSION AS OF ${/^\d+$/.test(version) ? version : trino.literal(version)}`;
  if (timestamp === undefined) return named;
  if (!/^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(timestamp))
    throw new InputError(
      `${shown}: timestamp must be a time of UTC such as 2026-01-31 or 2026-01-31T12:00:00, got ${JSON.stringify(timestamp)}`,
    );
  return `${named} FOR TIMESTAMP AS OF TIMESTAMP ${trino.literal(`${timestamp.replace('T', ' ')} UTC`)}`;
};

const checked = (address: TableAddress): TableAddress & { readonly schema: string } => {
  checkParameters(address, ['user', 'ssl', 'version', 'timestamp', 'fixed']);
  checkState(address);
  const { database, schema, shown } = address;
  if (database === '' || schema === undefined)
    throw new InputError(
      `${shown}: must name the catalog and the schema, trino://HOST/CATALOG?table=SCHEMA.TABLE, got ${database === '' ? 'no catalog' : 'no schema'}; add it`,
    );
  return { ...address, schema };
};
