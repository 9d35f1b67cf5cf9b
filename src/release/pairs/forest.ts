import type { Turns } from '../../domain/turns.js';

type Names = readonly string[];

/** Of pairs in descending order, a spanning forest as far as there is room; after `mostMisses` in a row without, no more are tried. In turns: whether there is room takes a tree to say. */
export function* forestOf(
  ranked: readonly Names[],
  fits: (pairs: readonly Names[]) => boolean,
  mostMisses = Number.POSITIVE_INFINITY,
): Turns<Names[]> {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    const parent = parents.get(name);
    return parent === undefined ? name : rootOf(parent);
  };
  const forest: Names[] = [];
  let misses = 0;
  for (const pair of ranked) {
    const [a, b] = pair.map(rootOf);
    if (a === b) continue;
    const hasRoom = fits([...forest, pair]);
    if (hasRoom) {
      parents.set(a, b);
      forest.push(pair);
    }
    misses = hasRoom ? 0 : misses + 1;
    if (misses > mostMisses) break;
    yield;
  }
  return forest;
}
