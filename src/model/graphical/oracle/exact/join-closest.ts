/** Attribute sets as bits: of at most 31 attributes, which tables that fit in memory never exceed. */
export interface Bits {
  readonly of: (attributes: readonly number[]) => number;
  readonly attributes: (bits: number) => number[];
  /** Cells of a set. */
  readonly cells: (bits: number) => number;
}

/** Bits for subsets of some attributes. */
export const bitsOf = (attributes: readonly number[], sizes: readonly number[]): Bits => {
  const bit = new Map(attributes.map((attribute, index) => [attribute, 1 << index]));
  const list = (bits: number): number[] => attributes.filter((_, index) => (bits & (1 << index)) !== 0);
  return {
    of: (some) => some.reduce((bits, attribute) => bits | bit.get(attribute)!, 0),
    attributes: list,
    cells: (bits) => {
      let cells = 1;
      for (let rest = bits; rest !== 0; rest &= rest - 1) cells *= sizes[attributes[31 - Math.clz32(rest & -rest)]];
      return cells;
    },
  };
};

/**
 * Joins sets two by two, always the two whose union has the fewest cells, until `count` are left or the next union would have more
 * than `limit` cells. `join(i, j)` hears which two places become one, i; place j is empty from then on.
 */
export const joinClosest = (
  given: readonly number[],
  { cells }: Bits,
  count: number,
  limit: number,
  join: (i: number, j: number, union: number) => void,
): void => {
  const sets = [...given];
  const alive = sets.map((_, index) => index);
  const partner = sets.map(() => -1);
  const cost = sets.map(() => Number.POSITIVE_INFINITY);
  /** The best partner among places before this one. */
  const seek = (i: number): void => {
    partner[i] = -1;
    cost[i] = Number.POSITIVE_INFINITY;
    for (const j of alive) {
      if (j >= i) break;
      const union = cells(sets[i] | sets[j]);
      if (union < cost[i]) [cost[i], partner[i]] = [union, j];
    }
  };
  for (const i of alive) seek(i);
  while (alive.length > Math.max(count, 1)) {
    let best = alive[1];
    for (const i of alive) if (cost[i] < cost[best]) best = i;
    if (cost[best] > limit) return;
    const into = partner[best];
    const union = sets[into] | sets[best];
    sets[into] = union;
    alive.splice(alive.indexOf(best), 1);
    join(into, best, union);
    seek(into);
    for (const i of alive)
      if (i > into) {
        if (partner[i] === into || partner[i] === best) seek(i);
        else {
          const joined = cells(sets[i] | union);
          if (joined < cost[i]) [cost[i], partner[i]] = [joined, into];
        }
      }
  }
};
