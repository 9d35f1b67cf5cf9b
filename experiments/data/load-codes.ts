import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { domainOf } from '../../src/domain/domain-of.js';
import { InputError } from '../../src/domain/input-error.js';
import { codeColumn, type Table } from '../../src/domain/table.js';

const COMMA = 44;
const NEWLINE = 10;
const ZERO = 48;

/** The folder of the real tables, or an error that says how to name it. */
export const dataFolder = (dir: string | undefined): string => {
  if (dir === undefined)
    throw new InputError('data: this needs the folder of the real tables, got none; pass --data or set SURMISE_DATA');
  return dir;
};

/** The base of the file pair `BASE.csv.gz` and `BASE-domain.json` that a name such as `nist-sprint2` or `pgm-four/adult` means. */
const baseOf = (dir: string, name: string): string => {
  const [folder, table] = name.split('/');
  if (table !== undefined) return path.join(dir, folder, table);
  const [domain, ...others] = readdirSync(path.join(dir, folder)).filter((file) => file.endsWith('-domain.json'));
  if (domain === undefined || others.length > 0)
    throw new InputError(`table: must name one of the tables of ${folder}, got ${name}; write ${folder}/TABLE`);
  return path.join(dir, folder, domain.slice(0, -'-domain.json'.length));
};

/**
 * A real table that is kept as integer codes: `nist-sprint2`, `pmw-adult`, `pgm-four/adult` and its neighbours. The domain
 * is the one its file declares; `attributes` picks columns and their order, all by default.
 */
export const loadCodes = (dir: string, name: string, attributes?: readonly string[]): Table => {
  const base = baseOf(dir, name);
  const sizes = JSON.parse(readFileSync(`${base}-domain.json`, 'utf8')) as Record<string, number>;
  const domain = domainOf(
    (attributes ?? Object.keys(sizes)).map((name) => ({ type: 'integer', name, min: 0, max: sizes[name] - 1 })),
  );
  const bytes = gunzipSync(readFileSync(`${base}.csv.gz`));
  const first = bytes.indexOf(NEWLINE);
  const header = bytes
    .toString('latin1', 0, first)
    .split(',')
    .map((field) => field.trim());
  const target = header.map((field) => domain.attributes.findIndex((attribute) => attribute.name === field));
  for (const attribute of domain.attributes)
    if (!header.includes(attribute.name)) throw new InputError(`${name}: has no column ${attribute.name}`);

  let length = 0;
  for (let at = first + 1; at < bytes.length; length++) {
    const end = bytes.indexOf(NEWLINE, at);
    at = end < 0 ? bytes.length : end + 1;
  }
  const columns = domain.attributes.map(({ size }) => codeColumn(size, length));
  let row = 0;
  let field = 0;
  let code = 0;
  const put = (): void => {
    const index = target[field];
    if (index < 0) return;
    if (!(code < domain.attributes[index].size))
      throw new InputError(
        `${name}, column ${header[field]}: codes must be below the declared size, row ${row + 1} is not`,
      );
    columns[index][row] = code;
  };
  for (let at = first + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte >= ZERO && byte <= ZERO + 9) code = code * 10 + byte - ZERO;
    else if (byte === COMMA || byte === NEWLINE) {
      put();
      code = 0;
      field = byte === COMMA ? field + 1 : 0;
      if (byte === NEWLINE) row++;
    }
  }
  if (field > 0) put();
  return { domain, length, columns };
};
