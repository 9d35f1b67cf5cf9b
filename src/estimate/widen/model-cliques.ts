import { rowsAt } from '../../domain/resample.js';
import type { Support } from '../../model/support/support.js';
import { priorCliques } from '../graphical/prior/cliques.js';

/** Rows that are looked at to find which attributes tell about each other: a pass over them is made for every pair. */
const mostRows = 20_000;
/** Cells of all cliques together, for each cell that one may have. */
const cliquesOfMost = 10;

/** The cliques of a graphical model of a support, each of at most so many cells. */
export const cliquesFor = (support: Support, cliqueCells: number): string[][] => {
  const { domain, weights } = support;
  // Rows that nobody saw tell nothing of what goes together.
  const rows = support.seen?.rows ?? support.length;
  const length = Math.min(rows, mostRows);
  const at = Uint32Array.from({ length }, (_, i) => Math.floor((i * rows) / length));
  const sum = at.reduce((all, row) => all + weights[row], 0);
  return priorCliques(
    domain,
    rowsAt(support, at).columns,
    length,
    Float64Array.from(at, (row) => (weights[row] / sum) * length),
    { cliqueCells, cells: cliquesOfMost * cliqueCells },
  );
};
