import { InputError } from '../../domain/input-error.js';

/** Numbers of some answers of a query, ascending. It stands for a copy that nobody can change. */
export interface NamedCells {
  readonly length: number;
}

const copies = new WeakMap<NamedCells, Uint32Array>();

/** Names cells for candidates; made once, it serves many selections. */
export const nameCells = (cells: ArrayLike<number>): NamedCells => {
  const own = Uint32Array.from(cells);
  for (let i = 1; i < own.length; i++)
    if (own[i] <= own[i - 1])
      throw new InputError(`cells: must ascend, got ${own[i]} after ${own[i - 1]}; sort them and leave out doubles`);
  const named = Object.freeze({ length: own.length });
  copies.set(named, own);
  return named;
};

/** The cells themselves, not to be changed: it matters to privacy that they ascend. */
export const namedCells = (named: NamedCells): Uint32Array => {
  const cells = copies.get(named);
  if (cells === undefined) throw new InputError('candidates: cells must come from nameCells, got something else');
  return cells;
};
