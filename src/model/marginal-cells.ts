import { cellsOf, type Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';

/** The largest marginal that a model of rows makes at once, in cells. */
const largestMarginal = 2 ** 27;

/** Number of cells of a marginal; refuses what would not fit memory. */
export const marginalCells = (domain: Domain, attributes: readonly string[]): number => {
  const cells = cellsOf(domain, attributes);
  if (cells > largestMarginal)
    throw new InputError(
      `marginal: must have at most ${largestMarginal} cells, got ${cells}; ask for fewer attributes`,
    );
  return cells;
};
