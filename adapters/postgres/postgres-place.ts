import { checkParameters, isThisHost, type TableAddress } from '../sql/address.js';
import type { PostgresLogin } from './connection.js';
import { postgres } from './dialect.js';
import { postgresLogin, type ServerAddress, serverParameters, toldOf } from './postgres-login.js';

/** The place of a server and a database by all that is known without asking the server; the same text for the same place. */
export const databaseIdentity = async (address: ServerAddress): Promise<string> => {
  const { host, port, database } = await toldOf(address);
  const at = isThisHost(host) && !host.startsWith('/') ? 'localhost' : host;
  return `postgres://${at}:${port}/${database}`;
};

/** What an address of a table may say beside its table. */
const parameters = [...serverParameters, 'copy'];

/** The same of a table. */
export const postgresIdentity = async (address: TableAddress): Promise<string> => {
  checkParameters(address, parameters);
  return `${await databaseIdentity(address)}?${JSON.stringify([address.schema ?? 'public', address.table])}`;
};

/** The table for a FROM clause. */
export const postgresTable = ({ schema = 'public', table }: TableAddress): string =>
  [schema, table].map(postgres.identifier).join('.');

/** How to get in to the server of a table. */
export const tableLogin = async (address: TableAddress): Promise<PostgresLogin> => {
  checkParameters(address, parameters);
  return postgresLogin(address);
};
