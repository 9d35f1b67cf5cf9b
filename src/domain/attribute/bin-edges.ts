import type { NumericSpec } from './attribute.js';

/** True for an integer attribute with `min` and `max` alone: one cell for each integer. */
export const isUnitBins = (spec: NumericSpec): boolean => spec.edges === undefined && spec.bins === undefined;

/** Number of bins of a checked numeric attribute, without its open ends and its null cell. */
export const binCount = (spec: NumericSpec): number =>
  spec.edges !== undefined ? spec.edges.length - 1 : (spec.bins ?? spec.max! - spec.min! + 1);

/**
 * The edges of a checked numeric attribute's bins, one more than bins, strictly increasing: bin i holds
 * edges[i] <= x < edges[i+1]. For numbers the last bin also holds the last edge. For integers every edge is whole and each
 * bin holds at least one integer; between `min` and `max` the last edge is max + 1, so that max is inside. One cell for
 * each integer costs 8 bytes a cell here: encoders use arithmetic instead.
 */
export const binEdges = (spec: NumericSpec): Float64Array => {
  if (spec.edges !== undefined) return Float64Array.from(spec.edges, (edge) => edge + 0);
  const count = binCount(spec);
  const whole = spec.type === 'integer';
  const first = spec.min! + 0;
  const last = whole ? spec.max! + 1 : spec.max! + 0;
  const ideal = spec.scale === 'log' ? logEdge(first, last, count) : equalEdge(first, last, count);
  const edges = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) {
    // Whole edges stay apart by at least 1 from the one before, and leave at least 1 for each bin still to come.
    edges[i] = whole
      ? Math.min(Math.max(Math.round(ideal(i)), (i === 1 ? first : edges[i - 1]) + 1), last - (count - i))
      : ideal(i);
  }
  edges[0] = first;
  edges[count] = last;
  return edges;
};

/**
 * How far the open ends of a checked numeric attribute are taken to reach where a number is needed, from <= x < to: as far as the bin beside
 * them is wide, or by its ratio where bins have equal ratios. For integers at least one of them, at either end.
 */
export const numericReach = (spec: NumericSpec): readonly [from: number, to: number] => {
  if (isUnitBins(spec)) return [spec.min! - 1, spec.max! + 2];
  const edges = binEdges(spec);
  const [first, second] = edges;
  const [before, last] = edges.subarray(-2);
  const [from, to] =
    spec.scale === 'log'
      ? [first * (first / second), last * (last / before)]
      : [first - (second - first), last + (last - before)];
  return spec.type === 'integer'
    ? [Math.min(first - 1, Math.floor(from)), Math.max(last + 1, Math.ceil(to))]
    : [from, to];
};

/** The least and the greatest number inside the bins of a checked numeric attribute. */
export const numericEnds = (spec: NumericSpec): { readonly first: number; readonly last: number } =>
  spec.edges === undefined
    ? { first: spec.min!, last: spec.max! }
    : { first: spec.edges[0], last: spec.edges[spec.edges.length - 1] - (spec.type === 'integer' ? 1 : 0) };

const equalEdge = (first: number, last: number, count: number) => (i: number) => {
  const width = last - first;
  // (width * i) / count keeps 0.3 at 0.3; the other form survives a width beyond the largest double.
  return Number.isFinite(width * count) ? first + (width * i) / count : first * (1 - i / count) + last * (i / count);
};

const logEdge = (first: number, last: number, count: number) => (i: number) =>
  Math.exp(Math.log(first) + (Math.log(last) - Math.log(first)) * (i / count));

/** The bin of a number: the largest i with edges[i] <= x, clamped to the first and last bin. x must not be NaN. */
export const binOf = (edges: Float64Array, x: number): number => {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (edges[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
};
