import { type CodedColumn, numberRows } from './groups.js';

/** Rows that the dependence of columns is judged by: more would not change the clusters much. */
const judged = 8192;

/** Entropy of the tuples of some columns, in nats. */
const entropy = (columns: readonly CodedColumn[], length: number): number => {
  const { ids, count } = numberRows(columns, length);
  const counts = new Float64Array(count);
  for (const id of ids) counts[id]++;
  let sum = 0;
  for (const n of counts) sum -= (n / length) * Math.log(n / length);
  return sum;
};

/**
 * Clusters of at most `most` columns that tell much about one another, so that few different tuples occur in each: the two that
 * share the most information are joined, and so on, while e to the entropy of the joined one is at most `tuples`. Positions of
 * columns; each is in one cluster.
 */
export const clusterColumns = (
  columns: readonly CodedColumn[],
  length: number,
  most: number,
  tuples: number,
): number[][] => {
  const stride = Math.max(1, Math.floor(length / judged));
  const rows = Math.floor(length / stride);
  const sampled = columns.map(({ codes, size }) => ({
    size,
    codes: Uint32Array.from({ length: rows }, (_, i) => codes[i * stride]),
  }));
  const entropyOf = (members: readonly number[]): number =>
    entropy(
      members.map((i) => sampled[i]),
      rows,
    );
  interface Cluster {
    readonly members: readonly number[];
    readonly entropy: number;
  }
  interface Joint extends Cluster {
    readonly parts: readonly [Cluster, Cluster];
    /** Mutual information of the two. */
    readonly shared: number;
  }
  const join = (a: Cluster, b: Cluster): Joint => {
    const members = [...a.members, ...b.members];
    const joint = entropyOf(members);
    return { members, entropy: joint, parts: [a, b], shared: a.entropy + b.entropy - joint };
  };
  let clusters: Cluster[] = columns.map((_, i) => ({ members: [i], entropy: entropyOf([i]) }));
  const joins = (cluster: Cluster, others: readonly Cluster[]): Joint[] =>
    others
      .filter(({ members }) => members.length + cluster.members.length <= most)
      .map((other) => join(other, cluster))
      .filter((joint) => joint.entropy <= Math.log(tuples));
  let possible = clusters.flatMap((cluster, i) => joins(cluster, clusters.slice(0, i)));
  while (possible.length > 0) {
    const best = possible.reduce((a, b) => (b.shared > a.shared ? b : a));
    clusters = clusters.filter((cluster) => !best.parts.includes(cluster));
    possible = possible.filter(({ parts }) => !parts.some((part) => best.parts.includes(part)));
    possible.push(...joins(best, clusters));
    clusters.push(best);
  }
  return clusters.map(({ members }) => [...members]);
};
