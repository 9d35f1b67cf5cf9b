/** A numbering of rows by what they hold: equal rows share a number. */
export interface Numbering {
  /** The number of each row. */
  readonly ids: Uint32Array;
  /** How many numbers there are; they count up from 0 in the order of first appearance. */
  readonly count: number;
  /** A row for each number. */
  readonly first: Uint32Array;
}

/** Numbers rows by an integer key below `bound` (at most 2^53). One pass, by a table where it is small, else by hashing. */
const compact = (keys: Float64Array, bound: number): Numbering => {
  const { length } = keys;
  const ids = new Uint32Array(length);
  const first = new Uint32Array(length);
  let count = 0;
  if (bound <= 8 * length + 1024) {
    const known = new Uint32Array(bound);
    for (let row = 0; row < length; row++) {
      const key = keys[row];
      if (known[key] === 0) {
        first[count] = row;
        known[key] = ++count;
      }
      ids[row] = known[key] - 1;
    }
  } else {
    let slots = 16;
    while (slots < 2 * length) slots *= 2;
    const known = new Uint32Array(slots);
    for (let row = 0; row < length; row++) {
      const key = keys[row];
      const high = (key / 0x100000000) | 0;
      let hash = Math.imul((key | 0) ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
      let slot = (hash ^ (hash >>> 13)) & (slots - 1);
      while (known[slot] !== 0 && keys[first[known[slot] - 1]] !== key) slot = (slot + 1) & (slots - 1);
      if (known[slot] === 0) {
        first[count] = row;
        known[slot] = ++count;
      }
      ids[row] = known[slot] - 1;
    }
  }
  return { ids, count, first: first.slice(0, count) };
};

export interface CodedColumn {
  readonly codes: ArrayLike<number>;
  /** Every code is below it. */
  readonly size: number;
}

/** Numbers rows by the tuple of their codes in some columns; without columns all rows are alike. */
export const numberRows = (columns: readonly CodedColumn[], length: number): Numbering => {
  let numbering: Numbering = {
    ids: new Uint32Array(length),
    count: Math.min(1, length),
    first: new Uint32Array(Math.min(1, length)),
  };
  const keys = new Float64Array(length);
  for (let next = 0; next < columns.length; ) {
    // As many columns at a time as a double holds exactly.
    let bound = Math.max(1, numbering.count);
    for (let row = 0; row < length; row++) keys[row] = numbering.ids[row];
    do {
      const { codes, size } = columns[next++];
      for (let row = 0; row < length; row++) keys[row] = keys[row] * size + codes[row];
      bound *= size;
    } while (next < columns.length && bound * columns[next].size <= 2 ** 53);
    numbering = compact(keys, bound);
  }
  return numbering;
};
