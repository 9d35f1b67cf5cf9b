import type { Random } from '../../../random/random.js';
import { uniform } from '../../../random/uniform.js';

/** Values this near to a whole number are one: what remains of rounding errors. */
const nearly = 1e-9;

/** Rounds the rows of a table one after the other, so that the sums over rows come out well too. */
export interface TableRounder {
  /**
   * Takes a row of `size` expected counts whose sum is a whole number; its rounded counts are added to `counts` from `start` on,
   * some of them now, all of them by the next `end`. Both arrays are read and written until then.
   */
  row(expected: Float64Array, counts: Uint32Array, start: number): void;
  /** Settles all rows since the last `end`. */
  end(): void;
}

/**
 * Dependent rounding of a two-way table (Gandhi, Khuller, Parthasarathy, Srinivasan, J. ACM 53, 2006): every entry becomes one of the two whole
 * numbers around it with the right expectation, row sums stay, and column sums become one of the two whole numbers around them.
 *
 * Entries that are not whole yet are the edges of a forest between rows and columns. A new entry that would close a cycle lets all entries of
 * the cycle move, up and down by turns, which changes no sum, as far as the first becomes whole; which way is drawn so that
 * nothing moves on average. A last row of what columns lack to be whole leaves none. Costs a walk along the cycle, at most 2 `size`
 * steps and far fewer on average, for each entry.
 */
export const tableRounder = (size: number, random: Random): TableRounder => {
  const entries = openEntries(size, random);
  /** Sums of the fractions in each column. */
  const columns = new Float64Array(size);
  const add = (expected: Float64Array, counts: Uint32Array, from: number): void => {
    const row = entries.begin(counts, from);
    for (let column = 0; column < size; column++) {
      const whole = Math.floor(expected[column]);
      const fraction = expected[column] - whole;
      counts[from + column] += whole;
      columns[column] += fraction;
      if (fraction < nearly) continue;
      if (fraction > 1 - nearly) counts[from + column]++;
      else entries.insert(row, column, fraction);
    }
    entries.end(row);
  };
  const rest = new Float64Array(size);
  const dropped = new Uint32Array(size);
  return {
    row: add,
    end: () => {
      for (let column = 0; column < size; column++)
        rest[column] = Math.max(0, Math.ceil(columns[column] - nearly) - columns[column]);
      add(rest, dropped, 0);
      columns.fill(0);
      dropped.fill(0);
      entries.settleAll();
    },
  };
};

/** Edges with a value between 0 and 1 each, kept by the vertex at the lower end. */
interface Forest {
  /** -1 for a root. */
  readonly parent: Int32Array;
  readonly value: Float64Array;
}

/** Makes a vertex the root of its tree. */
const reroot = ({ parent, value }: Forest, vertex: number): void => {
  let below = -1;
  let held = 0;
  for (let at = vertex; at >= 0; ) {
    const above = parent[at];
    const edge = value[at];
    parent[at] = below;
    value[at] = held;
    below = at;
    held = edge;
    at = above;
  }
};

/** Finds the lowest vertex above two others, or -1. */
const meetingFinder = ({ parent }: Forest): ((a: number, b: number) => number) => {
  const mark = new Int32Array(parent.length);
  let stamp = 0;
  return (a, b) => {
    stamp++;
    for (let at = a; at >= 0; at = parent[at]) mark[at] = stamp;
    let top = b;
    while (top >= 0 && mark[top] !== stamp) top = parent[top];
    return top;
  };
};

/**
 * How far an entry that closes a cycle through `top` moves, up or down, as far as the first of the cycle becomes whole: its
 * neighbours go the other way, theirs the same way, and so on.
 */
const drawMove = (
  { parent, value }: Forest,
  row: number,
  column: number,
  top: number,
  entry: number,
  random: Random,
): number => {
  let up = 1 - entry;
  let down = entry;
  for (let side = 0; side < 2; side++) {
    let opposite = true;
    for (let at = side === 0 ? row : column; at !== top; at = parent[at]) {
      const x = value[at];
      const rise = opposite ? x : 1 - x;
      if (rise < up) up = rise;
      if (1 - rise < down) down = 1 - rise;
      opposite = !opposite;
    }
  }
  return uniform(random) * (up + down) < down ? up : -down;
};

/** The entries that are not whole yet, as a forest between rows and columns. */
const openEntries = (size: number, random: Random) => {
  // Vertices: columns are 0 to size - 1; a row that has unsettled entries holds a slot from `size` on. In a forest of which every row has
  // at least two edges there are fewer rows than columns; the rest is for the row being added, and for rounding errors.
  const slots = 2 * size + 8;
  const forest: Forest = {
    parent: new Int32Array(size + slots).fill(-1),
    value: new Float64Array(size + slots),
  };
  const { parent, value } = forest;
  const degree = new Int32Array(slots);
  const target = new Array<Uint32Array>(slots);
  const start = new Float64Array(slots);
  const free = Array.from({ length: slots }, (_, slot) => slots - 1 - slot);
  const meetingOf = meetingFinder(forest);
  /** Slot of the row that is being added. */
  let current = -1;

  const settle = (row: number, column: number, entry: number): void => {
    if (entry > 0.5) target[row - size][start[row - size] + column]++;
  };
  /** Takes the edge above a vertex out of the forest, settled. */
  const cut = (vertex: number): void => {
    const above = parent[vertex];
    const [row, column] = vertex >= size ? [vertex, above] : [above, vertex];
    parent[vertex] = -1;
    settle(row, column, value[vertex]);
    if (--degree[row - size] === 0 && row - size !== current) free.push(row - size);
  };
  /** What is left when nothing should be, by rounding errors. */
  const settleAll = (): void => {
    for (let vertex = 0; vertex < parent.length; vertex++) if (parent[vertex] >= 0) cut(vertex);
  };
  /** Moves the edges from a vertex up to `top`, by turns one way and the other. */
  const moveEdges = (vertex: number, top: number, move: number): void => {
    let step = move;
    for (let at = vertex; at !== top; ) {
      const above = parent[at];
      value[at] += step;
      if (value[at] < nearly || value[at] > 1 - nearly) cut(at);
      step = -step;
      at = above;
    }
  };

  return {
    settleAll,
    /** Begins a row, whose counts are added to `counts` from `from` on; its vertex. */
    begin: (counts: Uint32Array, from: number): number => {
      if (free.length === 0) settleAll();
      const slot = free.pop()!;
      current = slot;
      target[slot] = counts;
      start[slot] = from;
      degree[slot] = 0;
      return size + slot;
    },
    insert: (row: number, column: number, entry: number): void => {
      const top = meetingOf(row, column);
      let moved = entry;
      if (top >= 0) {
        const move = drawMove(forest, row, column, top, entry, random);
        moved += move;
        moveEdges(row, top, -move);
        moveEdges(column, top, -move);
      }
      if (moved < nearly || moved > 1 - nearly) {
        settle(row, column, moved);
        return;
      }
      reroot(forest, row);
      parent[row] = column;
      value[row] = moved;
      degree[row - size]++;
    },
    end: (row: number): void => {
      current = -1;
      if (degree[row - size] === 0) free.push(row - size);
    },
  };
};
