import type { Columns } from '../domain/encode/encode-table.js';
import { InputError } from '../domain/input-error.js';
import type { Table } from '../domain/table.js';
import { joinedSupport, joinedTable, tableWeights } from '../model/support/joined.js';
import { openedSupport } from '../model/support/prior-of.js';
import type { Support } from '../model/support/support.js';

/** A public table of the same columns as the private one. */
export interface PublicTable {
  /** What the bundle and the report call it. */
  readonly name: string;
  readonly table: Table;
  /** Values of the attributes whose cells hold several, for synthetic values to be drawn like them. */
  readonly values?: Columns | undefined;
  /** What it counts for among several that serve together, in proportion to the others; 1 by default, whatever its size. */
  readonly weight?: number | undefined;
}

/** What a release starts from: a public table, or several as one. */
export interface PublicStart extends PublicTable {
  /** The distribution over its rows, where it is not that of the rows as they are. */
  readonly prior?: Support | undefined;
}

/** Several public tables as one: all rows, and the mixture of their distributions by their weights. */
export const together = (tables: readonly PublicTable[]): PublicStart => ({
  name: tables.map(({ name }) => name).join(' + '),
  table: joinedTable(tables.map(({ table }) => table)),
  values: joinedValues(tables),
  prior: openedSupport(joinedSupport(tables)),
});

/** What each of them counts for, with sum 1. */
export const weightsOf = (tables: readonly PublicTable[]): number[] => tableWeights(tables);

const joinedValues = (tables: readonly PublicTable[]): Columns | undefined => {
  const all = tables.flatMap(({ values }) => (values === undefined ? [] : [values]));
  if (all.length < tables.length) return undefined;
  return Object.fromEntries(Object.keys(all[0]).map((name) => [name, all.flatMap((one) => Array.from(one[name]))]));
};

/** Refuses two tables of one name: nobody could tell afterwards which of them served. */
export const checkNames = (tables: readonly Pick<PublicTable, 'name'>[]): void => {
  const twice = tables.find(({ name }, i) => tables.findIndex((other) => other.name === name) < i);
  if (twice !== undefined)
    throw new InputError(
      `public tables: must have names of their own, got ${JSON.stringify(twice.name)} twice; rename one`,
    );
};
