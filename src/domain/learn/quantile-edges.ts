import { roundNumber } from './round-number.js';

/** A distinct number and how often it occurs in a public column. */
export interface Weighted {
  readonly value: number;
  readonly count: number;
}

/**
 * Edges of about `bins` cells (a few more where tails are long) for the numbers of a public column: distinct, increasing, at
 * least two. Cells hold about equally many public rows; a number that holds a cell's worth of rows gets its own cell; the
 * edges are round; long tails are cut at 1-2-5 steps, so that a value drawn inside a tail cell is not absurd.
 */
export const quantileEdges = (points: readonly Weighted[], bins: number, whole: boolean): number[] => {
  const total = rowsOf(points);
  const isHeavy = ({ count }: Weighted): boolean => count >= total / bins;
  const heavy = points.filter(isHeavy);
  const share = (total - rowsOf(heavy)) / Math.max(1, bins - heavy.length);
  const isForced = (j: number): boolean => isHeavy(points[j]) || isHeavy(points[j - 1]);
  const cuts: number[] = [];
  let ahead = total; // rows from `start` on
  for (let start = 0; start < points.length; ) {
    // A cut before point j closes a cell of `held` rows. Any j from `early` to `late` closes one of about a share and
    // leaves at least most of a share for the cells to come.
    let held = 0;
    let early = 0;
    let late = 0;
    for (let j = start + 1; j < points.length; j++) {
      held += points[j - 1].count;
      if (isForced(j)) {
        early = j;
        late = j;
        break;
      }
      if (early > 0 && (held > 1.3 * share || ahead - held < 0.7 * share)) break;
      if (early === 0 && held >= 0.7 * share && ahead - held >= 0.7 * share) early = j;
      if (early > 0) late = j;
    }
    if (early === 0) break;
    const cut = roundNumber(points[early - 1].value, points[late].value, whole);
    cuts.push(cut);
    for (; points[start].value < cut; start++) ahead -= points[start].count;
  }
  return cutTails(close(points, cuts, whole), points, share / 20, whole);
};

/** A cell for each of a few numbers, at least two: the edges are the roundest places between neighbours. */
export const separatingEdges = (points: readonly Weighted[], whole: boolean): number[] => {
  const cuts = points.slice(1).map(({ value }, i) => roundNumber(points[i].value, value, whole));
  return close(points, cuts, whole);
};

const rowsOf = (points: readonly Weighted[]): number => points.reduce((sum, { count }) => sum + count, 0);

/** Adds the outer edges: round, and not far beyond the numbers seen. */
const close = (points: readonly Weighted[], cuts: readonly number[], whole: boolean): number[] => {
  const min = points[0].value;
  const max = points[points.length - 1].value;
  const first = roundNumber(min - ((cuts[0] ?? max) - min) / 2, min, whole);
  const edges = [first, ...cuts.filter((cut) => cut > first)];
  const lastCut = edges[edges.length - 1];
  // Integers need an edge above the greatest. So do numbers when the greatest begins a cell; else it may be the edge itself.
  const least = whole ? max + 1 : max;
  const last =
    lastCut < least
      ? -roundNumber(-(least + (max - lastCut) / 2), -least, whole) + 0
      : roundNumber(max, max + (lastCut - edges[edges.length - 2]) / 2);
  return last > lastCut ? [...edges, last] : edges;
};

/** Splits an outermost cell that is much wider than its neighbour, where each piece keeps at least `need` public rows. */
const cutTails = (edges: readonly number[], points: readonly Weighted[], need: number, whole: boolean): number[] => {
  const second = edges[1];
  const leftTail = points.filter(({ value }) => value < second).map(({ value, count }) => ({ value: -value, count }));
  const right = tailCuts(edges, points, need, whole);
  const left = tailCuts(edges.map((edge) => -edge).reverse(), leftTail, need, whole).map((cut) => -cut);
  return [...edges, ...left, ...right].sort((a, b) => a - b);
};

const tailCuts = (edges: readonly number[], points: readonly Weighted[], need: number, whole: boolean): number[] => {
  const [before, low, high] = edges.slice(-3);
  if (high === undefined || low < 0 || high - low <= 4 * (low - before)) return [];
  const between = (a: number, b: number): number => rowsOf(points.filter(({ value }) => value >= a && value < b));
  const cuts: number[] = [];
  const start = low > 0 ? low : high / 100;
  for (let power = Math.floor(Math.log10(start)); power <= Math.log10(high); power++) {
    for (const digit of [1, 2, 5]) {
      const cut = power >= 0 ? digit * 10 ** power : digit / 10 ** -power;
      const isInside = cut > start && cut < high && (!whole || power >= 0);
      const piece = isInside ? between(cuts[cuts.length - 1] ?? low, cut) : 0;
      if (piece >= need && piece > 0 && between(cut, Number.POSITIVE_INFINITY) >= need) cuts.push(cut);
    }
  }
  return cuts;
};
