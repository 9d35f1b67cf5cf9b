import type { Attribute, AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { columnEncoder } from '../../src/domain/attribute/column-encoder.js';
import { kindOf } from '../../src/domain/attribute/kinds/kinds.js';
import type { DraftAttribute } from '../../src/domain/discover/draft.js';
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
  /** The numbers that ids have, as texts: two tables of the same ids share them. */
  readonly idNumbers?: Map<string, number> | undefined;
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
  { outside = 'declared', values = false, id, idNumbers = new Map(), ...reading }: ReadCodesOptions = {},
): Promise<ReadCodes> => {
  const { attributes } = domain;
  const encoders = attributes.map((attribute) => columnEncoder(attribute, outside));
  const writers = attributes.map(({ spec }) => {
    const format = formatOf(reading.written, spec);
    return format && plainWriter(format);
  });
  const blocks = attributes.map(({ size }) => codeBlocks(size));
  const idBlocks = codeBlocks(2 ** 32);
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
      const at = fillCodes(idBlocks, rows, (row) => numberOf(idNumbers, columns[idPlace][row]));
      if (at < rows) throw ownerless(file, id, read + at + 1);
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
const numberOf = (numbers: Map<string, number>, value: unknown): number | null => {
  if (value === null || value === '') return null;
  const text = String(value);
  const number = numbers.get(text) ?? numbers.size;
  if (number === numbers.size) numbers.set(text, number);
  return number;
};

/** Bytes of a table whose values are kept as they are: each of them is a text in memory. */
const mostRawBytes = 2 ** 29;

/** The columns of a private table as they are, for what is asked of it before there is a schema. Texts that recur are kept once. */
export const readRaw = async (
  file: TableBlob,
  specs: readonly DraftAttribute[],
  { id, ...reading }: ReadPartsOptions & { readonly id?: string | undefined },
): Promise<{ readonly columns: Columns; readonly ids?: readonly string[] | undefined }> => {
  if (file.blob.size > mostRawBytes)
    throw new InputError(
      `${file.name}: must have at most ${mostRawBytes} bytes for its columns to be asked for in a page, got more; declare them, or use the command line`,
    );
  const writers = specs.map((spec) => {
    const format = formatOf(reading.written, spec as AttributeSpec);
    return format && plainWriter(format);
  });
  const kept = specs.map((): unknown[] => []);
  const ids: string[] = [];
  const known = specs.map(() => new Map<unknown, unknown>());
  let read = 0;
  for await (const { names, columns } of tableParts(file, reading)) {
    for (const [a, { name }] of specs.entries()) {
      const write = writers[a];
      for (const value of columns[placeOf(file, names, name, true)]) {
        const plain = write === undefined || typeof value !== 'string' ? value : write(value);
        const own = known[a].get(plain) ?? plain;
        if (known[a].size < mostKnown) known[a].set(own, own);
        kept[a].push(own);
      }
    }
    if (id !== undefined)
      for (const [row, value] of columns[placeOf(file, names, id, true)].entries()) {
        if (value === null || value === '') throw ownerless(file, id, read + row + 1);
        ids.push(String(value));
      }
    read += columns[0].length;
  }
  return {
    columns: Object.fromEntries(specs.map(({ name }, a) => [name, kept[a]])),
    ids: id === undefined ? undefined : ids,
  };
};

/** Different texts of a column that are kept once each; columns with more have few that recur. */
const mostKnown = 100_000;

const ownerless = (file: TableBlob, id: string, row: number): InputError =>
  new InputError(
    `${file.name}: column ${JSON.stringify(id)}, row ${row}: must say whose the row is, and it is empty; fill it or remove such rows`,
  );

/** Where a column stands. Of a private table no message lists what its columns are called. */
const placeOf = (file: TableBlob, names: readonly string[], name: string, isPrivate = false): number => {
  const place = names.indexOf(name);
  if (place >= 0) return place;
  const guess = isPrivate ? undefined : nearest(name, names);
  throw new InputError(
    `${file.name}: must have the column ${JSON.stringify(name)}, got a table without it; ${guess === undefined ? 'check its header against the columns' : `did you mean ${JSON.stringify(guess)}?`}`,
  );
};
