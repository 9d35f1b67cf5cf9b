import { InputError } from '../../src/domain/input-error.js';
import { checkParameters, isThisHost, type TableAddress } from '../sql/address.js';
import type { SparkOptions } from './connection.js';
import { spark } from './dialect.js';

const PORT = 15_002;

/** Where a table is by all that is known without asking the server; its versions are one table. The path of an address is the catalog. */
export const sparkIdentity = async (address: TableAddress): Promise<string> => {
  const { host, port, database, schema = 'default', table } = checked(address);
  const at = isThisHost(host) ? 'localhost' : host;
  return `sc://${at}:${port ?? PORT}/${database || 'spark_catalog'}?${JSON.stringify([schema, table])}`;
};

/** How to reach the server. TLS unless it is on this machine or `use_ssl` says otherwise; a token comes from the environment. */
export const sparkLogin = (address: TableAddress): SparkOptions => {
  const { host, port, user, parameters, shown } = checked(address);
  const tls = truth(address, 'use_ssl') ?? !isThisHost(host);
  return {
    host: host || 'localhost',
    port: port ?? PORT,
    tls,
    user,
    token: process.env.SPARK_CONNECT_TOKEN || undefined,
    shown,
    isFixed: parameters.has('version') || parameters.has('timestamp') || truth(address, 'fixed') === true,
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
  if (address.parameters.has('version') && address.parameters.has('timestamp'))
    throw new InputError(`${address.shown}: must have a version or a timestamp, got both; leave one out`);
  return address;
};

const truth = ({ parameters, shown }: TableAddress, name: string): boolean | undefined => {
  const told = parameters.get(name);
  if (told !== undefined && told !== 'true' && told !== 'false')
    throw new InputError(`${shown}: ${name} must be true or false, got ${JSON.stringify(told)}`);
  return told === undefined ? undefined : told === 'true';
};
