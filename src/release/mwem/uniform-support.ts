import { rowsKept } from '../../domain/constraints/mended.js';
import type { Domain } from '../../domain/domain.js';
import { cellsOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { codeColumn } from '../../domain/table.js';
import type { Support } from '../../model/support/support.js';

/** Cells of a whole domain that a mechanism may hold, unless told otherwise. */
export const defaultDomainCells = 2 ** 22;

/** Every row of a small domain that its constraints allow, row-major, all equally likely. Refuses a domain above `limit` cells and says its size. */
export const uniformSupport = (domain: Domain, limit = defaultDomainCells): Support => {
  const cells = cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );
  if (cells > limit)
    throw new InputError(
      `domain: must have at most ${limit} cells to be held whole, got ${cells > 1e15 ? cells.toExponential(2) : cells}; use fewer attributes or coarser bins, or a mechanism on a public support`,
    );
  let repeat = cells;
  const columns = domain.attributes.map(({ size }) => {
    const column = codeColumn(size, cells);
    repeat /= size;
    for (let row = 0; row < cells; row++) column[row] = Math.floor(row / repeat) % size;
    return column;
  });
  const kept = rowsKept({ domain, length: cells, columns });
  return { ...kept, weights: new Float64Array(kept.length).fill(1 / kept.length) };
};
