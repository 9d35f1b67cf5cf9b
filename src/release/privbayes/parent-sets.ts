import type { Attribute } from '../../domain/attribute/attribute.js';
import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';

/** How large a set of parents may be. */
export interface ParentLimits {
  /** Cells of their product at most. */
  readonly cells: number;
  /** Parents at most. */
  readonly parents: number;
  /** Sets at most: where there are more, some of them at random. */
  readonly sets: number;
}

/** Steps of the search for each set that is wanted, before it gives up and draws at random. */
const patience = 20;

const shuffled = <T>(list: readonly T[], random: Random): T[] => {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = uniformInteger(random, i + 1);
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
};

/**
 * The maximal sets of parents (PrivBayes, Algorithms 5 and 6, without generalised attributes): those within the limits that no further
 * attribute could join. The empty one if nothing fits. By public things only.
 */
export const maximalParentSets = (
  available: readonly Attribute[],
  limits: ParentLimits,
  random: Random,
): readonly (readonly Attribute[])[] => {
  const found = allSets(available, limits);
  if (found === undefined) return drawnSets(available, limits, random);
  return found.length <= limits.sets ? found : shuffled(found, random).slice(0, limits.sets);
};

/** All of them by a search in order of size, or nothing where there are too many to go through. */
const allSets = (
  available: readonly Attribute[],
  { cells, parents, sets }: ParentLimits,
): Attribute[][] | undefined => {
  const sorted = available.filter(({ size }) => size <= cells).sort((a, b) => a.size - b.size);
  const found: Attribute[][] = [];
  let steps = 0;
  /** Whether the smallest attribute that is not in the set could join it. */
  const grows = (set: readonly Attribute[], product: number): boolean => {
    if (set.length === parents) return false;
    const free = sorted.find((attribute) => !set.includes(attribute));
    return free !== undefined && free.size * product <= cells;
  };
  const extend = (set: readonly Attribute[], product: number, from: number): boolean => {
    if (++steps > patience * sets) return false;
    if (!grows(set, product)) found.push([...set]);
    if (set.length === parents) return true;
    for (let i = from; i < sorted.length && sorted[i].size * product <= cells; i++)
      if (!extend([...set, sorted[i]], product * sorted[i].size, i + 1)) return false;
    return true;
  };
  return extend([], 1, 0) ? found : undefined;
};

/** Some of them: attributes in random order, each taken if it fits. */
const drawnSets = (
  available: readonly Attribute[],
  { cells, parents, sets }: ParentLimits,
  random: Random,
): Attribute[][] => {
  const found = new Map<string, Attribute[]>();
  for (let tries = 0; tries < 2 * sets && found.size < sets; tries++) {
    const set: Attribute[] = [];
    let product = 1;
    for (const attribute of shuffled(available, random)) {
      if (set.length === parents) break;
      if (attribute.size * product > cells) continue;
      set.push(attribute);
      product *= attribute.size;
    }
    set.sort((a, b) => a.size - b.size || (a.name < b.name ? -1 : 1));
    found.set(JSON.stringify(set.map(({ name }) => name)), set);
  }
  return [...found.values()];
};
