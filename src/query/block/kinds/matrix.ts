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
const product = (lists: Lists, from: number, values: Float64Array, outer: number, inner: number): Float64Array => {
  const to = lists.starts.length - 1;
  const out = new Float64Array(outer * to * inner);
  if (inner === 1) addSums(lists, from, values, out);
  else for (let o = 0; o < outer; o++) addMultiples(lists, values, o * from * inner, out, o * to * inner, inner);
  return out;
};

/** The product where the inner axis has one cell: four sums at a time, so that an entry is read once for all. */
const addSums = ({ starts, places, entries }: Lists, from: number, values: Float64Array, out: Float64Array): void => {
  const to = starts.length - 1;
  const outer = out.length / to;
  let o = 0;
  for (; o + 3 < outer; o += 4) {
    const [first, second] = [o * from, (o + 1) * from];
    const [third, fourth] = [(o + 2) * from, (o + 3) * from];
    for (let r = 0; r < to; r++) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let k = starts[r]; k < starts[r + 1]; k++) {
        const entry = entries[k];
        const place = places[k];
        a += entry * values[first + place];
        b += entry * values[second + place];
        c += entry * values[third + place];
        d += entry * values[fourth + place];
      }
      const target = o * to + r;
      out[target] = a;
      out[target + to] = b;
      out[target + 2 * to] = c;
      out[target + 3 * to] = d;
    }
  }
  for (; o < outer; o++)
    for (let r = 0; r < to; r++) {
      let sum = 0;
      for (let k = starts[r]; k < starts[r + 1]; k++) sum += entries[k] * values[o * from + places[k]];
      out[o * to + r] = sum;
    }
};

/** A slice of the product: multiples of rows of the inner axis, four at a time, so that what they are added to is read and written less often. */
const addMultiples = (
  { starts, places, entries }: Lists,
  values: Float64Array,
  source: number,
  out: Float64Array,
  target: number,
  inner: number,
): void => {
  for (let r = 0; r < starts.length - 1; r++) {
    const own = target + r * inner;
    const end = starts[r + 1];
    let k = starts[r];
    for (; k + 3 < end; k += 4) {
      const [a, b, c, d] = [entries[k], entries[k + 1], entries[k + 2], entries[k + 3]];
      const [p, q, s, t] = [places[k], places[k + 1], places[k + 2], places[k + 3]];
      const [first, second] = [source + p * inner, source + q * inner];
      const [third, fourth] = [source + s * inner, source + t * inner];
      for (let i = 0; i < inner; i++)
        out[own + i] +=
          a * values[first + i] + b * values[second + i] + (c * values[third + i] + d * values[fourth + i]);
    }
    for (; k < end; k++) {
      const entry = entries[k];
      const row = source + places[k] * inner;
      for (let i = 0; i < inner; i++) out[own + i] += entry * values[row + i];
    }
  }
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
