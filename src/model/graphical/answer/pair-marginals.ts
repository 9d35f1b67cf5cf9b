import { stridesOf } from '../../../domain/cell-index.js';
import type { Turns } from '../../../domain/turns.js';
import type { Engine } from '../../../kernel/engine.js';
import type { CliqueGraph } from '../tree/clique-graph.js';
import { projected } from './contract.js';

/** Two attributes whose joint is wanted, and what becomes of it: row-major, the first one's cells outside. */
export interface WantedPair {
  readonly attributes: readonly [number, number];
  readonly take: (joint: Float64Array) => void;
}

/** P(new attributes | separator) in a clique, and where each product goes in the table of what is to be known next. */
interface Step {
  /** Cells of the separator that it is entered by times cells of the new attributes. */
  readonly given: Float64Array;
  /** For each cell of the separator the part of the target's index that it decides. */
  readonly base: Uint32Array;
  /** For each cell of the new attributes the rest of it. */
  readonly rest: Uint32Array;
  readonly cells: number;
}

/** Cells of steps that are kept for later sources: 128 MB. */
const kept = 2 ** 24;

/** An attribute that is carried through the tree, and its place among those that are carried together. */
interface Source {
  readonly attribute: number;
  readonly column: number;
  /** What is wanted with it, by the other attribute. */
  readonly wanted: ReadonlyMap<number, readonly WantedPair[]>;
}

/** For all cells of some axes, row-major, the sum of their codes times the axis' stride in another table. */
const offsetsOf = (axes: readonly number[], sizes: readonly number[], strideOf: (axis: number) => number) => {
  let offsets = new Uint32Array(1);
  for (const axis of axes) {
    const [size, stride] = [sizes[axis], strideOf(axis)];
    const next = new Uint32Array(offsets.length * size);
    for (let i = 0, at = 0; i < offsets.length; i++)
      for (let code = 0; code < size; code++) next[at++] = offsets[i] + code * stride;
    offsets = next;
  }
  return offsets;
};

/**
 * The joints of pairs of attributes that share no clique but a connected part of a calibrated tree, in one walk for all attributes of a clique: P(a, s), a
 * carried attribute and a separator, gives P(a, y) = sum over s of P(a, s) P(y | s) for the next separators and for every
 * attribute that a clique adds. Attributes of one clique are carried side by side, so that the inner loop is as long as all
 * of their cells. Nothing is searched or divided for a pair: all pairs of 100 attributes take as many products as cliques times attributes.
 */
export function* pairMarginals(
  graph: CliqueGraph,
  beliefs: readonly Float64Array[],
  pairs: readonly WantedPair[],
  engine?: Engine,
): Turns<void> {
  const carried = carrier(engine);
  const { sizes, cliques, members, neighbours } = graph;
  const beliefOf = (clique: number) => ({
    axes: cliques[clique],
    sizes: cliques[clique].map((attribute) => sizes[attribute]),
    values: beliefs[clique],
  });
  const cellsOf = (axes: readonly number[]): number => axes.reduce((product, axis) => product * sizes[axis], 1);

  const steps = new Map<string, Step>();
  let held = 0;
  /** From what a clique is entered by to what is wanted of it next. */
  const stepTo = (clique: number, entry: readonly number[], target: readonly number[]): Step => {
    const key = `${clique}:${entry.join()}>${target.join()}`;
    const known = steps.get(key);
    if (known !== undefined) return known;
    const added = target.filter((axis) => !entry.includes(axis));
    const { values } = projected(beliefOf(clique), [...entry, ...added]);
    // A belief itself where nothing is summed out: it must stay as it is.
    const given = values === beliefs[clique] ? values.slice() : values;
    const width = cellsOf(added);
    for (let row = 0; row < given.length; row += width) {
      let sum = 0;
      for (let i = row; i < row + width; i++) sum += given[i];
      // Where the quotient overflows, the probability is too small to matter.
      const factor = sum > 0 && 1 / sum < Number.POSITIVE_INFINITY ? 1 / sum : 0;
      for (let i = row; i < row + width; i++) given[i] *= factor;
    }
    const strides = stridesOf(target.map((axis) => sizes[axis]));
    const strideOf = (axis: number): number => (target.includes(axis) ? strides[target.indexOf(axis)] : 0);
    const step = {
      given,
      base: offsetsOf(entry, sizes, strideOf),
      rest: offsetsOf(added, sizes, strideOf),
      cells: cellsOf(target),
    };
    if (held + given.length <= kept) {
      held += given.length;
      steps.set(key, step);
    }
    return step;
  };

  for (const [home, sources] of sourcesByHome(graph, pairs)) {
    const columns = sources.reduce((sum, { attribute }) => sum + sizes[attribute], 0);
    const partners = new Set(sources.flatMap(({ wanted }) => [...wanted.keys()]));
    /** The joint of all sources, each apart, with what a separator of their home holds. */
    const startAt = (separator: readonly number[]): Float64Array => {
      const table = new Float64Array(cellsOf(separator) * columns);
      for (const { attribute, column } of sources) {
        const size = sizes[attribute];
        const place = separator.indexOf(attribute);
        const { values } = projected(beliefOf(home), place < 0 ? [...separator, attribute] : separator);
        if (place < 0)
          for (let at = 0, row = column; at < values.length; row += columns)
            for (let code = 0; code < size; code++) table[row + code] = values[at++];
        else {
          const codes = offsetsOf(separator, sizes, (axis) => (axis === attribute ? 1 : 0));
          for (let cell = 0; cell < values.length; cell++) table[cell * columns + column + codes[cell]] = values[cell];
        }
      }
      return table;
    };
    const take = (attribute: number, joint: Float64Array): void => {
      for (const source of sources)
        for (const { attributes, take: give } of source.wanted.get(attribute) ?? [])
          give(turned(joint, columns, source, sizes, attributes));
    };
    /** Whether a partner lies beyond: what both cliques hold was met before. */
    const ways = new Map<number, boolean>();
    const leads = (clique: number, from: number): boolean => {
      let found = ways.get(clique);
      if (found === undefined) {
        found =
          cliques[clique].some((attribute) => partners.has(attribute) && !members[from].has(attribute)) ||
          neighbours[clique].some(
            ({ clique: next, separator }) => next !== from && separator.length > 0 && leads(next, clique),
          );
        ways.set(clique, found);
      }
      return found;
    };
    /** Cliques to go to, and how what is carried there is found. */
    const open: { clique: number; from: number; entry: readonly number[]; make: () => Float64Array }[] = [];
    const leave = (clique: number, from: number, make: (separator: readonly number[]) => Float64Array): void => {
      for (const { clique: next, separator } of neighbours[clique])
        if (next !== from && separator.length > 0 && leads(next, clique))
          open.push({ clique: next, from: clique, entry: separator, make: () => make(separator) });
    };
    leave(home, -1, startAt);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const { clique, from, entry } = at;
      const table = at.make();
      for (const attribute of cliques[clique])
        if (partners.has(attribute) && !entry.includes(attribute))
          take(attribute, carried(table, columns, stepTo(clique, entry, [attribute])));
      leave(clique, from, (separator) => carried(table, columns, stepTo(clique, entry, separator)));
      yield;
    }
  }
}

