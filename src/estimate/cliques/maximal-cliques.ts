import { InputError } from '../../domain/input-error.js';

/** More cliques than this are refused: nobody could measure them, and there may be 3^(n/3). */
const mostCliques = 20_000;

/**
 * All maximal cliques of an undirected graph on vertices 0..n-1, each ascending, in ascending order (Bron and Kerbosch 1973, with
 * the pivot of Tomita et al. 2006). A lone vertex is a clique of one.
 */
export const maximalCliques = (n: number, joined: (a: number, b: number) => boolean): number[][] => {
  const near = Array.from(
    { length: n },
    (_, a) => new Set(Array.from({ length: n }, (_, b) => b).filter((b) => b !== a && joined(a, b))),
  );
  const found: number[][] = [];
  /** Reports each maximal clique that holds all of `clique`, some of `open`, and none of `done`. */
  const extend = (clique: readonly number[], open: Set<number>, done: Set<number>): void => {
    if (open.size === 0 && done.size === 0) {
      if (clique.length > 0) found.push([...clique].sort((a, b) => a - b));
      if (found.length > mostCliques)
        throw new InputError(
          `dependent attributes: must have at most ${mostCliques} maximal cliques, got more; join fewer by a higher threshold, or measure pairs`,
        );
      return;
    }
    // A maximal clique holds the pivot or something that is not joined to it: other vertices need no branch of their own.
    let pivot = -1;
    let most = -1;
    for (const vertex of [...open, ...done]) {
      let count = 0;
      for (const other of open) if (near[vertex].has(other)) count++;
      if (count > most) [pivot, most] = [vertex, count];
    }
    for (const vertex of [...open].filter((each) => !near[pivot].has(each))) {
      const within = (set: Set<number>) => new Set([...set].filter((each) => near[vertex].has(each)));
      extend([...clique, vertex], within(open), within(done));
      open.delete(vertex);
      done.add(vertex);
    }
  };
  extend([], new Set(Array.from({ length: n }, (_, a) => a)), new Set());
  return found.sort(byVertices);
};

const byVertices = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
};
