import { rowsAt } from '../../domain/resample.js';
import { reweighted, type Support } from './support.js';

/** A support without its lightest rows from number `first` on, as many as have at most `most` of the weight together. */
export const trimmed = (support: Support, first: number, most: number): Support => {
  const { domain, weights, length } = support;
  const lightest = Uint32Array.from({ length: length - first }, (_, i) => first + i).sort(
    (a, b) => weights[a] - weights[b] || a - b,
  );
  const out = new Uint8Array(length);
  let left = most;
  for (const row of lightest) {
    left -= weights[row];
    if (left < 0) break;
    out[row] = 1;
  }
  if (!out.includes(1)) return support;
  const kept = Uint32Array.from({ length }, (_, row) => row).filter((row) => out[row] === 0);
  const { columns } = rowsAt(support, kept);
  const own = Float64Array.from(kept, (row) => weights[row]);
  return reweighted({ domain, columns, length: kept.length, weights: own }, own);
};
