import { indexOf } from '../domain/domain.js';
import type { Support } from '../model/support.js';

/** Finds the rows of a support that fall into one cell of a marginal. */
export type RowFinder = (attributes: readonly string[], cell: number) => Uint32Array;

/**
 * Lists the rows of every cell of every attribute once (4 bytes a row and attribute); the rows of a joint cell are then the
 * shortest list of its attributes, sifted by the others. In ascending order, a new array.
 */
export const rowFinder = ({ domain, columns, length }: Support): RowFinder => {
  const lists = new Map<number, { readonly rows: Uint32Array; readonly starts: Uint32Array }>();
  const listsOf = (attribute: number) => {
    const known = lists.get(attribute);
    if (known !== undefined) return known;
    const { size } = domain.attributes[attribute];
    const column = columns[attribute];
    const starts = new Uint32Array(size + 1);
    for (let row = 0; row < length; row++) starts[column[row] + 1]++;
    for (let code = 0; code < size; code++) starts[code + 1] += starts[code];
    const next = starts.slice();
    const rows = new Uint32Array(length);
    for (let row = 0; row < length; row++) rows[next[column[row]]++] = row;
    const made = { rows, starts };
    lists.set(attribute, made);
    return made;
  };

  return (attributes, cell) => {
    let shortest: Uint32Array | undefined;
    const wanted: { readonly column: ArrayLike<number>; readonly code: number }[] = [];
    for (let i = attributes.length - 1, rest = cell; i >= 0; i--) {
      const attribute = indexOf(domain, attributes[i]);
      const { size } = domain.attributes[attribute];
      const code = rest % size;
      rest = Math.floor(rest / size);
      const { rows, starts } = listsOf(attribute);
      const list = rows.subarray(starts[code], starts[code + 1]);
      if (shortest === undefined || list.length < shortest.length) shortest = list;
      wanted.push({ column: columns[attribute], code });
    }
    if (shortest === undefined) return Uint32Array.from({ length }, (_, row) => row);
    return shortest.filter((row) => wanted.every(({ column, code }) => column[row] === code));
  };
};
