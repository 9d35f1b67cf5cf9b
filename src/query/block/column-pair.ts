import { larger } from '../sensitivity/larger.js';

/**
 * Two columns u, v of a matrix, as far as the size of their difference depends on them: u = ||u||, v = ||v||, both = what they
 * share. For the squared L2 norm: |u|^2, |v|^2 and the inner product, and |u - v|^2 = u + v - 2 both. For the L1 norm: |u|_1, |v|_1
 * and the sum of min(|u_r|, |v_r|) over the rows where the signs agree, and |u - v|_1 = u + v - 2 both.
 * In a Kronecker product each of the three is the product over the factors (docs/queries.md says when, and why that is enough).
 */
export interface ColumnPair {
  readonly u: bigint;
  readonly v: bigint;
  readonly both: bigint;
}

export const distance = ({ u, v, both }: ColumnPair): bigint => u + v - 2n * both;

export const product = (p: ColumnPair, q: ColumnPair): ColumnPair => ({
  u: p.u * q.u,
  v: p.v * q.v,
  both: p.both * q.both,
});

/** A pair at least as far apart as every given one, whatever it is multiplied with: sound, perhaps not attained. */
const relax = (pairs: readonly ColumnPair[]): ColumnPair =>
  pairs.reduce((bound, { u, v, both }) => ({
    u: larger(u, bound.u),
    v: larger(v, bound.v),
    both: -larger(-both, -bound.both),
  }));

/** At most `side` x `side` pairs that bound the given ones, by relaxing those of similar norms together. */
export const coarsen = (pairs: readonly ColumnPair[], side: bigint): ColumnPair[] => {
  const most = relax(pairs);
  const box = (norm: bigint, limit: bigint) => (norm * side) / (limit + 1n);
  const boxes = new Map<bigint, ColumnPair>();
  for (const pair of pairs) {
    const key = box(pair.u, most.u) * side + box(pair.v, most.v);
    boxes.set(key, relax([pair, boxes.get(key) ?? pair]));
  }
  return unbeaten([...boxes.values()]);
};

const descending = (p: bigint, q: bigint) => (p > q ? -1 : p < q ? 1 : 0);

/**
 * The pairs that no other pair beats: p beats q when its columns are as large and share as little, since then it is as far
 * apart in every product with columns whose `both` is not negative. O(n log n): in descending order of u, a tree of minima over v answers whether q is beaten.
 */
export const unbeaten = (pairs: readonly ColumnPair[]): ColumnPair[] => {
  const order = [...pairs].sort((p, q) => descending(p.u, q.u) || descending(p.v, q.v) || descending(q.both, p.both));
  const rank = new Map([...new Set(pairs.map(({ v }) => v))].sort(descending).map((v, index) => [v, index + 1]));
  const least: (bigint | undefined)[] = new Array(rank.size + 1).fill(undefined);
  return order.filter(({ v, both }) => {
    const place = rank.get(v)!;
    for (let i = place; i > 0; i -= i & -i) {
      const shared = least[i];
      if (shared !== undefined && shared <= both) return false;
    }
    for (let i = place; i <= rank.size; i += i & -i) {
      const shared = least[i];
      if (shared === undefined || both < shared) least[i] = both;
    }
    return true;
  });
};
