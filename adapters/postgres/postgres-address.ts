import { InputError } from '../../src/domain/input-error.js';
import { type ServerAddress, serverParameters } from './postgres-login.js';

export const isPostgresAddress = (place: string): boolean => /^postgres(ql)?:\/\//i.test(place);

/**
 * Reads `postgres://user@host:port/database?…`. `keys` are the parameters that the caller takes beside those of the server (`postgresLogin`); any
 * other is refused, and so is a password: others see it in the list of processes.
 */
export const postgresAddress = (given: string, keys: readonly string[]): ServerAddress => {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new InputError(
      'postgres address: must be like postgres://user@host:5432/database, got something that is no address',
    );
  }
  const decoded = (part: string): string => {
    try {
      return decodeURIComponent(part);
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
  const known: readonly string[] = [...keys, ...serverParameters];
  const parameters = new Map<string, string>();
  for (const [key, value] of url.searchParams) {
    if (!known.includes(key))
      throw new InputError(`${shown}: takes ${known.join(', ')} after the ?, got ${JSON.stringify(key)}`);
    if (parameters.has(key)) throw new InputError(`${shown}: must say ${key} once, got it twice`);
    parameters.set(key, value);
  }
  return {
    shown,
    parameters,
    host: decoded(url.hostname.replace(/^\[|\]$/g, '')),
    port: url.port === '' ? undefined : Number(url.port),
    user: url.username === '' ? undefined : decoded(url.username),
    database: decoded(url.pathname.replace(/^\//, '')),
  };
};
