import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import type { CodeColumn, Table } from '../../domain/table.js';
import type { Turns } from '../../domain/turns.js';
import { drawnRows } from '../../model/drawn-rows.js';
import type { AnyModel } from '../../model/model.js';
import { seeded } from '../../random/seeded.js';

/** How strongly attributes go together, pair by pair. */
export interface Dependence {
  readonly names: readonly string[];
  /** values[i][j], j < i: Cramér's V, 0 to 1; NaN for a pair with too many cells. */
  readonly values: readonly Float64Array[];
  /** The number of rows that were drawn to find it, where reading all would have taken too long. */
  readonly sampled?: number | undefined;
}

/** Pairs with more cells are left out: neither table says anything on most of them. */
const mostCells = 2 ** 20;
/** Row visits for all pairs together: about half a second. */
const mostVisits = 4e7;
/** Rows drawn, at least. */
const leastRows = 20_000;

/**
 * Cramér's V of counts in rows and columns, with Bergsma's correction (2013) for the dependence that independent attributes would show in
 * `records` records by chance: phi2 less (r-1)(c-1)/(n-1), and r, c less (r-1)^2/(n-1), (c-1)^2/(n-1). Only rows and columns
 * that hold something count. 0 where an attribute has a single value.
 */
export const cramersV = (counts: ArrayLike<number>, columns: number, records: number): number => {
  const rows = counts.length / columns;
  const ofRow = new Float64Array(rows);
  const ofColumn = new Float64Array(columns);
  let total = 0;
  for (let i = 0, r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++, i++) {
      ofRow[r] += counts[i];
      ofColumn[c] += counts[i];
      total += counts[i];
    }
  const [r, c] = [ofRow, ofColumn].map((sums) => sums.reduce((used, sum) => used + (sum > 0 ? 1 : 0), 0));
  if (r < 2 || c < 2 || records < 2) return 0;
  let squares = 0;
  for (let i = 0, row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, i++)
      if (counts[i] > 0) squares += (counts[i] / ofRow[row]) * (counts[i] / ofColumn[column]);
  const phi2 = Math.max(0, squares - 1 - ((r - 1) * (c - 1)) / (records - 1));
  const least = Math.min(r - (r - 1) ** 2 / (records - 1), c - (c - 1) ** 2 / (records - 1)) - 1;
  return total > 0 && least > 0 ? Math.min(1, Math.sqrt(phi2 / least)) : 0;
};

const namesOf = ({ attributes }: Domain): string[] => attributes.map(({ name }) => name);

function* overPairs(
  domain: Domain,
  records: number,
  counts: (a: string, b: string) => ArrayLike<number>,
): Turns<Omit<Dependence, 'sampled'>> {
  const names = namesOf(domain);
  const values = names.map((_, i) => new Float64Array(i));
  for (const [i, first] of names.entries())
    for (let j = 0; j < i; j++) {
      values[i][j] =
        cellsOf(domain, [first, names[j]]) > mostCells
          ? Number.NaN
          : cramersV(counts(first, names[j]), domain.attributes[j].size, records);
      yield;
    }
  return { names, values };
}

const pairCounts = (domain: Domain, columns: readonly CodeColumn[], length: number, every: number) => {
  return (a: string, b: string): Float64Array => {
    const [i, j] = [indexOf(domain, a), indexOf(domain, b)];
    const size = domain.attributes[j].size;
    const counts = new Float64Array(domain.attributes[i].size * size);
    const [first, second] = [columns[i], columns[j]];
    for (let row = 0; row < length; row += every) counts[first[row] * size + second[row]]++;
    return counts;
  };
};

const pairsOf = ({ attributes }: Domain): number => Math.max(1, (attributes.length * (attributes.length - 1)) / 2);

/** Of all pairs in a public table; of every so manieth row when there are very many. */
export function* tableDependence({ domain, columns, length }: Table): Turns<Dependence> {
  const most = Math.max(leastRows, Math.floor(mostVisits / pairsOf(domain)));
  const every = Math.ceil(length / most);
  const read = Math.ceil(length / Math.max(1, every));
  return {
    ...(yield* overPairs(domain, read, pairCounts(domain, columns, length, every))),
    sampled: every > 1 ? read : undefined,
  };
}

/**
 * Of all pairs in a model: from its marginals where that is quick, else from rows drawn from it. `records` is how many records stand
 * behind its distribution, for the correction: those of the public table whose rows it weights, or its own total.
 */
export function* modelDependence(model: AnyModel, records: number): Turns<Dependence> {
  const { domain } = model;
  if ((model.cost?.visits ?? Number.POSITIVE_INFINITY) * pairsOf(domain) <= mostVisits)
    return yield* overPairs(domain, records, (a, b) => model.marginal([a, b]));
  if (!(model.total > 0)) return yield* overPairs(domain, 0, () => []);
  const rows = Math.min(200_000, Math.max(leastRows, Math.floor(mostVisits / pairsOf(domain))));
  const { columns, length } = yield* drawnRows(model, rows, seeded(1));
  const counts = pairCounts(domain, columns, length, 1);
  return { ...(yield* overPairs(domain, Math.min(records, rows), counts)), sampled: rows };
}
