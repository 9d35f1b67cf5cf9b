import { readFileSync } from 'node:fs';
import { InputError } from '../../src/domain/input-error.js';

/** Where a PostgreSQL database is and how it is spoken to; who comes in is said by the environment or the usual files. */
export interface PostgresAddress {
  /** The address for messages and files: it holds no secret, since one that does is refused. */
  readonly shown: string;
  /** What the address asks for beyond the database. */
  readonly asked: ReadonlyMap<string, string>;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly user: string | undefined;
  readonly database: string | undefined;
  /** False without encryption; else what the server's certificate must show. */
  readonly tls: false | { readonly verify: 'nothing' | 'authority' | 'host'; readonly ca: string | undefined };
}

export const isPostgresAddress = (place: string): boolean => /^postgres(ql)?:\/\//i.test(place);

const ways = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Way = (typeof ways)[number];

/** Names that can only mean this machine: a socket, or its loopback. */
const isHere = (host: string): boolean =>
  host.startsWith('/') || /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

const wayOf = (said: string | undefined, host: string, shown: string): Way => {
  const way = said ?? (isHere(host) ? 'disable' : 'verify-full');
  if (!ways.includes(way as Way))
    throw new InputError(`${shown}: sslmode must be one of ${ways.join(', ')}, got ${JSON.stringify(way)}`);
  return way as Way;
};

const caOf = (file: string | undefined, shown: string): string | undefined => {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new InputError(`${shown}: sslrootcert must name a file of certificates that you can read, got ${file}`);
  }
};

/**
 * Reads `postgres://user@host:port/database?…`. `keys` are the parameters that the caller takes beside `host`, `sslmode` and
 * `sslrootcert`; any other is refused, and so is a password: others see it in the list of processes. Connections to another
 * machine are encrypted, and its certificate checked, unless `sslmode` says otherwise.
 */
export const postgresAddress = (
  given: string,
  keys: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PostgresAddress => {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new InputError(
      'postgres address: must be like postgres://user@host:5432/database, got something that is no address',
    );
  }
  const decoded = (part: string): string | undefined => {
    try {
      return part === '' ? undefined : decodeURIComponent(part);
    } catch {
      throw new InputError('postgres address: must be percent-encoded, got a % that begins no character; write %25');
    }
  };
  const secret = url.password !== '' || url.searchParams.has('password');
  url.password = '';
  url.searchParams.delete('password');
  const shown = url.href;
  if (secret)
    throw new InputError(
      `${shown}: must hold no password, since others see it in the list of processes; set PGPASSWORD, or put it into ~/.pgpass`,
    );
  const asked = new Map<string, string>();
  for (const [key, value] of url.searchParams) {
    if (!keys.includes(key) && !['host', 'sslmode', 'sslrootcert'].includes(key))
      throw new InputError(
        `${shown}: takes ${[...keys, 'host', 'sslmode', 'sslrootcert'].join(', ')} after the ?, got ${JSON.stringify(key)}`,
      );
    if (asked.has(key)) throw new InputError(`${shown}: must say ${key} once, got it twice`);
    asked.set(key, value);
  }
  const named = decoded(url.hostname.replace(/^\[|\]$/g, ''));
  const host = asked.get('host') ?? named ?? environment.PGHOST;
  const way = wayOf(asked.get('sslmode') ?? environment.PGSSLMODE, host ?? 'localhost', shown);
  return {
    shown,
    asked,
    host,
    port: url.port === '' ? undefined : Number(url.port),
    user: decoded(url.username),
    database: decoded(url.pathname.replace(/^\//, '')),
    tls:
      way === 'disable'
        ? false
        : {
            verify: way === 'require' ? 'nothing' : way === 'verify-ca' ? 'authority' : 'host',
            ca: caOf(asked.get('sslrootcert') ?? environment.PGSSLROOTCERT, shown),
          },
  };
};
