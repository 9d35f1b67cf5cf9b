/**
 * What is told of a failure: its code. The server's own words may hold values, and are told nobody. Failures of the client
 * that have no code are those of a connection that ended or never began.
 */
export const postgresCode = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return code;
  return /does not support SSL/.test(String(message)) ? noTls : 'no answer';
};

const noTls = 'a server without TLS';

/** States of a server that is on its way down or up, or has no place free, and races that the server resolved by ending one. */
const passing = new Set(['57P01', '57P02', '57P03', '53300', '40001', '40P01', '55P03', 'no answer']);

/** Whether the same statement may succeed when it is sent again. What became of the first one is not known. */
export const isPassing = (code: string): boolean =>
  passing.has(code) || code.startsWith('08') || /^E[A-Z]+$/.test(code);

/** The next step for a failure that does not pass by itself. */
export const adviceFor = (code: string): string => {
  if (code.startsWith('28')) return 'check the user, and PGPASSWORD or ~/.pgpass';
  if (code === '3D000') return 'check the name of the database';
  if (code === '42501') return 'ask for SELECT and INSERT on the table (docs/ledger.md)';
  if (code === '25006') return 'name the primary server: this one only reads';
  if (code === noTls) return 'switch TLS on there, or say sslmode=disable where nobody listens on the way';
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return "name the file of its authority's certificate with sslrootcert";
  if (/^E[A-Z]+$/.test(code)) return 'check the host and the port';
  return 'see that the server is up, and try again';
};
