import { type CodeColumn, codeColumn } from '../../../domain/table.js';
import type { Turns } from '../../../domain/turns.js';
import type { Random } from '../../../random/random.js';
import { cellWalk, stridesIn } from '../cell-walk.js';
import { roundContexts } from './round-contexts.js';
import { contextCells, type SampleStep } from './sample-plan.js';

/**
 * Sampling by rounding. Attribute after attribute (`samplePlan`), the records that share a context cell get whole numbers of each value
 * (`roundContexts`) and are dealt them at random: so the order of the rows tells nothing, and given its context an attribute is
 * independent of all else, as in the model. About 10 ns for each row and attribute.
 */
export function* roundedColumns(steps: readonly SampleStep[], rows: number, random: Random): Turns<CodeColumn[]> {
  const cells = new Int32Array(rows);
  const columns: CodeColumn[] = [];
  for (const step of steps) {
    contextCells(step, columns, rows, cells);
    const groups = new Int32Array(step.contextCells);
    for (let row = 0; row < rows; row++) groups[cells[row]]++;
    const counts = roundContexts(step, step.table(), groups, random);
    columns[step.attribute] = dealt(step.size, groups, counts, cells, random);
    yield;
  }
  return columns;
}

/** Each row takes one of the values that are left for its context. */
const dealt = (
  size: number,
  groups: Int32Array,
  counts: Uint32Array,
  cells: Int32Array,
  random: Random,
): CodeColumn => {
  const rows = cells.length;
  const pool = codeColumn(size, rows);
  const next = new Int32Array(groups.length);
  const ends = new Int32Array(groups.length);
  for (let context = 0, at = 0; context < groups.length; context++) {
    next[context] = at;
    if (groups[context] === 0) continue;
    for (let value = 0; value < size; value++) {
      const count = counts[context * size + value];
      if (count > 0) pool.fill(value, at, at + count);
      at += count;
    }
    ends[context] = at;
  }
  const column = codeColumn(size, rows);
  for (let row = 0; row < rows; row++) {
    const context = cells[row];
    const first = next[context];
    // Of n left each has the probability 1/n, up to n / 2^32 of that.
    const chosen = first + ((random.uint32() * 2 ** -32 * (ends[context] - first)) | 0);
    column[row] = pool[chosen];
    pool[chosen] = pool[first];
    next[context] = first + 1;
  }
  return column;
};

/**
 * The same law, `chunk` rows at a time: the whole numbers are found for all rows first, 4 bytes for each cell of the plan, and each
 * row takes from what is left. Counts over all chunks are exactly as near to the model's as those of `roundedColumns`.
 */
export function* roundedChunks(
  steps: readonly SampleStep[],
  rows: number,
  chunk: number,
  random: Random,
): Generator<{ readonly length: number; readonly columns: CodeColumn[] }> {
  const left: Uint32Array[] = [];
  const totals: Float64Array[] = [];
  steps.forEach((step, index) => {
    totals[index] = groupsFrom(steps, left, index, rows);
    left[index] = roundContexts(step, step.table(), totals[index], random);
  });
  const cells = new Int32Array(Math.min(chunk, rows));
  for (let done = 0; done < rows; done += chunk) {
    const length = Math.min(chunk, rows - done);
    const columns: CodeColumn[] = [];
    steps.forEach((step, index) => {
      contextCells(step, columns, length, cells);
      columns[step.attribute] = taken(step.size, left[index], totals[index], cells, length, random);
    });
    yield { length, columns };
  }
}

/** How many of all rows have each context of a step, from the counts of an earlier one that holds its context. */
const groupsFrom = (
  steps: readonly SampleStep[],
  counts: readonly Uint32Array[],
  index: number,
  rows: number,
): Float64Array => {
  const { context, contextSizes, contextCells: cells } = steps[index];
  if (context.length === 0) return Float64Array.of(rows);
  const groups = new Float64Array(cells);
  for (let earlier = index - 1; ; earlier--) {
    const step = steps[earlier];
    const axes = [...step.context, step.attribute];
    if (!context.every((attribute) => axes.includes(attribute))) continue;
    const { offsets, inner, stride } = cellWalk(
      [...step.contextSizes, step.size],
      stridesIn(axes, context, contextSizes),
    );
    const source = counts[earlier];
    for (let run = 0, from = 0; run < offsets.length; run++)
      for (let i = 0; i < inner; i++) groups[offsets[run] + i * stride] += source[from++];
    return groups;
  }
};

/** Takes a value for each row from what its context has left, which it changes. */
const taken = (
  size: number,
  left: Uint32Array,
  totals: Float64Array,
  cells: Int32Array,
  rows: number,
  random: Random,
): CodeColumn => {
  const column = codeColumn(size, rows);
  for (let row = 0; row < rows; row++) {
    const context = cells[row];
    const start = context * size;
    let point = Math.floor(random.uint32() * 2 ** -32 * totals[context]--);
    let value = 0;
    while (point >= left[start + value]) point -= left[start + value++];
    left[start + value]--;
    column[row] = value;
  }
  return column;
};
