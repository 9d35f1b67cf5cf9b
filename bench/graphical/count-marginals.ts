import { sizesOf } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';

/** Counts of all cells of each list of attributes, row-major: the plain loop, for both sides' answers to be compared with. */
export const countMarginals = ({ domain, length, columns }: Table, lists: readonly (readonly string[])[]) =>
  lists.map((attributes): Float64Array => {
    const sizes = sizesOf(domain, attributes);
    const picked = attributes.map(
      (name) => columns[domain.attributes.findIndex((attribute) => attribute.name === name)],
    );
    const counts = new Float64Array(sizes.reduce((product, size) => product * size, 1));
    for (let row = 0; row < length; row++) {
      let cell = 0;
      for (let i = 0; i < sizes.length; i++) cell = cell * sizes[i] + picked[i][row];
      counts[cell]++;
    }
    return counts;
  });
