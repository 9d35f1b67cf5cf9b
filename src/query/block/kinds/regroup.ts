import * as v from 'valibot';
import { plural } from '../../../domain/plural.js';
import type { BlockOf } from '../block.js';
import { type BlockKind, integer } from '../block-kind.js';
import { isCell } from './count-cells.js';
import { groupCells } from './group-cells.js';

/** R_f: cells regrouped. */
export const regroup: BlockKind<BlockOf<'regroup'>> = {
  fields: { groups: v.array(integer), size: integer },
  check: ({ groups, size: count }, size, refuse) => {
    if (!Number.isSafeInteger(count) || count < 1 || count > 2 ** 32)
      refuse('the number of groups must be a positive integer', count);
    if (groups.length !== size) refuse(`there must be one group for each of the ${size} cells`, groups.length);
    const stray = groups.find((group) => !isCell(group, count));
    if (stray !== undefined) refuse(`a group must be an integer from 0 to ${count - 1}`, stray);
  },
  ...groupCells<BlockOf<'regroup'>>(
    ({ size }) => size,
    ({ groups }) => groups,
  ),
  words: (attribute, { size }) => `${attribute} in ${plural(size, 'group')}`,
  key: ({ groups, size }) => `regroup(${groups.join(',')};${size})`,
};
