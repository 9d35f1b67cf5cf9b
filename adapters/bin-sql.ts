import { double } from './duckdb.js';

/** Beyond this many bins a tree of comparisons is slower than asking the encoder. */
const LARGEST_TREE = 1024;
/** Up to this many bins a tree is faster than a guess and its correction. */
const SMALL_TREE = 8;

/**
 * SQL for the bin of a double (not NULL, not NaN) that agrees exactly with `binOf`, or undefined when neither form below
 * would be fast.
 */
export const binSql = (edges: Float64Array): ((x: string) => string) | undefined => {
  const bins = edges.length - 1;
  if (bins > SMALL_TREE && guessHolds(edges)) return (x) => guess(edges, x);
  return bins <= LARGEST_TREE ? (x) => tree(edges, x, 0, bins - 1) : undefined;
};

const tree = (edges: Float64Array, x: string, low: number, high: number): string => {
  if (low === high) return String(low);
  const middle = (low + high + 1) >>> 1;
  return `CASE WHEN ${x} < ${double(edges[middle])} THEN ${tree(edges, x, low, middle - 1)} ELSE ${tree(edges, x, middle, high)} END`;
};

// For nearly equal bins: a linear guess, at most one bin off, put right by comparing with the guessed bin's two edges.
const guess = (edges: Float64Array, x: string): string => {
  const bins = edges.length - 1;
  const { first, factor } = line(edges);
  const at = `greatest(0, least(${bins - 1}, floor((${x} - ${double(first)}) * ${double(factor)})))::INTEGER`;
  // Outer edges never move a value: DuckDB orders NaN above everything.
  const bounds = Array.from(edges, (edge, i) => (i === 0 ? "'-inf'" : i === bins ? "'nan'" : `'${edge}'`));
  const list = `[${bounds.join(', ')}]::DOUBLE[]`;
  return `${at} - (${x} < (${list})[${at} + 1])::INTEGER + (${x} >= (${list})[${at} + 2])::INTEGER`;
};

const line = (edges: Float64Array): { first: number; factor: number } => ({
  first: edges[0],
  factor: (edges.length - 1) / (edges[edges.length - 1] - edges[0]),
});

/**
 * Whether the guess is at most one bin off for every double. Each step of it is monotone in x, also when rounded, so a
 * guess for x inside a bin lies between the guesses for the bin's first and last doubles: those decide.
 */
const guessHolds = (edges: Float64Array): boolean => {
  const bins = edges.length - 1;
  const { first, factor } = line(edges);
  if (!Number.isFinite(factor) || factor <= 0) return false;
  const at = (x: number) => Math.max(0, Math.min(bins - 1, Math.floor((x - first) * factor)));
  for (let i = 1; i < bins; i++) {
    if (at(edges[i]) < i - 1) return false;
    // The guess for the double just below the edge is at most the guess for the edge itself.
    if (at(edges[i]) > i) return false;
  }
  return true;
};
