/*
 * Which sums are made from which. Sums by the tuples of some attributes can be made from those of any attributes that hold them
 * all, at the price of as many additions as there are tuples: so each set of attributes is best made from the smallest that holds
 * it. A set that is only on the way pays if what is made from it saves more than it costs itself.
 */

/** Some attributes, by position. */
export interface AttributeSet {
  readonly attributes: readonly number[];
  /** Number of their tuples. */
  readonly size: number;
}

/** For each set on the way that is kept, and for each wanted one, the number of the set on the way that it is made from. */
export interface Tree {
  /** By number; undefined for the first set, which is given, and for sets that are left out. */
  readonly between: readonly (number | undefined)[];
  readonly wanted: readonly number[];
  /** Additions in all. */
  readonly cost: number;
}

/** A set as bits, so that one holds another if no bit of the other is missing. */
const bitsOf = (attributes: readonly number[], words: number): Uint32Array => {
  const bits = new Uint32Array(words);
  for (const a of attributes) bits[a >>> 5] |= 1 << (a & 31);
  return bits;
};

const holds = (large: Uint32Array, small: Uint32Array): boolean => {
  for (let i = 0; i < small.length; i++) if ((small[i] & ~large[i]) !== 0) return false;
  return true;
};

interface Item {
  readonly bits: Uint32Array;
  readonly attributes: number;
  parent: Between | undefined;
}

interface Between extends Item {
  readonly number: number;
  readonly size: number;
  readonly made: Set<Item>;
  kept: boolean;
}

/** The cheapest tree that leaving out one set after the other finds. The first set must hold all others. */
export const cheapTree = (between: readonly AttributeSet[], wanted: readonly (readonly number[])[]): Tree => {
  const words = Math.ceil((Math.max(0, ...between[0].attributes) + 1) / 32);
  const item = (attributes: readonly number[]): Item => ({
    bits: bitsOf(attributes, words),
    attributes: attributes.length,
    parent: undefined,
  });
  const sets = between.map(
    ({ attributes, size }, number): Between => ({ ...item(attributes), number, size, made: new Set(), kept: true }),
  );
  const leaves = wanted.map(item);
  // The smallest first; of as many tuples, the one with fewer attributes, so that none comes before one that it is made from.
  const order = sets.slice(1).sort((a, b) => a.size - b.size || a.attributes - b.attributes || a.number - b.number);
  order.push(sets[0]);
  const places = new Map(order.map((set, place) => [set, place]));
  /** The smallest kept set from a place on that holds an item. */
  const smallest = (of: Item, from: number): Between => {
    for (let i = from; i < order.length; i++)
      if (order[i].kept && order[i] !== of && holds(order[i].bits, of.bits)) return order[i];
    throw new Error('plan: the first set must hold all others');
  };
  const hang = (one: Item, parent: Between): void => {
    one.parent = parent;
    parent.made.add(one);
  };
  for (const [place, set] of order.slice(0, -1).entries()) hang(set, smallest(set, place + 1));
  for (const leaf of leaves) hang(leaf, smallest(leaf, 0));

  /** Leaves a set out if that is cheaper. */
  const tryWithout = (set: Between): boolean => {
    const moves: Between[] = [];
    let gain = set.parent!.size;
    for (const one of set.made) {
      const next = smallest(one, places.get(set)! + 1);
      gain -= next.size - set.size;
      if (gain < 0) return false;
      moves.push(next);
    }
    set.kept = false;
    set.parent!.made.delete(set);
    for (const [i, one] of [...set.made].entries()) hang(one, moves[i]);
    return true;
  };
  for (let left = -1; left !== 0; ) {
    left = 0;
    for (const set of order.slice(0, -1)) if (set.kept && tryWithout(set)) left++;
  }
  const made: Item[] = [...sets.slice(1).filter(({ kept }) => kept), ...leaves];
  return {
    between: sets.map(({ kept, parent }) => (kept ? parent?.number : undefined)),
    wanted: leaves.map(({ parent }) => parent!.number),
    cost: made.reduce((sum, { parent }) => sum + parent!.size, 0),
  };
};
