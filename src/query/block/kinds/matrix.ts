import * as v from 'valibot';
import { plural } from '../../../domain/plural.js';
import type { BlockOf } from '../block.js';
import { type AlongAxis, type BlockKind, integer } from '../block-kind.js';
import { leastNormWeights } from '../least-norm-weights.js';
import { matrixProfile } from '../matrix-profile.js';

type Matrix = BlockOf<'matrix'>;

/** Entries of one matrix: it is kept as lists, and written out in full where it is measured. */
const maxEntries = 2 ** 23;

/** The entries that are not zero, list after list: those of list i from `starts[i]` to `starts[i + 1]`. */
interface Lists {
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly entries: Float64Array;
}

/** The rows of the matrix as lists of cells, or its columns as lists of rows. */
const listsOf = ({ rows }: Matrix, size: number, by: 'rows' | 'columns'): Lists => {
  const count = by === 'rows' ? rows.length : size;
  const starts = new Uint32Array(count + 1);
  for (let row = 0; row < rows.length; row++)
    for (let cell = 0; cell < size; cell++) if (rows[row][cell] !== 0) starts[(by === 'rows' ? row : cell) + 1]++;
  for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const places = new Uint32Array(starts[count]);
  const entries = new Float64Array(starts[count]);
  for (let row = 0; row < rows.length; row++)
    for (let cell = 0; cell < size; cell++) {
      const entry = rows[row][cell];
      if (entry === 0) continue;
      const at = next[by === 'rows' ? row : cell]++;
      places[at] = by === 'rows' ? cell : row;
      entries[at] = entry;
    }
  return { starts, places, entries };
};

/** out[o, r, i] = sum over the list of r of entry * values[o, place, i]. Zeros are skipped: they need no time, and make no NaN. */
const product = (
  { starts, places, entries }: Lists,
  from: number,
  values: Float64Array,
  outer: number,
  inner: number,
): Float64Array => {
  const to = starts.length - 1;
  const out = new Float64Array(outer * to * inner);
  for (let o = 0; o < outer; o++)
    for (let r = 0; r < to; r++) {
      const target = (o * to + r) * inner;
      const [start, end] = [starts[r], starts[r + 1]];
      if (inner === 1) {
        let sum = 0;
        for (let k = start; k < end; k++) sum += entries[k] * values[o * from + places[k]];
        out[target] = sum;
        continue;
      }
      for (let k = start; k < end; k++) {
        const entry = entries[k];
        const source = (o * from + places[k]) * inner;
        for (let i = 0; i < inner; i++) out[target + i] += entry * values[source + i];
      }
    }
  return out;
};

const apply: AlongAxis<Matrix> = (block, size, values, outer, inner) =>
  product(listsOf(block, size, 'rows'), size, values, outer, inner);

const transpose: AlongAxis<Matrix> = (block, size, values, outer, inner) =>
  product(listsOf(block, size, 'columns'), block.rows.length, values, outer, inner);

const extremes = ({ rows }: Matrix): readonly [number, number] => {
  let [low, high] = [rows[0][0], rows[0][0]];
  for (const row of rows)
    for (const entry of row) {
      if (entry < low) low = entry;
      if (entry > high) high = entry;
    }
  return [low, high];
};

/** Any integers, negative ones too. */
export const matrix: BlockKind<Matrix> = {
  fields: { rows: v.array(v.array(integer)) },
  check: ({ rows }, size, refuse) => {
    if (!Array.isArray(rows) || rows.length === 0) refuse('there must be at least one row', rows ?? null);
    if (rows.length * size > maxEntries)
      refuse(`a matrix may have ${maxEntries} entries`, `${rows.length} rows of ${size}`);
    const short = rows.find((row) => !Array.isArray(row) || row.length !== size);
    if (short !== undefined) refuse(`a row must have one entry for each of the ${size} cells`, short?.length ?? short);
    // Indexes rather than `find`, which would miss a hole.
    for (const row of rows)
      for (let cell = 0; cell < size; cell++)
        if (!Number.isSafeInteger(row[cell])) refuse('an entry must be an integer below 2^53', row[cell] ?? null);
  },
  rows: ({ rows }) => rows.length,
  apply,
  transpose,
  prepare: (block, size) => {
    const [rows, columns] = [listsOf(block, size, 'rows'), listsOf(block, size, 'columns')];
    return {
      apply: (values, outer, inner) => product(rows, size, values, outer, inner),
      transpose: (values, outer, inner) => product(columns, block.rows.length, values, outer, inner),
    };
  },
  profile: ({ rows }, size) => matrixProfile(rows, size),
  entries: extremes,
  squares: ({ rows }) => rows.map((row) => row.reduce((sum, entry) => sum + entry * entry, 0)),
  classes: () => undefined,
  totalWeights: (block, size) => {
    const [rows, columns] = [listsOf(block, size, 'rows'), listsOf(block, size, 'columns')];
    return leastNormWeights(
      {
        apply: (cells) => product(rows, size, cells, 1, 1),
        transpose: (answers) => product(columns, block.rows.length, answers, 1, 1),
      },
      block.rows.length,
      size,
    );
  },
  words: (attribute, { rows }) => `${plural(rows.length, 'linear combination')} of ${attribute}`,
  key: ({ rows }) => `matrix(${rows.map((row) => row.join(',')).join(';')})`,
};
