import { codesAt } from '../../domain/cell-index.js';
import { groupsKept } from '../../domain/constraints/mended.js';
import { cellsOf, type Domain, indexOf, sizesOf } from '../../domain/domain.js';
import { levelsOf } from '../../domain/households/levels-of.js';
import { InputError } from '../../domain/input-error.js';
import { codeColumn } from '../../domain/table.js';
import { chosenHouseholds, type HouseholdSupport } from '../../model/households/household-support.js';

/** Households that may be listed, unless told otherwise. */
export const defaultListed = 2 ** 20;

/** How many households there can be. */
export interface HouseholdNumbers {
  /** With ordered persons, as the paper counts them: d_G times the sum over i = 1..M of d_I^i. */
  readonly ordered: number;
  /** Without an order, as they are listed, and the persons of all of them. */
  readonly listed: number;
  readonly persons: number;
}

/** The numbers of households over a domain; infinite where no double holds them. */
export const householdNumbers = (domain: Domain): HouseholdNumbers => {
  const { maxSize } = needed(domain);
  const { household, person } = levelsOf(domain);
  const [own, kinds] = [cellsOf(domain, household), cellsOf(domain, person)];
  let [ordered, listed, persons] = [0, 0, 0];
  // Orders of i persons, and choices of i persons of `kinds` kinds with repetition.
  for (let i = 1, orders = 1, choices = 1; i <= maxSize; i++) {
    orders *= kinds;
    choices *= (kinds + i - 1) / i;
    ordered += own * orders;
    listed += own * Math.round(choices);
    persons += own * Math.round(choices) * i;
  }
  return { ordered, listed, persons };
};

/**
 * Every household that there can be, with the uniform distribution over *ordered* persons (the paper's A_0): persons are listed in no order, and a household starts
 * with as much weight as it has orders. No query sees the order, so all orders of one household get the same factors in every
 * update and keep the same weight: their sum, which is what is kept here, is all that any answer needs. Refuses more than `limit` households.
 */
export const allHouseholds = (domain: Domain, limit = defaultListed): HouseholdSupport => {
  checkListed(domain, limit);
  const { person, household } = levelsOf(domain);
  const { maxSize, size: sizeName } = needed(domain);
  const members = compositions(cellsOf(domain, person), maxSize);
  const own = cellsOf(domain, household);
  const [rows, homes] = [members.kinds.length, members.orders.length];
  const offsets = new Uint32Array(own * homes + 1);
  const weights = new Float64Array(own * homes);
  const whole = own * members.orders.reduce((sum, orders) => sum + orders, 0);
  const columns = domain.attributes.map(({ size }) => codeColumn(size, own * rows));
  const [householdSizes, personSizes] = [sizesOf(domain, household), sizesOf(domain, person)];
  for (let g = 0; g < own; g++) {
    codesAt(g, householdSizes).forEach((code, i) => {
      columns[indexOf(domain, household[i])].fill(code, g * rows, (g + 1) * rows);
    });
    for (let h = 0; h < homes; h++) {
      weights[g * homes + h] = members.orders[h] / whole;
      offsets[g * homes + h + 1] = g * rows + members.ends[h];
    }
  }
  const personColumns = person.map((name) => columns[indexOf(domain, name)]);
  const sizeColumn = sizeName === undefined ? undefined : columns[indexOf(domain, sizeName)];
  const codes = Array.from({ length: cellsOf(domain, person) }, (_, kind) => codesAt(kind, personSizes));
  for (let row = 0; row < own * rows; row++)
    for (let a = 0; a < personColumns.length; a++) personColumns[a][row] = codes[members.kinds[row % rows]][a];
  if (sizeColumn !== undefined)
    for (let h = 0; h + 1 < offsets.length; h++)
      sizeColumn.fill(offsets[h + 1] - offsets[h] - 1, offsets[h], offsets[h + 1]);
  return allowed({ table: { domain, length: own * rows, columns, offsets }, weights });
};

/** The households whose persons all keep the constraints of the domain; the uniform distribution over them. */
const allowed = (support: HouseholdSupport): HouseholdSupport => {
  const { table, weights } = support;
  const kept = groupsKept(table, table.offsets);
  if (kept.length === weights.length) return support;
  const sum = kept.reduce((all, h) => all + weights[h], 0);
  return { table: chosenHouseholds(table, kept), weights: Float64Array.from(kept, (h) => weights[h] / sum) };
};

/** Refuses a domain with more households than may be listed, and says how many there are. */
export const checkListed = (domain: Domain, limit = defaultListed): void => {
  const { ordered, listed } = householdNumbers(domain);
  if (listed <= limit) return;
  const text = (count: number) => (count > 1e12 ? count.toExponential(2) : count.toLocaleString('en-US'));
  throw new InputError(
    `domain: must have at most ${text(limit)} possible households to be listed, got ${text(listed)} (${text(ordered)} with ordered persons); use fewer attributes, coarser cells or smaller households`,
  );
};

const needed = (domain: Domain) => {
  if (domain.households === undefined)
    throw new InputError('domain: must declare households for h-mwem, got a plain one; see docs/households.md');
  return domain.households;
};

/** All choices of 1 to `maxSize` persons of some kinds: their kinds one after the other, where each choice ends, how many orders it has. */
const compositions = (kinds: number, maxSize: number) => {
  const [listed, ends, orders]: [number[], number[], number[]] = [[], [], []];
  const chosen: number[] = [];
  /** Extends `chosen`, whose last kind appears `run` times, by kinds that are not below it. */
  const extend = (ways: number, run: number): void => {
    const last = chosen.at(-1) ?? 0;
    for (let kind = last; kind < kinds; kind++) {
      const repeat = kind === last && chosen.length > 0 ? run + 1 : 1;
      // The j-th person, and the `repeat`-th of its kind: j! / product of the repeats' factorials, factor by factor.
      const own = (ways * (chosen.length + 1)) / repeat;
      chosen.push(kind);
      for (const one of chosen) listed.push(one);
      ends.push(listed.length);
      orders.push(own);
      if (chosen.length < maxSize) extend(own, repeat);
      chosen.pop();
    }
  };
  extend(1, 0);
  return { kinds: Uint32Array.from(listed), ends, orders };
};
