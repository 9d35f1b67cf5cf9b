/**
 * The distribution over the cells, in records, that is nearest to noisy counts: the Euclidean projection onto all non-negative
 * tables of this total, max(0, y - c) with the one c that gives the total. A new array; n log n for n cells.
 */
export const nearestDistribution = (values: ArrayLike<number>, total: number): Float64Array => {
  const sorted = Float64Array.from(values).sort().reverse();
  let sum = 0;
  let cut = 0;
  for (let held = 1; held <= sorted.length; held++) {
    sum += sorted[held - 1];
    const next = (sum - total) / held;
    // The largest cells are kept as long as each stays above what is taken away from it.
    if (sorted[held - 1] > next) cut = next;
    else break;
  }
  return Float64Array.from(values, (value) => Math.max(0, value - cut));
};
