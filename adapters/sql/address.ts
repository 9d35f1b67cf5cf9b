import { InputError } from '../../src/domain/input-error.js';

/** Where a table of a database is, without credentials: those come from the environment and the usual files. */
export interface TableAddress {
  /** The scheme of the engine, one word for each engine. */
  readonly engine: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string | undefined;
  /** Of PostgreSQL and ClickHouse; the catalog of Spark and Trino. */
  readonly database: string;
  /** Where tables have schemas. */
  readonly schema: string | undefined;
  readonly table: string;
  /** What else was said after the question mark. */
  readonly parameters: ReadonlyMap<string, string>;
  /** For messages. */
  readonly shown: string;
}

/** Schemes of engines, and the one word for each. */
const schemes: ReadonlyMap<string, string> = new Map([
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
  ['sc', 'spark'],
  ['clickhouse', 'clickhouse'],
  ['trino', 'trino'],
]);

/** Where an engine takes the secret of whoever asks from, in the place of the address. */
const secrets: Readonly<Record<string, string>> = {
  postgres: 'set PGPASSWORD, or write it to the file that PGPASSFILE names (~/.pgpass)',
  spark: 'set SPARK_CONNECT_TOKEN',
  clickhouse: 'set CLICKHOUSE_PASSWORD',
  trino: 'set TRINO_PASSWORD or TRINO_ACCESS_TOKEN',
};

/** Whether a table is named by an address of an engine, and not by a path. */
export const isAddress = (name: string): boolean => schemes.has(/^([a-z]+):\/\//i.exec(name)?.[1].toLowerCase() ?? '');

const FORM =
  'postgres://HOST/DATABASE?table=SCHEMA.TABLE, clickhouse://HOST/DATABASE?table=TABLE, trino://HOST/CATALOG?table=SCHEMA.TABLE or sc://HOST/CATALOG?table=SCHEMA.TABLE';

/** Reads an address such as `postgres://db.example/survey?table=released.persons`. A password or token in it is refused: it would be in the list of processes and in the shell's history. */
export const tableAddress = (name: string): TableAddress => {
  const scheme = /^([a-z]+):\/\//i.exec(name)?.[1].toLowerCase() ?? '';
  const engine = schemes.get(scheme);
  let url: URL;
  try {
    url = new URL(name);
  } catch {
    throw new InputError(`table: must be named by ${FORM}, got an address that cannot be read; check it`);
  }
  const place = `${scheme}://${url.host}${url.pathname}`;
  if (engine === undefined) throw new InputError(`${place}: must be ${FORM}, got another scheme; check it`);
  const told = new Map(url.searchParams);
  if (url.password !== '' || told.has('password') || told.has('token'))
    throw new InputError(
      `${place}: must be without a password, which other users of this machine could see, got one; ${secrets[engine]}`,
    );
  const named = told.get('table') ?? '';
  const parts = told.has('schema') ? [told.get('schema')!, named] : named.split('.');
  if (named === '' || parts.length > 2 || parts.includes(''))
    throw new InputError(
      `${place}: must name the table, ?table=NAME or ?table=SCHEMA.NAME, got ${JSON.stringify(named)}; add it (where names hold dots: ?schema=...&table=...)`,
    );
  const [table, schema] = [parts.at(-1)!, parts.length === 2 ? parts[0] : undefined];
  for (const used of ['table', 'schema']) told.delete(used);
  const decoded = (text: string): string => decodeURIComponent(text);
  return {
    engine,
    host: decoded(url.hostname)
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
    port: url.port === '' ? undefined : Number(url.port),
    user: url.username === '' ? told.get('user') : decoded(url.username),
    database: decoded(url.pathname.replace(/^\//, '')),
    schema,
    table,
    parameters: told,
    shown: `${place}?table=${[...(schema === undefined ? [] : [schema]), table].join('.')}`,
  };
};

/** Whether a host is this machine. */
export const isThisHost = (host: string): boolean =>
  host === '' || host === 'localhost' || host === '::1' || host.startsWith('/') || /^127(\.\d+){3}$/.test(host);

/** Refuses what an engine does not know of an address. */
export const checkParameters = ({ parameters, shown }: TableAddress, known: readonly string[]): void => {
  for (const name of parameters.keys())
    if (!known.includes(name))
      throw new InputError(
        `${shown}: must have parameters among table, schema, ${known.join(', ')}, got ${JSON.stringify(name)}; leave it out`,
      );
};

/** A parameter that is true or false; undefined where it is not there. */
export const truth = ({ parameters, shown }: TableAddress, name: string): boolean | undefined => {
  const told = parameters.get(name);
  if (told !== undefined && told !== 'true' && told !== 'false')
    throw new InputError(`${shown}: ${name} must be true or false, got ${JSON.stringify(told)}`);
  return told === undefined ? undefined : told === 'true';
};

/** Refuses an address that names a state of its table in two ways. */
export const checkState = ({ parameters, shown }: TableAddress): void => {
  if (parameters.has('version') && parameters.has('timestamp'))
    throw new InputError(`${shown}: must have a version or a timestamp, got both; leave one out`);
};

/** Whether an address says that the rows stay as they are: by naming a state of the table, or in a word. */
export const saysFixed = (address: TableAddress): boolean =>
  address.parameters.has('version') || address.parameters.has('timestamp') || truth(address, 'fixed') === true;

/** Whether an address says that the codes of its rows may be copied to a temporary table. */
export const saysCopy = (address: TableAddress): boolean => truth(address, 'copy') === true;

/** The host for an identity: this machine is one, under all its names. */
export const oneHost = (host: string): string => (isThisHost(host) ? 'localhost' : host);

/** Where an engine answers HTTP: over TLS unless it is on this machine or the address says otherwise. */
export const httpUrl = (
  { host, port }: TableAddress,
  { tls, ports }: { readonly tls: boolean; readonly ports: { readonly plain: number; readonly tls: number } },
): URL => {
  const place = host.includes(':') ? `[${host}]` : host || 'localhost';
  return new URL(`${tls ? 'https' : 'http'}://${place}:${port ?? (tls ? ports.tls : ports.plain)}`);
};
