/*
 * Which sums are made from which. Sums by the tuples of some attributes can be made from those of any attributes that hold them
 * all, at the price of as many additions as there are tuples. Given is a tree of such sets: sets on the way, the first of which
 * holds all others, and wanted ones. Leaving a set out, so that what was made from it is made from what it was made from, may be
 * cheaper; so may making a set from another one than the tree says.
 */

/** Some attributes, by position, and the number of the set on the way that they are made from. */
export interface WantedSet {
  readonly attributes: readonly number[];
  readonly from: number;
}

/** A set on the way, made from an earlier one. */
export interface SetOnTheWay {
  readonly attributes: readonly number[];
  /** Undefined for the first set, which is given. */
  readonly from: number | undefined;
  /** Number of their tuples. */
  readonly size: number;
}

export interface Tree {
  /** What each set on the way is made from; undefined for the first one and for those that are left out. */
  readonly between: readonly (number | undefined)[];
  readonly wanted: readonly number[];
  /** Additions in all. */
  readonly cost: number;
}

/** Comparisons of sets that looking for better sources may take: some tenths of a second. */
const mostComparisons = 3e7;

/**
 * The cheapest tree that leaving out sets can make of the given one. Of each set and each one above it, what it costs to make
 * everything below the set, were that one the nearest that is kept, is known from the bottom up: a few numbers a set.
 */
const leaveOut = (between: readonly SetOnTheWay[], wanted: readonly WantedSet[]): Omit<Tree, 'cost'> => {
  const children = between.map((): number[] => []);
  for (const [number, { from }] of between.entries()) if (from !== undefined) children[from].push(number);
  const leaves = new Uint32Array(between.length);
  for (const { from } of wanted) leaves[from]++;
  /** Whether each set is kept, for each set above it as the nearest one that is. */
  const keeps = new Array<boolean[]>(between.length);
  /** `above` are the sizes of all sets above, the first set's first. */
  const costs = (number: number, above: readonly number[]): number[] => {
    const own = [...above, between[number].size];
    const below = own.map((size) => leaves[number] * size);
    for (const child of children[number])
      costs(child, own).forEach((cost, i) => {
        below[i] += cost;
      });
    const kept = below[above.length];
    keeps[number] = above.map((size, i) => size + kept < below[i]);
    return above.map((size, i) => Math.min(below[i], size + kept));
  };
  for (const child of children[0]) costs(child, [between[0].size]);

  const parents = new Array<number | undefined>(between.length).fill(undefined);
  /** For each set, itself or the nearest kept one above it. */
  const nearest = new Uint32Array(between.length);
  const settle = (number: number, from: number, depths: readonly number[]): void => {
    const kept = keeps[number][depths.indexOf(from)];
    if (kept) parents[number] = from;
    nearest[number] = kept ? number : from;
    for (const child of children[number]) settle(child, nearest[number], [...depths, number]);
  };
  for (const child of children[0]) settle(child, 0, [0]);
  return { between: parents, wanted: wanted.map(({ from }) => nearest[from]) };
};

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
  parent: Between | undefined;
}

interface Between extends Item {
  readonly number: number;
  readonly size: number;
  /** Its place among all by size. */
  place: number;
  readonly made: Set<Item>;
  kept: boolean;
}

/**
 * Makes each set from the smallest that holds it, and leaves out one set after the other that does not pay any more. Every change
 * makes the tree cheaper, so it may end at any time, and does after so many comparisons.
 */
const improve = (
  tree: Omit<Tree, 'cost'>,
  sets: readonly SetOnTheWay[],
  wanted: readonly WantedSet[],
): Omit<Tree, 'cost'> => {
  const words = Math.ceil((Math.max(0, ...sets[0].attributes) + 1) / 32);
  const between = sets.map(
    ({ attributes, size }, number): Between => ({
      bits: bitsOf(attributes, words),
      parent: undefined,
      number,
      size,
      place: 0,
      made: new Set(),
      kept: number === 0 || tree.between[number] !== undefined,
    }),
  );
  const leaves = wanted.map(({ attributes }): Item => ({ bits: bitsOf(attributes, words), parent: undefined }));
  const hang = (one: Item, parent: Between): void => {
    one.parent?.made.delete(one);
    one.parent = parent;
    parent.made.add(one);
  };
  for (const [number, parent] of tree.between.entries())
    if (parent !== undefined) hang(between[number], between[parent]);
  for (const [i, parent] of tree.wanted.entries()) hang(leaves[i], between[parent]);
  // The smallest first; of as many tuples, the one with fewer attributes, so that none comes before one that it is made from.
  const order = between
    .filter(({ kept }) => kept)
    .sort(
      (a, b) =>
        a.size - b.size || sets[a.number].attributes.length - sets[b.number].attributes.length || a.number - b.number,
    );
  for (const [place, set] of order.entries()) set.place = place;

  let comparisons = 0;
  /** The smallest kept set from a place on, up to its present one, that holds an item. */
  const smallest = (of: Item, from: number, last: Between): Between => {
    for (let i = from; i < last.place && comparisons < mostComparisons; i++) {
      comparisons++;
      if (order[i].kept && order[i] !== of && holds(order[i].bits, of.bits)) return order[i];
    }
    return last;
  };
  for (const set of order) if (set.parent !== undefined) hang(set, smallest(set, set.place + 1, set.parent));
  for (const leaf of leaves) hang(leaf, smallest(leaf, 0, leaf.parent!));

  /** Leaves a set out if that is cheaper; what was made from it can be made from what it is made from at least. */
  const tryWithout = (set: Between): boolean => {
    const moves: Between[] = [];
    let gain = set.parent!.size;
    for (const one of set.made) {
      const next = smallest(one, set.place + 1, set.parent!);
      gain -= next.size - set.size;
      if (gain < 0) return false;
      moves.push(next);
    }
    set.kept = false;
    set.parent!.made.delete(set);
    for (const [i, one] of [...set.made].entries()) hang(one, moves[i]);
    return true;
  };
  for (let left = -1; left !== 0 && comparisons < mostComparisons; ) {
    left = 0;
    for (const set of order) if (set.kept && set.parent !== undefined && tryWithout(set)) left++;
  }
  return {
    between: between.map(({ kept, parent }) => (kept ? parent?.number : undefined)),
    wanted: leaves.map(({ parent }) => parent!.number),
  };
};

/** The cheapest tree that was found. */
export const cheapTree = (between: readonly SetOnTheWay[], wanted: readonly WantedSet[]): Tree => {
  const tree = improve(leaveOut(between, wanted), between, wanted);
  const sources = [...tree.between.filter((parent) => parent !== undefined), ...tree.wanted];
  return { ...tree, cost: sources.reduce((sum, source) => sum + between[source].size, 0) };
};
