import type { Random } from '../../random/random.js';
import { type CellValue, columnDecoder } from '../attribute/column-decoder.js';
import type { Domain } from '../domain.js';
import type { Table } from '../table.js';
import type { Columns } from './encode-table.js';

/** How to write the values of a table's cells. */
export interface DecodeTableOptions {
  readonly random: Random;
  /** Columns of a *public* table by name, whose values numbers and dates are drawn from (see `columnDecoder`). */
  readonly like?: Columns | undefined;
}

/** The functions from cells to values of each attribute, in the domain's order. */
export const tableDecoders = (
  { attributes }: Domain,
  { random, like = {} }: DecodeTableOptions,
): ((cell: number) => CellValue)[] =>
  attributes.map((attribute) => {
    const { name } = attribute;
    return columnDecoder(attribute, { like: Object.hasOwn(like, name) ? like[name] : undefined }, random);
  });

/** A table's rows as columns of values by name, in the domain's order. */
export const decodeTable = (table: Table, options: DecodeTableOptions): Record<string, CellValue[]> => {
  const columns = tableDecoders(table.domain, options).map((decode, index): [string, CellValue[]] => {
    const codes = table.columns[index];
    const values = new Array<CellValue>(table.length);
    for (let row = 0; row < table.length; row++) values[row] = decode(codes[row]);
    return [table.domain.attributes[index].name, values];
  });
  return Object.fromEntries(columns);
};
