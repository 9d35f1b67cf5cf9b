import { type Domain, indexOf } from '../domain/domain.js';
import type { Counted } from '../query/holding.js';
import { arrange } from './arrange.js';

/** What has to be counted for some queries: each set of attributes once, in whatever order queries name them. */
export interface WantedSets {
  /** Attribute numbers of each set, ascending. */
  readonly sets: readonly (readonly number[])[];
  /** The counts of a set (row-major in its order, from `start` on) as each query asks for them: their positions, and new arrays. */
  take(
    set: number,
    words: Uint32Array | Float64Array,
    start: number,
  ): { readonly position: number; readonly counts: Float64Array }[];
}

export const wantedSets = (domain: Domain, queries: readonly Counted[]): WantedSets => {
  const sizes = domain.attributes.map(({ size }) => size);
  const sets: number[][] = [];
  const users: { readonly position: number; readonly order: readonly number[] }[][] = [];
  const known = new Map<string, number>();
  for (const [position, { attributes }] of queries.entries()) {
    const asked = attributes.map((name) => indexOf(domain, name));
    const set = asked.toSorted((a, b) => a - b);
    const key = set.join();
    const at = known.get(key) ?? sets.length;
    if (at === sets.length) {
      known.set(key, at);
      sets.push(set);
      users.push([]);
    }
    users[at].push({ position, order: asked.map((attribute) => set.indexOf(attribute)) });
  }
  return {
    sets,
    take: (set, words, start) => {
      const shape = sets[set].map((attribute) => sizes[attribute]);
      return users[set].map(({ position, order }) => ({ position, counts: arrange(words, start, shape, order) }));
    },
  };
};
