import { mended } from '../../domain/constraints/mended.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { openCopies } from '../support/open-copies.js';
import { chosenHouseholds, type HouseholdSupport, householdCount, householdSupportOf } from './household-support.js';

/** What the copies of one open end weigh together, in public households. */
const householdsBeyond = 0.5;

/**
 * The public households as a prior. For every open end some of them are there once more, moved beyond it, as rows are (`priorOf`): all
 * persons of a household where the attribute is the household's, otherwise one of them.
 */
export const householdPriorOf = (table: HouseholdTable): HouseholdSupport => {
  const support = householdSupportOf(table);
  const { domain } = support.table;
  const copies = openCopies(domain, support.weights);
  if (copies === undefined) return support;
  const { open, copied, places } = copies;
  const [length, each] = [support.weights.length, copied.length];
  const chosen = [
    ...Array.from({ length }, (_, h) => h),
    ...Array.from({ length: open.length * each }, (_, copy) => copied[copy % each]),
  ];
  const wider = chosenHouseholds(support.table, chosen);
  const { columns, offsets } = wider;
  const own = domain.attributes.map(({ name }) => domain.households!.attributes.includes(name));
  for (let copy = 0; copy < open.length * each; copy++) {
    const [from, to] = [offsets[length + copy], offsets[length + copy + 1]];
    for (const { attribute, cell } of places(Math.floor(copy / each), copy % each))
      if (own[attribute]) columns[attribute].fill(cell, from, to);
      else columns[attribute][from + (copy % (to - from))] = cell;
  }
  const record = 1 / householdCount(table);
  const sum = 1 + open.length * householdsBeyond * record;
  const weights = new Float64Array(chosen.length).fill((householdsBeyond * record) / each / sum);
  for (let h = 0; h < length; h++) weights[h] = support.weights[h] / sum;
  return { table: mended(wider), weights, record: record / sum };
};
