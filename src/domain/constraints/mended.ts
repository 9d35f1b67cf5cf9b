import { rowsAt } from '../resample.js';
import type { Table } from '../table.js';
import { constraintsOf } from './constraints-of.js';
import { mendedBy } from './mending.js';

/**
 * Rows that keep the constraints of their domain: a row that breaks one goes to the nearest combination of cells that breaks none, by a rule
 * made of public things alone (`mendingSteps`), and every other row stays. Each row's place depends on that row only, so that whatever
 * counts rows is as sensitive to one of them as before.
 */
export const mended = <T extends Table>(table: T): T => mendedBy(constraintsOf(table.domain)?.mending ?? [], table);

/** Whether a row of a table keeps the constraints of its domain, as far as cells tell. */
const keeper = ({ domain, columns }: Table): ((row: number) => boolean) => {
  const { factors } = constraintsOf(domain) ?? { factors: [] };
  const parts = factors.map(({ attributes, allowed }) => ({
    allowed,
    columns: attributes.map((at) => columns[at]),
    sizes: attributes.map((at) => domain.attributes[at].size),
  }));
  return (row) =>
    parts.every((part) => {
      let cell = 0;
      for (let i = 0; i < part.sizes.length; i++) cell = cell * part.sizes[i] + part.columns[i][row];
      return part.allowed[cell] === 1;
    });
};

/** How many rows break a constraint of their domain: of public tables, for what is found of a private one must not be told. */
export const brokenRows = (table: Table): number => {
  const keeps = keeper(table);
  let broken = 0;
  for (let row = 0; row < table.length; row++) if (!keeps(row)) broken++;
  return broken;
};

/** The rows of a table that break no constraint of its domain; the table itself where none does. */
export const rowsKept = (table: Table): Table => {
  const keeps = keeper(table);
  const kept = Uint32Array.from({ length: table.length }, (_, row) => row).filter(keeps);
  return kept.length === table.length ? table : rowsAt(table, kept);
};

/** Of each group of rows, such as a household, whether all of them break no constraint. */
export const groupsKept = (table: Table, offsets: Uint32Array): number[] => {
  const keeps = keeper(table);
  return Array.from({ length: offsets.length - 1 }, (_, group) => group).filter((group) => {
    for (let row = offsets[group]; row < offsets[group + 1]; row++) if (!keeps(row)) return false;
    return true;
  });
};
