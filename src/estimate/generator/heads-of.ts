import type { NetworkShape } from './network-shape.js';
import type { HeadColumns } from './part.js';

/** Where the columns of each head begin, and how many there are. */
export const headsOf = ({ heads }: Pick<NetworkShape, 'heads'>): HeadColumns[] => {
  let next = 0;
  return heads.map((size) => {
    const first = next;
    next += size;
    return { first, size };
  });
};
