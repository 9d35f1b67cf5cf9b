/** The least and the largest entry of a row of a matrix. */
export interface Span {
  readonly low: bigint;
  readonly high: bigint;
}

const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b));
const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b));

/** The span of the products of an entry of each: its ends are among the products of their ends. */
export const spanProduct = (p: Span, q: Span): Span => {
  const ends = [p.low * q.low, p.low * q.high, p.high * q.low, p.high * q.high];
  return { low: least(ends), high: most(ends) };
};

/** The one span that holds all given ones. */
export const spanHull = (spans: readonly Span[]): Span => ({
  low: least(spans.map(({ low }) => low)),
  high: most(spans.map(({ high }) => high)),
});

const ascending = (p: bigint, q: bigint) => (p < q ? -1 : p > q ? 1 : 0);

/** The spans that lie in no other one: products with any span keep that order, so the widest product is made of these. */
export const widestSpans = (spans: readonly Span[]): Span[] => {
  const order = [...spans].sort((p, q) => ascending(p.low, q.low) || ascending(q.high, p.high));
  const kept: Span[] = [];
  for (const span of order) {
    const before = kept[kept.length - 1];
    if (before === undefined || span.high > before.high) kept.push(span);
  }
  return kept;
};
