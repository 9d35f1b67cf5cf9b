import type { Attribute } from '../attribute/attribute.js';
import { isOrdered, nullCell, otherCell, valueCells } from '../attribute/cells.js';
import { cellAt, stridesOf } from '../cell-index.js';
import { type Domain, indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { type CodeColumn, codeColumn, type Table } from '../table.js';
import type { CellFactor } from './cell-factor.js';
import { checkCells } from './rules.js';

/** What the cell of a column becomes, given the cells of others that have been mended before. */
export interface MendStep {
  readonly attribute: number;
  readonly parents: readonly number[];
  /** By the parents' cells, row-major, then by the column's own. */
  readonly becomes: CodeColumn;
}

/** A table of what may be over some columns, the last of which comes last in the order of mending. */
interface Bucketed {
  readonly scope: readonly number[];
  readonly allowed: Uint8Array;
}

/**
 * How any row becomes one that all factors allow: columns one after the other in a fixed order, each staying where it is if the rest can follow,
 * and else going to the nearest cell from which it can. That is bucket elimination (Dechter 1999) for "is there a rest?", done once and for
 * public things alone; a row then takes a look into one table for each column. One row stays one row, whatever the other rows are.
 */
export const mendingSteps = (domain: Domain, factors: readonly CellFactor[]): MendStep[] => {
  const order = mendingOrder(domain, factors);
  const rank = new Map(order.map((at, i) => [at, i]));
  const sizeOf = (at: number): number => domain.attributes[at].size;
  const buckets = order.map((): Bucketed[] => []);
  const put = (part: Bucketed): void => {
    buckets[rank.get(part.scope[part.scope.length - 1])!].push(part);
  };
  for (const { attributes, allowed } of factors) {
    const scope = attributes.toSorted((a, b) => rank.get(a)! - rank.get(b)!);
    put({ scope, allowed: rearranged(allowed, attributes, scope, sizeOf) });
  }
  const steps: MendStep[] = [];
  for (let at = order.length - 1; at >= 0; at--) {
    const parts = buckets[at];
    const attribute = order[at];
    const parents = [...new Set(parts.flatMap(({ scope }) => scope))]
      .filter((one) => one !== attribute)
      .sort((a, b) => rank.get(a)! - rank.get(b)!);
    const scope = [...parents, attribute];
    checkCells(
      scope.map((one) => domain.attributes[one]),
      'schema: constraints: columns that hang together through them',
    );
    const allowed = conjunction(parts, scope, sizeOf);
    const size = sizeOf(attribute);
    const rest = new Uint8Array(allowed.length / size);
    for (let cell = 0; cell < allowed.length; cell++) if (allowed[cell] === 1) rest[Math.floor(cell / size)] = 1;
    if (rest.includes(0)) {
      if (parents.length === 0)
        throw new InputError(
          `schema: constraints: must leave some row possible, got a set that forbids every one; look at ${placesOf(factors, attribute)}`,
        );
      put({ scope: parents, allowed: rest });
    }
    const becomes = nearestAllowed(domain.attributes[attribute], allowed);
    if (becomes !== undefined) steps.unshift({ attribute, parents, becomes });
  }
  checkSize(domain, steps);
  return steps;
};

/** The number of persons is made of the rows: no rule can change it. */
const checkSize = (domain: Domain, steps: readonly MendStep[]): void => {
  const size = domain.households?.size;
  if (size !== undefined && steps.some(({ attribute }) => domain.attributes[attribute].name === size))
    throw new InputError(
      `schema: constraints: must leave every number of persons possible, got some that none of the rest goes with; lower twoLevel.maxSize, or allow more for ${JSON.stringify(size)}`,
    );
};

const placesOf = (factors: readonly CellFactor[], attribute: number): string =>
  [
    ...new Set(
      factors
        .filter(({ attributes }) => attributes.includes(attribute))
        .flatMap(({ rules }) => rules.map(({ place }) => place.replace('schema: ', ''))),
    ),
  ].join(', ');

/** Columns of households before those of persons, the number of persons first; what determines before what it determines; otherwise as in the schema. */
const mendingOrder = (domain: Domain, factors: readonly CellFactor[]): number[] => {
  const households = new Set((domain.households?.attributes ?? []).map((name) => indexOf(domain, name)));
  const size = domain.households?.size === undefined ? -1 : indexOf(domain, domain.households.size);
  const level = (at: number): number => (at === size ? 0 : households.has(at) ? 1 : 2);
  const waiting = [...new Set(factors.flatMap(({ attributes }) => attributes))].sort(
    (a, b) => level(a) - level(b) || a - b,
  );
  const before = new Map<number, Set<number>>();
  for (const { rules } of factors)
    for (const { follower, attributes } of rules)
      if (follower !== undefined) {
        const known = before.get(follower) ?? new Set<number>();
        for (const at of attributes) if (at !== follower && level(at) <= level(follower)) known.add(at);
        before.set(follower, known);
      }
  const order: number[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((at) => [...(before.get(at) ?? [])].every((one) => order.includes(one)));
    // Columns that determine each other wait for none.
    order.push(...waiting.splice(Math.max(0, ready), 1));
  }
  return order;
};

const rearranged = (
  allowed: Uint8Array,
  from: readonly number[],
  to: readonly number[],
  sizeOf: (at: number) => number,
): Uint8Array => conjunction([{ scope: from, allowed }], to, sizeOf);

/** The table over a scope of what all parts allow. */
const conjunction = (
  parts: readonly Bucketed[],
  scope: readonly number[],
  sizeOf: (at: number) => number,
): Uint8Array => {
  const sizes = scope.map(sizeOf);
  const result = new Uint8Array(sizes.reduce((product, size) => product * size, 1)).fill(1);
  for (const { scope: own, allowed } of parts) {
    const strides = stridesOf(own.map(sizeOf));
    const steps = scope.map((at) => (own.includes(at) ? strides[own.indexOf(at)] : 0));
    const codes = new Uint32Array(sizes.length);
    let at = 0;
    for (let cell = 0; cell < result.length; cell++) {
      if (allowed[at] === 0) result[cell] = 0;
      for (let axis = sizes.length - 1; axis >= 0; axis--) {
        at += steps[axis];
        if (++codes[axis] < sizes[axis]) break;
        at -= steps[axis] * sizes[axis];
        codes[axis] = 0;
      }
    }
  }
  return result;
};

/** For each cell of the parents, what each cell of the column becomes; undefined where all stay. */
const nearestAllowed = (attribute: Attribute, allowed: Uint8Array): CodeColumn | undefined => {
  const { size, spec } = attribute;
  const becomes = codeColumn(size, allowed.length);
  const [values, other, empty] = [valueCells(spec), otherCell(spec), nullCell(spec)];
  const ordered = isOrdered(attribute);
  let moves = false;
  for (let start = 0; start < allowed.length; start += size) {
    const may = (cell: number): boolean => cell >= 0 && allowed[start + cell] === 1;
    const first = allowed.subarray(start, start + size).indexOf(1);
    for (let cell = 0; cell < size; cell++) {
      let goes = cell;
      if (first >= 0 && !may(cell)) {
        moves = true;
        goes = ordered && cell < values ? nearestIn(may, cell, values) : -1;
        if (goes < 0) goes = may(other) ? other : may(empty) ? empty : first;
      }
      becomes[start + cell] = goes;
    }
  }
  return moves ? becomes : undefined;
};

/** The nearest value cell, the lower of two; -1 for none. */
const nearestIn = (may: (cell: number) => boolean, cell: number, values: number): number => {
  for (let far = 1; far < values; far++) {
    if (cell - far >= 0 && may(cell - far)) return cell - far;
    if (cell + far < values && may(cell + far)) return cell + far;
  }
  return -1;
};

/** The cell that a step gives a row: of its codes, one for each parent and then the column's own. */
export const mendedCell = ({ becomes }: MendStep, sizes: readonly number[], codes: readonly number[]): number =>
  becomes[cellAt(codes, sizes)];

/** Number of cells of the parents of a step, and of its own column. */
export const sizesIn = ({ attributes }: Domain, { parents, attribute }: MendStep): number[] =>
  [...parents, attribute].map((at) => attributes[at].size);

/** Rows of which none breaks a constraint: those of the table, mended. The table itself where nothing has to change. */
export const mendedBy = <T extends Table>(steps: readonly MendStep[], table: T): T => {
  const columns = [...table.columns];
  for (const step of steps) {
    const { parents, attribute, becomes } = step;
    const sizes = sizesIn(table.domain, step);
    const own = [...parents, attribute].map((at) => columns[at]);
    const codes = codeColumn(sizes[parents.length], table.length);
    let changed = false;
    for (let row = 0; row < table.length; row++) {
      let place = 0;
      for (let i = 0; i < own.length; i++) place = place * sizes[i] + own[i][row];
      codes[row] = becomes[place];
      changed ||= codes[row] !== own[parents.length][row];
    }
    if (changed) columns[attribute] = codes;
  }
  return columns.every((column, at) => column === table.columns[at]) ? table : { ...table, columns };
};
