import type { Random } from '../../random/random.js';
import { type CellValue, columnDecoder } from '../attribute/column-decoder.js';
import type { Table } from '../table.js';
import type { Columns } from './encode-table.js';

/** How to write the values of a table's cells. */
export interface DecodeTableOptions {
  readonly random: Random;
  /** Columns of a *public* table by name, whose values numbers and dates are drawn from (see `columnDecoder`). */
  readonly like?: Columns | undefined;
}

/** A table's rows as columns of values by name, in the domain's order. */
export const decodeTable = (table: Table, options: DecodeTableOptions): Record<string, CellValue[]> => {
  const { random, like } = options;
  const columns: [string, CellValue[]][] = table.domain.attributes.map((attribute, index) => {
    const given = like !== undefined && Object.hasOwn(like, attribute.name) ? { like: like[attribute.name] } : {};
    const decode = columnDecoder(attribute, given, random);
    const codes = table.columns[index];
    const values = new Array<CellValue>(table.length);
    for (let row = 0; row < table.length; row++) values[row] = decode(codes[row]);
    return [attribute.name, values];
  });
  return Object.fromEntries(columns);
};
