import type { Norm, PIdentity } from './p-identity.js';

/** The largest entry of a strategy in whole numbers has this many bits. */
const bits = 10;

/**
 * A p-Identity strategy in whole numbers, as the rows of a matrix: the cells' own rows first, then Theta's. Entries are rounded to
 * multiples of the unit, and what rounding added to a column is taken from the cell's own entry, so that every column keeps its
 * norm (L1) or stays just below it (L2): the sensitivity, which is that of the worst column, does not suffer. Rows of Theta
 * that became nothing are left out.
 */
export const wholeStrategy = ({ theta, rows }: PIdentity, size: number, norm: Norm): number[][] => {
  const norms = new Float64Array(size).fill(1);
  for (let at = 0; at < rows * size; at++) norms[at % size] += norm === 'l1' ? theta[at] : theta[at] ** 2;
  if (norm === 'l2') for (let i = 0; i < size; i++) norms[i] = Math.sqrt(norms[i]);
  let largest = 0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, 1 / norms[i]);
  for (let at = 0; at < rows * size; at++) largest = Math.max(largest, theta[at] / norms[at % size]);
  /** What the norm 1 becomes. */
  const unit = Math.round((2 ** bits - 1) / largest);
  const lower = Array.from({ length: rows }, (_, k) =>
    Array.from({ length: size }, (_, i) => Math.round((unit * theta[k * size + i]) / norms[i])),
  ).filter((row) => row.some((entry) => entry !== 0));
  return [
    ...Array.from({ length: size }, (_, cell) => {
      const taken = lower.reduce((sum, row) => sum + (norm === 'l1' ? row[cell] : row[cell] ** 2), 0);
      const left = norm === 'l1' ? unit - taken : Math.floor(Math.sqrt(Math.max(0, unit ** 2 - taken)));
      const row = new Array<number>(size).fill(0);
      row[cell] = Math.max(1, left);
      return row;
    }),
    ...lower,
  ];
};
