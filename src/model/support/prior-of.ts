import { mended } from '../../domain/constraints/mended.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { atOnce, type Turns } from '../../domain/turns.js';
import { findingDistinct } from './distinct-rows.js';
import { openCopies } from './open-copies.js';
import { reweighted, type Support, supporting } from './support.js';

/** What the copies of one open end weigh together, in public records: so little that they do not count where nothing lies there. */
const recordsBeyond = 0.05;

/**
 * The public table as a prior. A mixture of public rows can say nothing of what no public row has, and hardly any has what lies beyond
 * the ends that were learned from them. So for every open end some rows are there once more, evenly from all of the table, moved
 * beyond it; they weigh next to nothing until measurements give them weight.
 */
export const priorOf = (table: Table): Support => atOnce(preparingPrior(table));

/** The same in turns. */
export function* preparingPrior(table: Table): Turns<Support> {
  return yield* openingSupport(yield* supporting(table), 1 / table.length);
}

/** The same of public rows that were put together before, the lightest of which count as one record. */
export const openedSupport = (support: Support): Support => atOnce(openingSupport(support));

/** The same in turns. */
function* openingSupport(support: Support, record = least(support.weights)): Turns<Support> {
  const { domain, length, columns, weights } = support;
  const copies = openCopies(domain, weights);
  if (copies === undefined) return support;
  const { open, copied, places } = copies;
  const each = copied.length;
  const all = length + open.length * each;
  const wider = domain.attributes.map(({ size }, attribute) => {
    const column = codeColumn(size, all);
    column.set(columns[attribute]);
    for (let copy = 0; copy < all - length; copy++) column[length + copy] = columns[attribute][copied[copy % each]];
    return column;
  });
  for (let copy = 0; copy < all - length; copy++)
    for (const { attribute, cell } of places(Math.floor(copy / each), copy % each))
      wider[attribute][length + copy] = cell;
  const weighed = new Float64Array(all).fill((recordsBeyond * record) / each);
  weighed.set(weights);
  yield;
  const distinct = yield* findingDistinct(mended({ domain, length: all, columns: wider }), weighed);
  const opened = reweighted(
    { domain, length: distinct.length, columns: distinct.columns, weights: distinct.counts },
    distinct.counts,
  );
  // Distinct rows keep their order, so those of the public table come first.
  return { ...opened, seen: { rows: length, record: record / (1 + open.length * recordsBeyond * record) } };
}

const least = (weights: Float64Array): number =>
  weights.reduce((min, weight) => (weight > 0 && weight < min ? weight : min), 1);
