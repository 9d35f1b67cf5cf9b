import { rowsAt } from '../../domain/resample.js';
import type { Support } from '../../model/support/support.js';
import { mutualInformation } from '../cliques/mutual-information.js';
import { priorCliques } from '../graphical/prior/cliques.js';

/** Rows that are looked at to find which attributes tell about each other: a pass over them is made for every pair. */
export const mostLooked = 20_000;
/** Cells of all cliques together, for each cell that one may have. */
const cliquesOfMost = 10;

/** Finds the cliques of a graphical model of a support, each of at most so many cells: at most `most`. What attributes tell about each other is found once. */
export const cliqueFinder = (support: Support, most: number): ((cliqueCells: number) => string[][]) => {
  const { domain, weights } = support;
  // Rows that nobody saw tell nothing of what goes together.
  const rows = support.seen?.rows ?? support.length;
  const length = Math.min(rows, mostLooked);
  const at = Uint32Array.from({ length }, (_, i) => Math.floor((i * rows) / length));
  const sum = at.reduce((all, row) => all + weights[row], 0);
  const { columns } = rowsAt(support, at);
  const own = Float64Array.from(at, (row) => (weights[row] / sum) * length);
  const information = mutualInformation({ domain, columns, length }, undefined, own, most);
  return (cliqueCells) =>
    priorCliques(domain, columns, length, own, { cliqueCells, cells: cliquesOfMost * cliqueCells, information });
};

/** The cliques of one such model. */
export const cliquesFor = (support: Support, cliqueCells: number): string[][] =>
  cliqueFinder(support, cliqueCells)(cliqueCells);
