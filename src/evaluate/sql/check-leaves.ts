import { limits } from '../../domain/limits.js';
import { type Axis, standsFor } from './axis.js';
import type { Refuse } from './sql-error.js';
import type { Expression, GroupCondition, SqlName, Statement } from './statement.js';

/** A part of an expression that is no arithmetic. */
interface Leaf {
  readonly expression: Expression;
  /** Whether it is a whole column or what to order by, and no part of one. */
  readonly isColumn: boolean;
}

/** What the numbers of a column are added up from, and where the column says so. */
export interface Table {
  readonly cells: number;
  readonly at: number;
}

/** What checks need to know of a statement. */
interface Grouping {
  readonly axes: readonly Axis[];
  readonly find: (name: SqlName) => number;
  readonly groups: readonly number[];
  readonly groupCount: number;
  readonly refuse: Refuse;
}

/** The leaves of all columns, of ORDER BY and of HAVING. */
export const leavesOf = ({ columns, orderBy, having }: Statement): Leaf[] => [
  ...[...columns, ...orderBy].flatMap(({ expression }) => leaves(expression, true)),
  ...(having === undefined ? [] : sidesOf(having).flatMap((side) => leaves(side, false))),
];

/** In their order, without a call within another for each operator of a long chain. */
const leaves = (whole: Expression, isColumn: boolean): Leaf[] => {
  const found: Leaf[] = [];
  const open: Leaf[] = [{ expression: whole, isColumn }];
  for (let leaf = open.pop(); leaf !== undefined; leaf = open.pop()) {
    const { expression } = leaf;
    if (expression.kind !== 'arithmetic') found.push(leaf);
    else for (const side of [expression.right, expression.left]) open.push({ expression: side, isColumn: false });
  }
  return found;
};

const sidesOf = (condition: GroupCondition): Expression[] => {
  if ('parts' in condition) return condition.parts.flatMap(sidesOf);
  return condition.kind === 'not' ? sidesOf(condition.of) : [condition.left, condition.right];
};

/** Refuses an attribute or an aggregate that no group has a number for; gives the table that an aggregate needs. */
export const checkLeaf = (expression: Expression, isColumn: boolean, grouping: Grouping): Table | undefined => {
  if (expression.kind === 'attribute') checkAttribute(expression, isColumn, grouping);
  if (expression.kind !== 'aggregate' || expression.of === undefined) return undefined;
  return tableOf(expression.aggregate, expression.of, grouping);
};

const checkAttribute = ({ name, at }: SqlName, isColumn: boolean, { find, groups, refuse }: Grouping): void => {
  const attribute = find({ name, at });
  if (!isColumn)
    throw refuse(at, `${JSON.stringify(name)} is no number of a group`, `use SUM(${name}) or AVG(${name})`);
  if (!groups.includes(attribute))
    throw refuse(
      at,
      `${JSON.stringify(name)} must be a grouping attribute or within an aggregate`,
      `add GROUP BY ${name}`,
    );
};

const tableOf = (aggregate: string, of: SqlName, { axes, find, groups, groupCount, refuse }: Grouping): Table => {
  const index = find(of);
  const { attribute } = axes[index];
  const cells = groupCount * (groups.includes(index) ? 1 : attribute.size);
  if (cells > limits.sqlCells)
    throw refuse(
      of.at,
      `groups and ${JSON.stringify(of.name)} must have at most ${limits.sqlCells} cells together, got ${cells}`,
      'group by fewer attributes',
    );
  if (aggregate !== 'COUNT' && standsFor(axes[index], 0, 1) === undefined)
    throw refuse(
      of.at,
      `${aggregate} must be of numbers, and ${JSON.stringify(of.name)} is a ${attribute.spec.type}`,
      `count it with GROUP BY ${of.name}`,
    );
  return { cells, at: of.at };
};
