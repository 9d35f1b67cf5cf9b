import {
  checkParameters,
  checkState,
  isThisHost,
  oneHost,
  saysFixed,
  type TableAddress,
  truth,
} from '../sql/address.js';
import type { SparkOptions } from './connection.js';
import { spark } from './dialect.js';

const PORT = 15_002;

/** Where a table is by all that is known without asking the server; its versions are one table. The path of an address is the catalog. */
export const sparkIdentity = async (address: TableAddress): Promise<string> => {
  const { host, port, database, schema = 'default', table } = checked(address);
  return `sc://${oneHost(host)}:${port ?? PORT}/${database || 'spark_catalog'}?${JSON.stringify([schema, table])}`;
};

/** How to reach the server. TLS unless it is on this machine or `use_ssl` says otherwise; a token comes from the environment. */
export const sparkLogin = (address: TableAddress): SparkOptions => {
  const { host, port, user, shown } = checked(address);
  const tls = truth(address, 'use_ssl') ?? !isThisHost(host);
  return {
    host: host || 'localhost',
    port: port ?? PORT,
    tls,
    user,
    token: process.env.SPARK_CONNECT_TOKEN || undefined,
    shown,
    isFixed: saysFixed(address),
  };
};

/** The table for a FROM clause, as of the version or the time that is named. */
export const sparkTable = ({ database, schema, table, parameters }: TableAddress): string => {
  const named = [database || undefined, schema ?? (database ? 'default' : undefined), table]
    .filter((part) => part !== undefined)
    .map(spark.identifier)
    .join('.');
  const [version, timestamp] = ['version', 'timestamp'].map((name) => parameters.get(name));
  if (version !== undefined) return `${named} VERSION AS OF ${spark.literal(version)}`;
  return timestamp === undefined ? named : `${named} TIMESTAMP AS OF ${spark.literal(timestamp)}`;
};

const checked = (address: TableAddress): TableAddress => {
  checkParameters(address, ['user', 'use_ssl', 'version', 'timestamp', 'fixed']);
  checkState(address);
  return address;
};
