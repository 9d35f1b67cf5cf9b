import { type CellDialect, floorSql } from '../dialect.js';

/** Beyond this many bins a tree of comparisons is slower than asking the encoder. */
const LARGEST_TREE = 1024;
/** Up to this many bins a tree is faster than a guess and its correction. */
const SMALL_TREE = 32;

/** SQL for the bin of a double x that is not NULL and not NaN. */
export interface BinSql {
  /** A first guess from x, computed once and handed on by name. */
  readonly guess: (x: string) => string;
  readonly bin: (x: string, guess: string) => string;
}

/** SQL that agrees exactly with `binOf`; undefined when no form below would be fast, unless there must be one. */
export const binSql = (edges: Float64Array, dialect: CellDialect, must: boolean): BinSql | undefined => {
  const bins = edges.length - 1;
  const { reached } = dialect;
  if (bins > SMALL_TREE && reached !== undefined)
    return { guess: () => 'NULL', bin: (x) => reached(x, edges.subarray(1, -1)) };
  if (bins > SMALL_TREE && isEven(edges) && guessHolds(edges)) return evenBins(edges, dialect);
  if (bins > LARGEST_TREE && !must) return undefined;
  return { guess: () => 'NULL', bin: (x) => treeSql(edges, dialect.double, x) };
};

/** The same by comparisons alone, halving the edges. */
export const treeSql = (
  edges: Float64Array,
  constant: (value: number) => string,
  x: string,
  low = 0,
  high = edges.length - 2,
): string => {
  if (low === high) return String(low);
  const middle = (low + high + 1) >>> 1;
  return `CASE WHEN ${x} < ${constant(edges[middle])} THEN ${treeSql(edges, constant, x, low, middle - 1)} ELSE ${treeSql(edges, constant, x, middle, high)} END`;
};

// Even bins: a linear guess, at most one bin off, put right by comparing with the guessed bin's two edges, which the same
// arithmetic on doubles gives here and in an engine. Outside the edges the guess is the first or last bin, and stays.
const evenBins = (edges: Float64Array, dialect: CellDialect): BinSql => {
  const { double } = dialect;
  const { bins, first, width, factor } = line(edges);
  const edge = (index: string) => `(${double(first)} + (${double(width)} * ${index}) / ${double(bins)})`;
  return {
    guess: (x) =>
      `greatest(${double(0)}, least(${double(bins - 1)}, ${floorSql(dialect, `((${x} - ${double(first)}) * ${double(factor)})`)}))`,
    bin: (x, g) =>
      `${g} - CASE WHEN ${g} > 0 AND ${x} < ${edge(g)} THEN 1 ELSE 0 END + CASE WHEN ${g} < ${bins - 1} AND ${x} >= ${edge(`(${g} + 1)`)} THEN 1 ELSE 0 END`,
  };
};

const line = (edges: Float64Array) => {
  const bins = edges.length - 1;
  const width = edges[bins] - edges[0];
  return { bins, first: edges[0], width, factor: bins / width };
};

/** Whether every inner edge is what the arithmetic above gives, to the last bit. */
const isEven = (edges: Float64Array): boolean => {
  const { bins, first, width, factor } = line(edges);
  return (
    Number.isFinite(width * bins) &&
    Number.isFinite(factor) &&
    edges.every((edge, i) => i === 0 || i === bins || edge === first + (width * i) / bins)
  );
};

/**
 * Whether the guess is at most one bin off for every double. Each step of it is monotone in x, also when rounded, so the
 * guess for an x in bin i lies between the guess for edges[i] and the guess for edges[i + 1]: the edges decide.
 */
const guessHolds = (edges: Float64Array): boolean => {
  const { bins, first, factor } = line(edges);
  const guess = (x: number) => Math.max(0, Math.min(bins - 1, Math.floor((x - first) * factor)));
  return edges.every((edge, i) => i === 0 || i === bins || guess(edge) === i || guess(edge) === i - 1);
};