/** Attributes to carry, by the clique that they are carried from: of each pair the one of fewer cells, from its smallest clique. */
const sourcesByHome = ({ sizes, homes }: CliqueGraph, pairs: readonly WantedPair[]): Map<number, Source[]> => {
  const lists = new Map<number, Map<number, WantedPair[]>>();
  for (const pair of pairs) {
    const [a, b] = pair.attributes;
    const [source, partner] = sizes[a] <= sizes[b] ? [a, b] : [b, a];
    const own = lists.get(source) ?? new Map<number, WantedPair[]>();
    lists.set(source, own);
    const same = own.get(partner);
    if (same === undefined) own.set(partner, [pair]);
    else same.push(pair);
  }
  const byHome = new Map<number, Source[]>();
  for (const [attribute, wanted] of lists) {
    const home = homes[attribute][0];
    const own = byHome.get(home) ?? [];
    byHome.set(home, own);
    const last = own.at(-1);
    own.push({ attribute, column: last === undefined ? 0 : last.column + sizes[last.attribute], wanted });
  }
  return byHome;
};

/** The product of what is carried, a row of `columns` for each cell of the separator, with a step. */
const carriedPlainly = (table: Float64Array, columns: number, { given, base, rest, cells }: Step): Float64Array => {
  const target = new Float64Array(cells * columns);
  const width = rest.length;
  for (let cell = 0, from = 0, at = 0; cell < base.length; cell++, from += columns)
    for (let j = 0; j < width; j++, at++) {
      const part = given[at];
      if (part === 0) continue;
      const to = (base[cell] + rest[j]) * columns;
      for (let i = 0; i < columns; i++) target[to + i] += part * table[from + i];
    }
  return target;
};

/** Products from which on a kernel is worth bringing the tables to its memory. */
const worthCopying = 2 ** 12;

/** The same by the kernel of an engine where there is one and it pays; the sums are the same to the bit. */
const carrier =
  (engine: Engine | undefined): typeof carriedPlainly =>
  (table, columns, step) => {
    const { given, base, rest, cells } = step;
    if (engine === undefined || given.length * columns < worthCopying) return carriedPlainly(table, columns, step);
    const { arena, kernels } = engine;
    const mark = arena.mark();
    try {
      const [rows, shares, target] = [table.length, given.length, cells * columns].map((length) => arena.f64(length));
      const [bases, rests] = [base.length, rest.length].map((length) => arena.u32(length));
      rows.view.set(table);
      shares.view.set(given);
      bases.view.set(base);
      rests.view.set(rest);
      kernels.clear(target.address, 8 * target.length);
      kernels.carry(
        rows.address,
        columns,
        shares.address,
        bases.address,
        base.length,
        rests.address,
        rest.length,
        target.address,
      );
      return target.view.slice();
    } finally {
      arena.release(mark);
    }
  };

/** One source's part of the joint of an attribute with all of them, in the order asked for. */
const turned = (
  joint: Float64Array,
  columns: number,
  { attribute, column }: Source,
  sizes: readonly number[],
  [first, second]: readonly [number, number],
): Float64Array => {
  const size = sizes[attribute];
  const result = new Float64Array(sizes[first] * sizes[second]);
  const others = joint.length / columns;
  const [own, other] = first === attribute ? [sizes[second], 1] : [1, size];
  for (let cell = 0; cell < others; cell++)
    for (let code = 0; code < size; code++) result[code * own + cell * other] = joint[cell * columns + column + code];
  return result;
};
