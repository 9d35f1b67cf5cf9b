import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { columnEncoder } from '../../src/domain/attribute/column-encoder.js';
import { kindOf } from '../../src/domain/attribute/kinds/kinds.js';
import type { Domain } from '../../src/domain/domain.js';
import { type Columns, encodingError } from '../../src/domain/encode/encode-table.js';
import { plainWriter } from '../../src/domain/format/column-format.js';
import { formatOf } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import { nearest } from '../../src/domain/nearest.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { rowBytes, type Table } from '../../src/domain/table.js';
import { codeBlocks, fillCodes } from '../table/code-blocks.js';
import { tableParts } from './table-blob.js';
import type { ReadPartsOptions, TableBlob } from './table-part.js';

export interface ReadCodesOptions extends ReadPartsOptions {
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Keep the values within cells that hold several, of the first million rows. */
  readonly values?: boolean | undefined;
  /** A column to read whose every row must say whose it is. */
  readonly id?: string | undefined;
}

/** A table as cells; with the values within its cells and the number of each row's id, where they are wanted. */
export interface ReadCodes {
  readonly table: Table;
  readonly values?: Columns | undefined;
  readonly ids?: Uint32Array | undefined;
}

/** Rows whose values are kept, beside their codes. */
const mostValues = 1_000_000;
/** Bytes of codes that a page takes: a browser gives a tab a few GB, and the release needs the codes twice. */
const mostBytes = 2 ** 30;

/** Attributes whose cells hold more than one value: synthetic values are drawn like the public ones. */
const holdsMany = ({ spec }: Attribute): boolean => kindOf(spec).single(spec) === undefined;

/** Reads a table as cells of a domain; the first value without a cell is an `InputError` with its column and row. */
export const readCodes = async (
  file: TableBlob,
  domain: Domain,
  { outside = 'declared', values = false, id, ...reading }: ReadCodesOptions = {},
): Promise<ReadCodes> => {
  const { attributes } = domain;
  const encoders = attributes.map((attribute) => columnEncoder(attribute, outside));
  const writers = attributes.map(({ spec }) => {
    const format = formatOf(reading.written, spec);
    return format && plainWriter(format);
  });
  const blocks = attributes.map(({ size }) => codeBlocks(size));
  const idBlocks = codeBlocks(2 ** 32);
  const numbers = new Map<unknown, number>();
  const wanted = values ? attributes.map(holdsMany) : attributes.map(() => false);
  const kept = attributes.map((): unknown[] => []);
  const width = rowBytes(domain) + (id === undefined ? 0 : 4);
  let places: readonly number[] | undefined;
  let idPlace = -1;
  let read = 0;
  for await (const { names, columns } of tableParts(file, reading)) {
    places ??= attributes.map(({ name }) => placeOf(file, names, name, reading.isPrivate));
    if (id !== undefined && idPlace < 0) idPlace = placeOf(file, names, id, reading.isPrivate);
    const rows = columns[0].length;
    if ((read + rows) * width > mostBytes)
      throw new InputError(
        `${file.name}: its cells must fit in ${mostBytes} bytes in a page, got more; use the command line for tables of this size`,
      );
    let first = rows;
    let worst: readonly [attribute: Attribute, code: number] | undefined;
    for (const [a, attribute] of attributes.entries()) {
      const column = columns[places[a]];
      const [encode, write] = [encoders[a], writers[a]];
      let code = 0;
      const at = fillCodes(blocks[a], rows, (row) => {
        const value = column[row];
        code = encode(write === undefined || typeof value !== 'string' ? value : write(value));
        return code < 0 ? null : code;
      });
      if (at < first) {
        first = at;
        worst = [attribute, code];
      }
      if (wanted[a] && read < mostValues) for (const value of column) kept[a].push(value);
    }
    if (worst !== undefined)
      throw new InputError(`${file.name}: ${encodingError(worst[0], worst[1], read + first + 1).message}`);
    if (id !== undefined) {
      const at = fillCodes(idBlocks, rows, (row) => numberOf(numbers, columns[idPlace][row]));
      if (at < rows)
        throw new InputError(
          `${file.name}: column ${JSON.stringify(id)}, row ${read + at + 1}: must say whose the row is, and it is empty; fill it or remove such rows`,
        );
    }
    read += rows;
  }
  return {
    table: { domain, length: read, columns: blocks.map(({ finish }) => finish()) },
    ids: id === undefined ? undefined : (idBlocks.finish() as Uint32Array),
    values: wanted.some(Boolean)
      ? Object.fromEntries(attributes.flatMap(({ name }, a) => (wanted[a] ? [[name, kept[a]]] : [])))
      : undefined,
  };
};

/** A number for each id, counting from 0 as they first appear. */
const numberOf = (numbers: Map<unknown, number>, value: unknown): number | null => {
  if (value === null || value === '') return null;
  const number = numbers.get(value) ?? numbers.size;
  if (number === numbers.size) numbers.set(value, number);
  return number;
};

/** Where a column stands. Of a private table no message lists what its columns are called. */
const placeOf = (file: TableBlob, names: readonly string[], name: string, isPrivate = false): number => {
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const guess = isPrivate ? undefined : nearest(name, names);
  throw new InputError(
    `${file.name}: must have the column ${JSON.stringify(name)}, got a table without it; ${guess === undefined ? 'check its header against the columns' : `did you mean ${JSON.stringify(guess)}?`}`,
  );
};
