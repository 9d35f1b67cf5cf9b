import { InputError } from '../../src/domain/input-error.js';
import { LostConnection } from '../sql/connection.js';

/** What PostgreSQL's codes mean for whoever asked, and what to do (appendix A of its manual). */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'the server did not let the role in; check the name of the role and its password'],
  [/^3D000$/, 'there is no such database; check its name'],
  [/^(42P01|3F000)$/, 'there is no such table; check its name and schema'],
  [/^42501$/, 'the role may not read it; grant SELECT on the table or view, and USAGE on its schema'],
  [/^42703$/, 'there is no such column; check the schema against the table'],
  [
    /^42/,
    'the server could not understand the query; check the query of your own, and that the server is PostgreSQL 14 or later',
  ],
  [/^57014$/, 'the query was cancelled in the server; ask whoever did, and run it again'],
  [
    /^53(100|200|400)$/,
    'the server ran out of memory or disk; raise work_mem or temp_file_limit for the role, or ask for less at a time',
  ],
  [/^54/, 'the query goes beyond a limit of the server; ask for fewer attributes at a time'],
  [/^22/, 'a value could not be computed; look at the query of your own'],
];

/** Whether the same query may succeed on another connection. */
const isLost = (code: string): boolean =>
  /^(08|57P0|40|25P0[234]|53300)/.test(code) ||
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ERR_STREAM|terminated)/.test(code);

/**
 * What to tell the user when PostgreSQL did not answer: where, its code and what to do. Its own text is left out: it quotes values.
 */
export const postgresError = (error: unknown, shown: string): unknown => {
  if (!(error instanceof Error) || error instanceof InputError || error instanceof LostConnection) return error;
  if (error.name === 'AbortError') return error;
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') {
    // The client has no code for a connection that ended or could not be made.
    if (/terminated|not queryable|closed|timeout|ended/i.test(message)) return new LostConnection(shown, 'terminated');
    if (/SSL|TLS|certificate/i.test(message))
      return new InputError(`${shown}: must be reached over TLS, got a server without it; set sslmode, or ask for it`);
    if (/password|SCRAM|SASL/i.test(message))
      return new InputError(
        `${shown}: needs a password, got none that fits; set PGPASSWORD or write it to the file that PGPASSFILE names`,
      );
    return error.message.startsWith('counts:') ? error : new Error(`${shown}: PostgreSQL's client failed`);
  }
  if (isLost(code)) return new LostConnection(shown, code);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new InputError(`${shown}: there is no such host (${code}); check its name`);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code))
    return new InputError(
      `${shown}: the server's certificate must be one that is trusted, got another (${code}); name the authority's certificate as sslrootcert`,
    );
  const what = advice.find(([codes]) => codes.test(code))?.[1] ?? 'the server could not answer; look the code up';
  return new InputError(`${shown}: ${what} (${code})`);
};
