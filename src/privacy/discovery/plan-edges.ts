/** What decides how many edges can be had. */
export interface EdgesFacts {
  /** About how many rows have a value. */
  readonly rows: number;
  /** Places on the ladder. */
  readonly places: number;
  /** Rows that a unit may have. */
  readonly maxRecords: number;
  readonly bins: number;
  /** What each choice may cost where a column is halved so many times. */
  readonly epsilonOf: (levels: number) => number;
}

/** How a column is asked for its edges. */
export interface EdgesPlan {
  /** How often every part is halved: 2^levels bins. */
  readonly levels: number;
  /** So many rows are to lie below the first edge, and above the last. */
  readonly beyond: number;
  readonly certain: boolean;
}

/** About how many rows the place that is chosen for an outermost edge is off by: further with a chance of e^-5, since then it may be anywhere. */
export const outerError = (
  epsilon: number,
  { places, maxRecords }: Pick<EdgesFacts, 'places' | 'maxRecords'>,
): number => ((2 * maxRecords) / epsilon) * (Math.log(places) + 5);

/** The same of the middle of a part, whose score moves by two for each row that it is off: further with a chance of e^-2. */
const middleError = (epsilon: number, { places, maxRecords }: EdgesFacts): number =>
  (maxRecords / epsilon) * (Math.log(places) + 2);

/**
 * Halves as often as leaves parts with twice as many rows as a choice is off by. The outermost edges are asked for where as many rows lie beyond as
 * they may be off by: further out they would hang on chance, further in values are cut off for nothing. Public facts only.
 */
export const planEdges = (facts: EdgesFacts): EdgesPlan => {
  const rows = Math.max(1, facts.rows);
  let levels = Math.max(0, Math.floor(Math.log2(facts.bins)));
  while (levels > 0 && rows / 2 ** levels < 2 * middleError(facts.epsilonOf(levels), facts)) levels--;
  const off = outerError(facts.epsilonOf(levels), facts);
  // With less than a quarter of the rows to spare on either side, fewer levels leave more for the outermost edges.
  if (levels > 0 && rows < 8 * off) return planEdges({ ...facts, bins: 2 ** (levels - 1) });
  return { levels, beyond: Math.round(Math.min(off, rows / 8)), certain: rows >= 8 * off };
};
