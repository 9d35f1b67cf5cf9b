import type { Random } from '../../random/random.js';
import { type CellValue, columnDecoder } from '../attribute/column-decoder.js';
import { keptWithin } from '../constraints/kept-within.js';
import type { Domain } from '../domain.js';
import type { Table } from '../table.js';
import type { Columns } from './encode-table.js';

/** How to write the values of a table's cells. */
export interface DecodeTableOptions {
  readonly random: Random;
  /** Columns of a *public* table by name, whose values numbers and dates are drawn from (see `columnDecoder`). */
  readonly like?: Columns | undefined;
  /** Values that rows have whatever they would be drawn as, by name, row after row as they are decoded; undefined where none is given. */
  readonly pinned?: Readonly<Record<string, readonly (CellValue | undefined)[]>> | undefined;
}

/**
 * The function from rows of cells, column by column in the domain's order, to their values. Values within cells are drawn apart, but for
 * columns that a constraint compares within their cells, which are drawn together.
 */
export const tableDecoder = (
  domain: Domain,
  { random, like = {}, pinned = {} }: DecodeTableOptions,
): ((columns: readonly ArrayLike<number>[]) => CellValue[][]) => {
  const decoders = domain.attributes.map((attribute) => {
    const { name } = attribute;
    return columnDecoder(attribute, { like: Object.hasOwn(like, name) ? like[name] : undefined }, random);
  });
  const keep = keptWithin(domain, decoders, random);
  const fixed = domain.attributes.map(({ name }) => (Object.hasOwn(pinned, name) ? pinned[name] : undefined));
  let done = 0;
  return (columns) => {
    const pinnedAt = (at: number, row: number): CellValue | undefined => fixed[at]?.[done + row];
    const values = decoders.map((decode, at) =>
      Array.from(columns[at], (cell, row) => pinnedAt(at, row) ?? decode(cell)),
    );
    keep(columns, values, pinnedAt);
    done += columns[0]?.length ?? 0;
    return values;
  };
};

/** A table's rows as columns of values by name, in the domain's order. */
export const decodeTable = ({ domain, columns }: Table, options: DecodeTableOptions): Record<string, CellValue[]> => {
  const values = tableDecoder(domain, options)(columns);
  return Object.fromEntries(domain.attributes.map(({ name }, i) => [name, values[i]]));
};
