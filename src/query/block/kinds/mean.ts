import type { BlockOf } from '../block.js';
import type { BlockKind } from '../block-kind.js';
import { sumPowers } from './sum-powers.js';

/** E: the sum of cell numbers. */
export const mean: BlockKind<BlockOf<'mean'>> = {
  fields: {},
  check: () => {},
  ...sumPowers<BlockOf<'mean'>>(() => 1),
  words: (attribute) => `sum of ${attribute}`,
  key: () => 'mean',
};
