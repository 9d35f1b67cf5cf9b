import { cellsOf, type Domain, sizesOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { listed } from '../domain/listed.js';
import type { Marginal } from './marginal.js';

/**
 * For every cell of some attributes, the number of *households* that meet its household attributes and hold at least one person who meets all
 * its person attributes at once (the group-level queries Q_G of "Towards Differentially Private Query Release for Hierarchical Data", section 3).
 * With household attributes alone it counts households by them; without any it is their number. Cells are numbered as in a marginal. The
 * marginal of the same attributes counts the persons instead (Q_I).
 */
export interface Holding {
  readonly kind: 'holding';
  readonly attributes: readonly string[];
  /** The one cell that is asked about, by its number; all of them by default. */
  readonly cell?: number | undefined;
}

/** The number of households that hold somebody in each cell of the named attributes, in this order. */
export const holding = (...attributes: string[]): Holding => ({ kind: 'holding', attributes });

/** The number of households that hold somebody in one cell of the named attributes: a single answer, which a household moves by 1. */
export const holdingCell = (attributes: readonly string[], cell: number): Holding => ({
  kind: 'holding',
  attributes,
  cell,
});

/** What is counted in rows, and what in households. */
export type Counted = Marginal | Holding;

/** The cells of a holding query: of all its attributes, of the household's, and of the person's. */
export interface HoldingCells {
  readonly sizes: readonly number[];
  readonly household: number;
  /** The same without the attribute that is the number of persons. */
  readonly householdApart: number;
  readonly person: number;
  /** M: no household has more persons. */
  readonly maxSize: number;
}

/** The cells of a holding query, checked against the domain: the one place where such a query is found good or bad. */
export const holdingCells = ({ attributes, cell }: Holding, domain: Domain): HoldingCells => {
  const { households } = domain;
  if (households === undefined)
    throw new InputError(
      `query: households can be counted in a table that declares them, and not within groups of it, got ${attributes.join(' x ') || 'their number'}; ask for the marginal, which counts rows`,
    );
  const known = domain.attributes.map(({ name }) => name);
  attributes.forEach((name, index) => {
    if (!known.includes(name))
      throw new InputError(`query: its attributes must be among ${listed(known)}, got ${JSON.stringify(name)}`);
    if (attributes.indexOf(name) < index)
      throw new InputError(`query: an attribute may appear once, got ${JSON.stringify(name)} twice`);
  });
  const cells = cellsOf(domain, attributes);
  if (cell !== undefined && !(Number.isSafeInteger(cell) && cell >= 0 && cell < cells))
    throw new InputError(`query: its cell must be a whole number from 0 to ${cells - 1}, got ${JSON.stringify(cell)}`);
  const own = attributes.filter((name) => households.attributes.includes(name));
  return {
    sizes: sizesOf(domain, attributes),
    household: cellsOf(domain, own),
    householdApart: cellsOf(
      domain,
      own.filter((name) => name !== households.size),
    ),
    person: cellsOf(
      domain,
      attributes.filter((name) => !own.includes(name)),
    ),
    maxSize: households.maxSize,
  };
};

/** The refusal of whoever works from counts of rows: no marginal tells how many households hold somebody in a cell. */
export const notRows = ({ attributes }: Holding): InputError =>
  new InputError(
    `query: must be answered by counts of rows here, got one that counts households (${attributes.join(' x ') || 'their number'}); ask for the marginal of these attributes, or use what knows households`,
  );
