import { InputError } from '../../domain/input-error.js';
import type { Block, BlockOf } from './block.js';
import type { BlockKind } from './block-kind.js';
import { centre } from './kinds/centre.js';
import { keep } from './kinds/keep.js';
import { matrix } from './kinds/matrix.js';
import { mean } from './kinds/mean.js';
import { moments } from './kinds/moments.js';
import { prefix } from './kinds/prefix.js';
import { ranges } from './kinds/ranges.js';
import { regroup } from './kinds/regroup.js';
import { set } from './kinds/set.js';
import { sum } from './kinds/sum.js';
import { value } from './kinds/value.js';

type BlockKinds = { readonly [K in Block['kind']]: BlockKind<BlockOf<K>> };

/** Every kind of block; the compiler misses one that `Block` has. */
export const blockKinds: BlockKinds = { keep, sum, value, set, prefix, ranges, regroup, mean, moments, matrix, centre };

/** What there is to know of a block, by its kind. */
export const kindOf = (block: Block): BlockKind<Block> => {
  if (!Object.hasOwn(blockKinds, block.kind))
    throw new InputError(`query block: the kind of block is not known, got ${JSON.stringify(block.kind)}`);
  // The compiler does not see that a block and the object of its kind go together.
  return blockKinds[block.kind] as unknown as BlockKind<Block>;
};
