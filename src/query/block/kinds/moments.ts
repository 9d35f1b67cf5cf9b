import { plural } from '../../../domain/plural.js';
import type { BlockOf } from '../block.js';
import { type BlockKind, integer } from '../block-kind.js';
import { sumPowers } from './sum-powers.js';

/** E_k: the sums of the first powers of cell numbers. */
export const moments: BlockKind<BlockOf<'moments'>> = {
  fields: { count: integer },
  check: ({ count }, size, refuse) => {
    if (!Number.isInteger(count) || count < 1 || count > 52)
      refuse('the number of moments must be an integer from 1 to 52', count);
    // Entries must be integers that a double holds exactly.
    if ((size - 1) ** count >= 2 ** 53)
      refuse(`the largest cell number, ${size - 1}, to the power of the number of moments must stay below 2^53`, count);
  },
  ...sumPowers<BlockOf<'moments'>>(({ count }) => count),
  words: (attribute, { count }) => `first ${plural(count, 'moment')} of ${attribute}`,
  key: ({ count }) => `moments(${count})`,
};
