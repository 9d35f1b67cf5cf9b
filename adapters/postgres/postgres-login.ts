import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import { isThisHost } from '../sql/address.js';
import type { PostgresLogin } from './connection.js';

/** Where a server is and how it is spoken to, as far as an address says it: that of a table, or of a ledger. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly database: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** For messages, without a secret. */
  readonly shown: string;
}

/** What an address may say of its server after the question mark. */
export const serverParameters = ['host', 'user', 'sslmode', 'sslrootcert', 'service'] as const;

/** What an address, a service file and the environment say together, in this order. */
export interface Told {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly sslmode: string | undefined;
  readonly sslrootcert: string | undefined;
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** How to get in. TLS with a certificate that is checked, unless the server is on this machine or sslmode says otherwise. */
export const postgresLogin = async (address: ServerAddress): Promise<PostgresLogin> => {
  const { sslmode, sslrootcert, ...login } = await toldOf(address);
  const mode = sslmode === 'prefer' || sslmode === 'allow' ? undefined : sslmode;
  if (mode !== undefined && !MODES.includes(mode))
    throw new InputError(`${address.shown}: sslmode must be one of ${MODES.join(', ')}, got ${JSON.stringify(mode)}`);
  const wanted = mode ?? (isThisHost(login.host) ? 'disable' : 'verify-full');
  if (wanted === 'disable') return { ...login, ssl: false };
  const ca = sslrootcert === undefined || sslrootcert === 'system' ? undefined : await certificate(sslrootcert);
  // As libpq has it: with an authority's certificate, require is verify-ca.
  if (wanted === 'require' && ca === undefined) return { ...login, ssl: { rejectUnauthorized: false } };
  const anyName = wanted === 'verify-full' ? {} : { checkServerIdentity: () => undefined };
  return { ...login, ssl: { rejectUnauthorized: true, ca, ...anyName } };
};

const certificate = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new InputError(
      `${file}: must be the certificate of an authority (sslrootcert), got no file that can be read`,
    );
  });

export const toldOf = async (address: ServerAddress): Promise<Told> => {
  const { parameters } = address;
  const environment = (name: string): string | undefined => process.env[name] || undefined;
  const service = parameters.get('service') ?? environment('PGSERVICE');
  const kept = service === undefined ? new Map<string, string>() : await serviceNamed(service);
  const database = address.database || kept.get('dbname') || environment('PGDATABASE');
  if (database === undefined)
    throw new InputError(`${address.shown}: must name the database, postgres://HOST/DATABASE, got none; add it`);
  return {
    host: parameters.get('host') || address.host || kept.get('host') || environment('PGHOST') || 'localhost',
    port: address.port ?? Number(kept.get('port') ?? environment('PGPORT') ?? 5432),
    database,
    user: address.user ?? parameters.get('user') ?? kept.get('user') ?? environment('PGUSER'),
    // The client itself looks at PGPASSWORD and PGPASSFILE.
    password: kept.get('password'),
    sslmode: parameters.get('sslmode') ?? kept.get('sslmode') ?? environment('PGSSLMODE'),
    sslrootcert: parameters.get('sslrootcert') ?? kept.get('sslrootcert') ?? environment('PGSSLROOTCERT'),
  };
};

/** A service of a connection service file: lines `key=value` under its name in brackets. */
const serviceNamed = async (name: string): Promise<Map<string, string>> => {
  const file = process.env.PGSERVICEFILE ?? path.join(homedir(), '.pg_service.conf');
  const text = await readFile(file, 'utf8').catch(() => '');
  let isIn = false;
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    const heading = /^\[(.+)\]$/.exec(line)?.[1];
    if (heading !== undefined) isIn = heading === name;
    const at = line.indexOf('=');
    if (isIn && at > 0 && !line.startsWith('#')) found.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  if (found.size === 0)
    throw new InputError(
      `service ${JSON.stringify(name)}: must be in ${file}, got none; check PGSERVICE and PGSERVICEFILE`,
    );
  return found;
};
