import type { Random } from '../../../random/random.js';
import { tableRounder } from './round-table.js';
import type { SampleStep } from './sample-plan.js';

/**
 * Whole numbers of records for each cell of (context, attribute), when each context has `groups[context]` records: each is one of the two
 * whole numbers around groups[context] * P(value | context), with that expectation; a context's add up to its records; and the sums
 * over all contexts that agree in the watched part are the whole numbers around their expectation, too.
 */
export const roundContexts = (
  step: SampleStep,
  table: Float64Array,
  groups: ArrayLike<number>,
  random: Random,
): Uint32Array => {
  const { size, contextCells } = step;
  const counts = new Uint32Array(contextCells * size);
  const rounder = tableRounder(size, random);
  const expected = new Float64Array(size);
  const { order, part } = byPart(step);
  for (let i = 0; i < contextCells; i++) {
    const context = order[i];
    const group = groups[context];
    if (group > 0) {
      const start = context * size;
      let mass = 0;
      for (let value = 0; value < size; value++) mass += table[start + value];
      // A context that has records and yet no mass has lost it to underflow.
      for (let value = 0; value < size; value++)
        expected[value] = mass > 0 ? (table[start + value] / mass) * group : group / size;
      rounder.row(expected, counts, start);
    }
    if (i === contextCells - 1 || part[order[i + 1]] !== part[context]) rounder.end();
  }
  repair(counts, table, groups, size);
  return counts;
};

/** The contexts, those that agree in the watched part one after the other, and the cell of that part for each. */
const byPart = ({ watched, contextSizes, contextCells }: SampleStep): { order: Uint32Array; part: Uint32Array } => {
  const part = new Uint32Array(contextCells);
  let stride = contextCells;
  let cells = 1;
  contextSizes.forEach((size, place) => {
    stride /= size;
    if (!watched.includes(place)) return;
    cells *= size;
    for (let context = 0; context < contextCells; context++)
      part[context] = part[context] * size + (Math.floor(context / stride) % size);
  });
  const starts = new Uint32Array(cells + 1);
  for (let context = 0; context < contextCells; context++) starts[part[context] + 1]++;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] += starts[cell];
  const order = new Uint32Array(contextCells);
  for (let context = 0; context < contextCells; context++) order[starts[part[context]]++] = context;
  return { order, part };
};

/** Contexts keep their number of records exactly, even where rounding errors of doubles add up to one. */
const repair = (counts: Uint32Array, table: Float64Array, groups: ArrayLike<number>, size: number): void => {
  for (let context = 0; context < groups.length; context++) {
    const start = context * size;
    let left = groups[context];
    for (let value = 0; value < size; value++) left -= counts[start + value];
    if (left === 0) continue;
    let most = 0;
    for (let value = 1; value < size; value++)
      if (table[start + value] + counts[start + value] > table[start + most] + counts[start + most]) most = value;
    counts[start + most] += left;
  }
};
