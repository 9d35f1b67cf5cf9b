/** A joint table to count, and the wanted sets of attributes that can be summed out of it. */
export interface Cover {
  /** Attribute numbers, ascending. */
  readonly attributes: readonly number[];
  /** Number of cells of the joint table. */
  readonly cells: number;
  /** Positions of the wanted sets that it covers, itself among them if wanted. */
  readonly wanted: readonly number[];
}

/** Sets planned together: the search is quadratic in their number. All pairs of 300 attributes are. */
const batch = 65_536;

const product = (set: readonly number[], sizes: readonly number[]): number =>
  set.reduce((cells, attribute) => cells * sizes[attribute], 1);

/**
 * Few joint tables that cover many sets of attributes. Going over the rows costs the same whatever is counted, and summing a
 * table of moderate size costs less than that, so counting unions and summing them out saves most of the passes: all 5,456
 * triples of 33 attributes need about 900 unions of at most 65,536 cells. Greedy: start from the largest set left, and
 * add the attribute that completes most sets for its size, as long as the cells stay within `limit`. A set of more cells
 * than `alone` covers nothing but itself.
 */
export const coverSets = (
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  { limit, alone }: { readonly limit: number; readonly alone: number },
): Cover[] => {
  const covers: Cover[] = [];
  for (let start = 0; start < sets.length; start += batch)
    for (const found of coverBatch(sets.slice(start, start + batch), sizes, limit, alone))
      covers.push({ ...found, wanted: found.wanted.map((position) => start + position) });
  return covers;
};

const coverBatch = (
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  limit: number,
  alone: number,
): Cover[] => {
  const cells = sets.map((set) => product(set, sizes));
  const lengths = Int32Array.from(sets, (set) => set.length);
  const order = [...sets.keys()].sort((a, b) => cells[b] - cells[a] || lengths[b] - lengths[a] || a - b);
  /** Sets not yet covered that contain an attribute. */
  const containing = sizes.map((): number[] => []);
  sets.forEach((set, position) => {
    for (const attribute of set) containing[attribute].push(position);
  });
  const lone = order.filter((position) => lengths[position] <= 1);
  /** The exclusive or of a set's attributes: of those still missing, one alone is the attribute itself. */
  const sums = Int32Array.from(sets, (set) => set.reduce((sum, attribute) => sum ^ attribute, 0));
  const done = new Uint8Array(sets.length);
  const missing = new Int32Array(sets.length);
  const rest = new Int32Array(sets.length);
  const gain = new Int32Array(sizes.length);
  const inside = new Uint8Array(sizes.length);

  const grow = (seed: number): Cover => {
    let total = cells[seed];
    const wanted: number[] = [];
    const attributes: number[] = [];
    missing.set(lengths);
    rest.set(sums);
    gain.fill(0);
    inside.fill(0);
    const take = (position: number): void => {
      done[position] = 1;
      wanted.push(position);
    };
    const add = (attribute: number): void => {
      inside[attribute] = 1;
      attributes.push(attribute);
      const list = containing[attribute];
      let kept = 0;
      for (const position of list) {
        if (done[position]) continue;
        list[kept++] = position;
        const left = --missing[position];
        rest[position] ^= attribute;
        if (left === 1) gain[rest[position]]++;
        else if (left === 0) take(position);
      }
      list.length = kept;
    };
    if (total > alone) {
      take(seed);
      return { attributes: [...sets[seed]].sort((a, b) => a - b), cells: total, wanted };
    }
    for (const position of lone) {
      if (done[position]) continue;
      if (lengths[position] === 1) gain[sets[position][0]]++;
      else take(position);
    }
    for (const attribute of sets[seed]) add(attribute);
    for (;;) {
      let best = -1;
      let most = 0;
      for (let attribute = 0; attribute < sizes.length; attribute++) {
        if (inside[attribute] || gain[attribute] === 0 || total * sizes[attribute] > limit) continue;
        const worth = gain[attribute] / Math.log(sizes[attribute] + 0.5);
        if (worth > most) [best, most] = [attribute, worth];
      }
      if (best < 0) break;
      total *= sizes[best];
      add(best);
    }
    return { attributes: attributes.sort((a, b) => a - b), cells: total, wanted };
  };

  const covers: Cover[] = [];
  for (const seed of order) if (!done[seed]) covers.push(grow(seed));
  return covers;
};
