import type { Domain } from '../../domain/domain.js';
import { splitLevels } from '../../domain/households/split-levels.js';
import type { HouseholdHeads } from '../../model/households/household-heads.js';
import type { Counted } from '../../query/holding.js';
import { type AnswerTask, cutTask } from './answer-task.js';
import { type HeadColumns, oneHead } from './part.js';
import { slotPart } from './slot-part.js';

/**
 * What one household is expected to count in each cell of a query (H-GEM, section 4.2): 1 where it holds somebody, or its persons there. Cells are
 * row-major in the order of `splitLevels`; `columns` are those of the heads.
 */
export const countedTask = (
  { kind, attributes }: Counted,
  domain: Domain,
  heads: HouseholdHeads,
  columns: readonly HeadColumns[],
): AnswerTask => {
  const { household, bySize, person } = splitLevels(domain, attributes);
  const own = household.map((name) => oneHead(columns[heads.household(name)]));
  const once = kind === 'holding';
  // Whatever its size, a household is one.
  if (once && person.length === 0) return cutTask(bySize ? [...own, oneHead(columns[0])] : own);
  const slots = Array.from({ length: heads.maxSize }, (_, slot) =>
    person.map((name) => columns[heads.person(slot, name)]),
  );
  return cutTask([...own, slotPart({ sizes: columns[0], slots, once, bySize })]);
};
