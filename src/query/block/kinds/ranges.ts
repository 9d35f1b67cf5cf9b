import * as v from 'valibot';
import { runningSums } from '../along-axis.js';
import type { BlockOf } from '../block.js';
import { type AlongAxis, type BlockKind, integer } from '../block-kind.js';
import { binary } from '../block-profile.js';
import { leastNormWeights } from '../least-norm-weights.js';
import { rangePairs } from '../range-pairs.js';
import { isCell } from './count-cells.js';

type Ranges = BlockOf<'ranges'>;

/** Differences of cumulative sums, which are exact on integers; summed one by one where the cumulative sum is not. */
const apply: AlongAxis<Ranges> = ({ ranges }, size, values, outer, inner) => {
  const rows = ranges.length;
  const out = new Float64Array(outer * rows * inner);
  const upTo = new Float64Array(size + 1);
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < inner; i++) {
      const from = o * size * inner + i;
      for (let cell = 0; cell < size; cell++) upTo[cell + 1] = upTo[cell] + values[from + cell * inner];
      const to = o * rows * inner + i;
      const exact = upTo[size] <= Number.MAX_SAFE_INTEGER;
      for (let row = 0; row < rows; row++) {
        const [low, high] = ranges[row];
        let sum = 0;
        if (exact) sum = upTo[high + 1] - upTo[low];
        else for (let cell = low; cell <= high; cell++) sum += values[from + cell * inner];
        out[to + row * inner] = sum;
      }
    }
  return out;
};

/** A range adds its residual where it starts and takes it back behind its end; then one running sum. */
const transpose: AlongAxis<Ranges> = ({ ranges }, size, values, outer, inner) => {
  const out = new Float64Array(outer * size * inner);
  for (let o = 0; o < outer; o++)
    for (let row = 0; row < ranges.length; row++) {
      const [low, high] = ranges[row];
      const from = (o * ranges.length + row) * inner;
      const start = (o * size + low) * inner;
      for (let i = 0; i < inner; i++) out[start + i] += values[from + i];
      const end = (o * size + high + 1) * inner;
      if (high < size - 1) for (let i = 0; i < inner; i++) out[end + i] -= values[from + i];
    }
  return runningSums(1, size, out, outer, inner, out);
};

/** Greedy colouring of intervals by their start: the fewest classes there can be. */
const classes = ({ ranges }: Ranges, size: number): Int32Array[] => {
  const order = ranges.map((_, row) => row).sort((a, b) => ranges[a][0] - ranges[b][0] || a - b);
  const found: { rowOf: Int32Array; end: number }[] = [];
  for (const row of order) {
    const [low, high] = ranges[row];
    let free = found.find(({ end }) => end < low);
    if (free === undefined) {
      free = { rowOf: new Int32Array(size).fill(-1), end: -1 };
      found.push(free);
    }
    free.rowOf.fill(row, low, high + 1);
    free.end = high;
  }
  return found.map(({ rowOf }) => rowOf);
};

/** One row for each inclusive range of cells. */
export const ranges: BlockKind<Ranges> = {
  fields: { ranges: v.array(v.strictTuple([integer, integer])) },
  check: ({ ranges }, size, refuse) => {
    const stray = ranges.find(([low, high]) => !isCell(low, size) || !isCell(high, size) || low > high);
    if (stray !== undefined) refuse(`a range must be two cells with 0 <= low <= high <= ${size - 1}`, stray);
    if (ranges.length === 0) refuse('there must be at least one range', []);
  },
  rows: ({ ranges }) => ranges.length,
  apply,
  transpose,
  profile: ({ ranges }, size) => {
    const { pairs, exact } = rangePairs(ranges, size);
    return binary(pairs, ranges.some(([low, high]) => low > 0 || high < size - 1) ? 0n : 1n, exact);
  },
  entries: () => [0, 1],
  squares: ({ ranges }) => ranges.map(([low, high]) => high - low + 1),
  classes,
  totalWeights: (block, size) =>
    leastNormWeights(
      {
        apply: (cells) => apply(block, size, cells, 1, 1),
        transpose: (rows) => transpose(block, size, rows, 1, 1),
      },
      block.ranges.length,
      size,
    ),
  words: (attribute, { ranges }) => {
    const [[low, high]] = ranges;
    return ranges.length === 1 ? `${attribute} in cells ${low} to ${high}` : `${attribute} in ${ranges.length} ranges`;
  },
  key: ({ ranges }) => `ranges(${ranges.map(([low, high]) => `${low}-${high}`).join(',')})`,
};
