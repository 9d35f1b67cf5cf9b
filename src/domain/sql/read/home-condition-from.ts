import type { Condition, Holds, HomeCondition } from '../statement.js';
import { conditionFrom, groupConditionFrom, joinedFrom, simpleFrom } from './condition-from.js';
import { checkKeys, levelFrom } from './level-from.js';
import { type Meaning, placeOf } from './meaning.js';
import type { SelectTree, Tree } from './tree.js';

/** A condition on households: of what is said of them, and of who lives in them. */
export const homeConditionFrom = (tree: Tree, meaning: Meaning): HomeCondition =>
  joinedFrom<HomeCondition>(tree, (single): HomeCondition => {
    if (single.kind === 'unary' && single.operator.name === 'NOT')
      return { kind: 'not', of: homeConditionFrom(single.of, meaning) };
    return holdsFrom(single, meaning) ?? simpleFrom(single, meaning);
  }) as HomeCondition;

/** EXISTS (SELECT ... FROM persons ...), or a key that is IN such a SELECT; undefined for anything else. */
const holdsFrom = (tree: Tree, meaning: Meaning): HomeCondition | undefined => {
  const { tokens } = meaning;
  const at = placeOf(tree, meaning);
  if (tree.kind === 'call' && tokens[tree.first].key === 'EXISTS') {
    const [inner] = tree.args;
    return tree.args.length === 1 && inner.kind === 'select' ? personsOf(inner.select, at, meaning) : undefined;
  }
  if (tree.kind !== 'binary' || tree.right.kind !== 'select') return undefined;
  const { operator, left, right } = tree;
  if (operator.name !== 'IN' && operator.name !== 'NOT IN') return undefined;
  const [column] = right.select.columns;
  if (left.kind !== 'name' || right.select.columns.length !== 1 || column.of.kind !== 'name')
    throw meaning.refuse(at, 'IN with a SELECT must be of a key', 'write key IN (SELECT key FROM persons WHERE ...)');
  checkKeys([left.last, column.of.last], meaning);
  const holds = personsOf(right.select, at, meaning);
  return operator.name === 'IN' ? holds : { kind: 'not', of: holds };
};

const personsOf = (select: SelectTree, at: number, meaning: Meaning): Holds => {
  const { refuse } = meaning;
  if (levelFrom(select, meaning) !== 'rows')
    throw refuse(at, 'what a household holds must be asked of persons', 'write SELECT 1 FROM persons WHERE ...');
  if (select.orderBy.length > 0 || select.limit !== undefined || select.offset !== undefined)
    throw refuse(at, 'what a household holds has no order and no end', 'leave ORDER BY and LIMIT out');
  for (const group of select.groupBy) {
    if (group.kind !== 'name')
      throw refuse(placeOf(group, meaning), 'persons of one household are grouped by its key', 'write GROUP BY key');
    checkKeys([group.last], meaning);
  }
  return {
    kind: 'holds',
    at,
    where: select.where && withoutKeys(select.where, meaning),
    having: select.having && groupConditionFrom(select.having, meaning, new Map()),
  };
};

/** The condition on a person, without the one that joins them to their household, which is meant anyway. */
const withoutKeys = (tree: Tree, meaning: Meaning): Condition | undefined => {
  if (tree.kind === 'binary' && tree.operator.name === 'AND') {
    const parts = [tree.left, tree.right].flatMap((part) => withoutKeys(part, meaning) ?? []);
    return parts.length > 1 ? { kind: 'and', parts } : parts[0];
  }
  if (tree.kind === 'binary' && tree.operator.name === '=' && tree.left.kind === 'name' && tree.right.kind === 'name') {
    checkKeys([tree.left.last, tree.right.last], meaning);
    return undefined;
  }
  return conditionFrom(tree, meaning);
};
