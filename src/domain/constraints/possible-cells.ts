import { cellAt, codesAt } from '../cell-index.js';
import { cellsOf, type Domain, indexOf, sizesOf } from '../domain.js';
import type { CellFactor } from './cell-factor.js';
import { constraintsOf } from './constraints-of.js';

/** What was counted before, by the names of the columns. */
const counted = new WeakMap<Domain, Map<string, number>>();

/**
 * How many cells of some columns a record can be in; all of them where nothing is constrained. Each constraint is taken by itself: what several of them forbid only
 * together is counted as possible. Noise in a cell that cannot be tells nothing and misleads nobody, since every model knows that it is empty.
 */
export const possibleCells = (domain: Domain, names: readonly string[]): number => {
  const { factors } = constraintsOf(domain) ?? { factors: [] };
  if (factors.length === 0) return cellsOf(domain, names);
  const key = JSON.stringify(names);
  const known = counted.get(domain) ?? new Map<string, number>();
  counted.set(domain, known);
  const count = known.get(key) ?? countPossible(domain, names, factors);
  known.set(key, count);
  return count;
};

/** A constraint as far as it speaks of some columns: their places among these, and which of their combinations may be. */
interface Shadow {
  readonly places: readonly number[];
  readonly allowed: Uint8Array;
}

const countPossible = (domain: Domain, names: readonly string[], factors: readonly CellFactor[]): number => {
  const columns = names.map((name) => indexOf(domain, name));
  const sizes = sizesOf(domain, names);
  const shadows = factors.flatMap((factor) => shadowOn(domain, columns, factor) ?? []);
  // Columns that no constraint cuts multiply what the others may be.
  const bound = columns.map((_, i) => i).filter((i) => shadows.some(({ places }) => places.includes(i)));
  const free = sizes.reduce((product, size, i) => (bound.includes(i) ? product : product * size), 1);
  const boundSizes = bound.map((i) => sizes[i]);
  const cells = boundSizes.reduce((product, size) => product * size, 1);
  let possible = 0;
  for (let cell = 0; cell < cells; cell++) {
    const codes = codesAt(cell, boundSizes);
    const may = shadows.every(({ places, allowed }) => {
      const own = places.map((place) => bound.indexOf(place));
      return (
        allowed[
          cellAt(
            own.map((at) => codes[at]),
            own.map((at) => boundSizes[at]),
          )
        ] === 1
      );
    });
    if (may) possible++;
  }
  return possible * free;
};

/** What a factor allows of the columns that it shares; undefined where that is everything. */
const shadowOn = (domain: Domain, columns: readonly number[], factor: CellFactor): Shadow | undefined => {
  const kept = factor.attributes.map((_, axis) => axis).filter((axis) => columns.includes(factor.attributes[axis]));
  if (kept.length === 0) return undefined;
  const sizes = factor.attributes.map((at) => domain.attributes[at].size);
  const keptSizes = kept.map((axis) => sizes[axis]);
  const allowed = new Uint8Array(keptSizes.reduce((product, size) => product * size, 1));
  factor.allowed.forEach((one, cell) => {
    if (one !== 1) return;
    const codes = codesAt(cell, sizes);
    allowed[
      cellAt(
        kept.map((axis) => codes[axis]),
        keptSizes,
      )
    ] = 1;
  });
  return allowed.includes(0)
    ? { places: kept.map((axis) => columns.indexOf(factor.attributes[axis])), allowed }
    : undefined;
};
