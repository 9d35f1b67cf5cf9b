import { columnsOf } from '../../domain/count-rows.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { rowBytes } from '../../domain/table.js';
import { type Holding, holdingCells } from '../../query/holding.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { marginalCells } from '../marginal-cells.js';
import type { HouseholdModel } from '../model.js';
import { roundedCounts } from '../rounded-counts.js';
import { supportModel } from '../support/support-model.js';
import {
  checkHouseholdSupport,
  chosenHouseholds,
  type HouseholdSupport,
  spreadToPersons,
} from './household-support.js';
import { markRepeats } from './mark-repeats.js';

/** A model that is a distribution over listed households. It can say only what a mixture of them says. */
export interface HouseholdSupportModel extends HouseholdModel {
  readonly kind: 'households';
  readonly support: HouseholdSupport;
}

/**
 * Models so many households that are distributed like `support`. What asks about persons is answered by a support model of their rows, each
 * with its household's weight; what counts households is a pass over the rows that counts each household once a cell.
 */
export const householdSupportModel = (support: HouseholdSupport, householdTotal: number): HouseholdSupportModel => {
  const { table, weights } = support;
  const { domain, length, columns, offsets } = table;
  checkHouseholdSupport(support);
  const own = new Float64Array(length);
  spreadToPersons(table, weights, own);
  /** Persons for each household. */
  const persons = own.reduce((sum, weight) => sum + weight, 0);
  for (let row = 0; row < length; row++) own[row] /= persons;
  const people = supportModel({ domain, length, columns, weights: own }, householdTotal * persons);

  const holdings = (query: Holding): Float64Array => {
    holdingCells(query, domain);
    const cells = marginalCells(domain, query.attributes);
    const index = new Uint32Array(length);
    for (const { column, size } of columnsOf(table, query.attributes))
      for (let row = 0; row < length; row++) index[row] = index[row] * size + column[row];
    markRepeats(index, table, cells);
    const sums = new Float64Array(cells + 1);
    for (let h = 0; h + 1 < offsets.length; h++)
      for (let row = offsets[h]; row < offsets[h + 1]; row++) sums[index[row]] += householdTotal * weights[h];
    return query.cell === undefined ? sums.slice(0, cells) : sums.slice(query.cell, query.cell + 1);
  };

  return {
    kind: 'households',
    domain,
    support,
    householdTotal,
    total: people.total,
    cost: { bytes: length * (rowBytes(domain) + 8) + offsets.length * 12, visits: length },
    marginal: people.marginal,
    answer: (query) => (query.kind === 'holding' ? holdings(query) : people.answer(query)),
    households: (count, random) => drawHouseholds(support, count, random),
  };
};

/**
 * Whole households by their weights, each as often as `roundedCounts` says, with all their persons: the two stages of the paper's sampling are one
 * here. They come in random order, since their order must not tell how the support was made.
 */
const drawHouseholds = ({ table, weights }: HouseholdSupport, count: number, random: Random): HouseholdTable => {
  const copies = roundedCounts(weights, count, random);
  const drawn: number[] = [];
  copies.forEach((times, h) => {
    for (let copy = 0; copy < times; copy++) drawn.push(h);
  });
  return chosenHouseholds(table, shuffle(drawn, random));
};
