import { type CodedColumn, numberRows } from './multiplicative-weights-groups.js';

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
 * Clusters of at most `most` columns that tell much about one another, so that few different tuples occur in each: greedily,
 * by mutual information, from the column with the most entropy on. Positions of columns; each is in one cluster.
 */
export const clusterColumns = (columns: readonly CodedColumn[], length: number, most: number): number[][] => {
  const stride = Math.max(1, Math.floor(length / judged));
  const rows = Math.floor(length / stride);
  const sampled = columns.map(({ codes, size }) => ({
    size,
    codes: Uint32Array.from({ length: rows }, (_, i) => codes[i * stride]),
  }));
  const single = sampled.map((column) => entropy([column], rows));
  const shared = new Map<number, number>();
  const mutual = (a: number, b: number): number => {
    const key = Math.min(a, b) * columns.length + Math.max(a, b);
    const known = shared.get(key);
    if (known !== undefined) return known;
    const value = single[a] + single[b] - entropy([sampled[a], sampled[b]], rows);
    shared.set(key, value);
    return value;
  };
  const left = new Set(columns.keys());
  const take = (score: (column: number) => number): number => {
    let best = -1;
    let highest = Number.NEGATIVE_INFINITY;
    for (const column of left) {
      const value = score(column);
      if (value > highest) [best, highest] = [column, value];
    }
    left.delete(best);
    return best;
  };
  const clusters: number[][] = [];
  while (left.size > 0) {
    const cluster = [take((column) => single[column])];
    while (cluster.length < most && left.size > 0)
      cluster.push(take((column) => cluster.reduce((sum, other) => sum + mutual(other, column), 0)));
    clusters.push(cluster);
  }
  return clusters;
};
