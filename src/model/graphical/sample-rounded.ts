import { type CodeColumn, codeColumn } from '../../domain/table.js';
import type { Random } from '../../random/random.js';
import { uniform } from '../../random/uniform.js';
import { contextCells, type SampleStep } from './sample-plan.js';

/** What all rows so far are short of for each cell of a watched marginal: expected minus made. */
interface Shortfall {
  /** By cell of (part of the context, attribute). */
  readonly values: Float64Array;
  /** How far each attribute of the context moves in `values`; 0 outside the part. */
  readonly strides: readonly number[];
}

/** Makes tables of rows whose counts stay near the model's, over all tables that it makes. */
export interface RoundedSampler {
  /** The columns of `rows` records in random order. */
  next(rows: number): CodeColumn[];
}

/**
 * Sampling by rounding. Attribute after attribute (`samplePlan`), the n rows that share a context cell get whole numbers of each
 * value that differ from n P(value | context) by less than one, and are dealt them at random: so the order of the rows tells
 * nothing, and given its context the attribute is independent of all else, as in the model.
 *
 * Which values are rounded up is drawn by systematic sampling with probabilities that are the fractions plus the average shortfall of the watched
 * marginals. A shortfall after a draw is noise of one draw, with expectation zero, instead of the sum over all contexts before it: counts of
 * separators and factors stay within a few of their expectations however many contexts there are, and later cliques inherit that.
 *
 * With `again` the shortfalls of every cell itself are kept too, for several tables that should be right together: 8 bytes a cell.
 * About 10 ns for each row and attribute, and a pass over the contexts' cells that have rows.
 */
export const roundedSampler = (steps: readonly SampleStep[], random: Random, again: boolean): RoundedSampler => {
  const shortfalls = steps.map(() => undefined as Shortfall[] | undefined);
  const tables = steps.map(() => undefined as Float64Array | undefined);
  let cells = new Uint32Array();
  return {
    next: (rows) => {
      if (cells.length < rows) cells = new Uint32Array(rows);
      const columns: CodeColumn[] = [];
      steps.forEach((step, index) => {
        const table = tables[index] ?? step.table();
        const short = shortfalls[index] ?? shortfallsOf(step, again);
        if (again) {
          tables[index] = table;
          shortfalls[index] = short;
        }
        contextCells(step, columns, rows, cells);
        columns[step.attribute] = roundStep(step, table, short, cells, rows, random);
      });
      return columns;
    },
  };
};

const shortfallsOf = (step: SampleStep, again: boolean): Shortfall[] => {
  const whole = step.context.map((_, place) => place);
  const parts = step.watched.length === 1 && step.watched[0].length === whole.length ? [] : [...step.watched];
  if (again || parts.length === 0) parts.push(whole);
  return parts.map((part) => {
    const strides = whole.map(() => 0);
    let stride = step.size;
    for (const place of [...part].reverse()) {
      strides[place] = stride;
      stride *= step.contextSizes[place];
    }
    return { values: new Float64Array(stride), strides };
  });
};

const roundStep = (
  step: SampleStep,
  table: Float64Array,
  shortfalls: readonly Shortfall[],
  cells: Uint32Array,
  rows: number,
  random: Random,
): CodeColumn => {
  const { size, contextSizes } = step;
  const starts = new Uint32Array(step.contextCells + 1);
  for (let row = 0; row < rows; row++) starts[cells[row] + 1]++;
  const pool = codeColumn(size, rows);
  const counts = new Uint32Array(size);
  const weights = new Float64Array(size);
  const bases = new Uint32Array(shortfalls.length);
  let at = 0;
  for (let context = 0; context < step.contextCells; context++) {
    const group = starts[context + 1];
    starts[context + 1] = starts[context] + group;
    if (group === 0) continue;
    shortfalls.forEach(({ strides }, i) => {
      let rest = context;
      let base = 0;
      for (let place = strides.length - 1; place >= 0; place--) {
        const next = Math.floor(rest / contextSizes[place]);
        base += (rest - next * contextSizes[place]) * strides[place];
        rest = next;
      }
      bases[i] = base;
    });
    roundGroup(table, context * size, size, group, shortfalls, bases, counts, weights, random);
    for (let value = 0; value < size; value++) {
      const end = at + counts[value];
      pool.fill(value, at, end);
      at = end;
    }
  }
  // Deals: each row takes one of those left for its context, at random. (Of n left, each with probability 1/n up to n 2^-32.)
  const column = codeColumn(size, rows);
  const next = starts.slice(0, step.contextCells);
  for (let row = 0; row < rows; row++) {
    const context = cells[row];
    const first = next[context]++;
    const chosen = first + Math.floor(random.uint32() * 2 ** -32 * (starts[context + 1] - first));
    column[row] = pool[chosen];
    pool[chosen] = pool[first];
  }
  return column;
};

/** Whole `counts` with sum `group`, each within one of group * P(value | context); keeps the shortfalls up to date. `weights` is scratch. */
const roundGroup = (
  table: Float64Array,
  start: number,
  size: number,
  group: number,
  shortfalls: readonly Shortfall[],
  bases: Uint32Array,
  counts: Uint32Array,
  weights: Float64Array,
  random: Random,
): void => {
  let mass = 0;
  for (let value = 0; value < size; value++) mass += table[start + value];
  const even = !(mass > 0);
  const scale = even ? group / size : group / mass;
  let left = group;
  let sum = 0;
  for (let value = 0; value < size; value++) {
    const expected = even ? scale : table[start + value] * scale;
    const whole = Math.min(Math.floor(expected), left);
    const fraction = expected - whole;
    counts[value] = whole;
    left -= whole;
    let weight = 0;
    if (fraction > 0) {
      let short = 0;
      for (let i = 0; i < shortfalls.length; i++) {
        const at = bases[i] + value;
        short += shortfalls[i].values[at];
        shortfalls[i].values[at] += fraction;
      }
      // Never zero: a value that has a fraction can be rounded up when no other can.
      weight = Math.min(1, Math.max(1e-9, fraction + short / shortfalls.length));
    }
    weights[value] = weight;
    sum += weight;
  }
  while (left > 0) {
    const gap = sum / left;
    let point = gap * (1 - uniform(random));
    let reached = 0;
    let picked = 0;
    for (let value = 0; value < size && picked < left; value++) {
      if (weights[value] === 0) continue;
      reached += weights[value];
      if (reached < point) continue;
      counts[value]++;
      picked++;
      for (let i = 0; i < shortfalls.length; i++) shortfalls[i].values[bases[i] + value]--;
      sum -= weights[value];
      weights[value] = 0;
      // A weight that spans two points is taken once; what is left is drawn again among the others.
      while (point <= reached) point += gap;
    }
    // Rounding may leave the last point beyond the sum, or nothing to draw from.
    if (picked === 0) {
      const value = largestShare(table, start, size);
      counts[value] += left;
      return;
    }
    left -= picked;
  }
};

const largestShare = (table: Float64Array, start: number, size: number): number => {
  let best = 0;
  for (let value = 1; value < size; value++) if (table[start + value] > table[start + best]) best = value;
  return best;
};
