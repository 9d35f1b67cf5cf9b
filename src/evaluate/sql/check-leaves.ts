import { limits } from '../../domain/limits.js';
import { type Axis, standsFor } from '../../domain/sql/axis.js';
import { comparisonOf } from '../../domain/sql/comparisons.js';
import type { Refuse } from '../../domain/sql/sql-error.js';
import type {
  AggregateOf,
  CaseOf,
  Expression,
  GroupCondition,
  SqlName,
  Statement,
  ValueOf,
} from '../../domain/sql/statement.js';
import { aggregateKinds } from './aggregates.js';
import type { Grouping } from './grouping.js';
import { branchesOf } from './values.js';

/** A part of an expression that is no arithmetic. */
interface Leaf {
  readonly expression: Expression;
  /** Whether it is a whole column or what to order by, and no part of one. */
  readonly isColumn: boolean;
}

/** What checks need to know of a statement. */
interface Context {
  readonly axes: readonly Axis[];
  readonly find: (name: SqlName) => number;
  readonly grouping: Grouping;
  readonly refuse: Refuse;
  readonly remark: (sentence: string) => void;
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

/** Refuses an attribute, a CASE or an aggregate that no group has a number for. */
export const checkLeaf = ({ expression, isColumn }: Leaf, context: Context): void => {
  if (expression.kind === 'attribute') checkAttribute(expression, isColumn, context);
  if (expression.kind === 'case') checkCase(expression, isColumn, context);
  if (expression.kind === 'aggregate') {
    for (const argument of expression.of) checkArgument(expression, argument, isColumn, context);
    checkCells(expression, context);
  }
};

const checkAttribute = (
  { name, at }: SqlName,
  isColumn: boolean,
  { find, grouping, refuse }: Pick<Context, 'find' | 'grouping' | 'refuse'>,
): void => {
  const attribute = find({ name, at });
  if (!isColumn)
    throw refuse(at, `${JSON.stringify(name)} is no number of a group`, `use SUM(${name}) or AVG(${name})`);
  if (grouping.placeOf(attribute) < 0)
    throw refuse(
      at,
      `${JSON.stringify(name)} must be a grouping attribute or within an aggregate`,
      `add GROUP BY ${name}`,
    );
};

const checkCase = (expression: CaseOf, isColumn: boolean, { grouping, refuse }: Context): void => {
  if (!isColumn)
    throw refuse(expression.at, 'a CASE is no number of a group', 'put it within an aggregate: SUM(CASE ... END)');
  if (grouping.placeOf(expression) < 0)
    throw refuse(
      expression.at,
      'a CASE must be grouped by or stand within an aggregate',
      'give it a name with AS, and GROUP BY that name',
    );
};

/** Refuses an argument without the numbers or the order that an aggregate needs, branch by branch. */
const checkArgument = (
  { aggregate }: AggregateOf,
  argument: ValueOf,
  isColumn: boolean,
  { axes, find, refuse, remark }: Context,
): void => {
  const { needs, rank, spread } = aggregateKinds[aggregate];
  const branches = branchesOf(argument).filter(({ kind }) => kind !== 'null');
  for (const branch of branches) {
    if (branch.kind === 'constant' && typeof branch.value === 'string' && needs !== 'value')
      throw refuse(branch.at, `${aggregate} must be of numbers, got a text`, 'write a number, or count');
    if (branch.kind !== 'attribute') continue;
    const axis = axes[find(branch)];
    const { ranked } = comparisonOf(axis);
    const name = JSON.stringify(branch.name);
    const { type } = axis.attribute.spec;
    if (needs === 'number' ? standsFor(axis, 0, 1) === undefined : needs === 'order' && ranked === undefined)
      throw refuse(
        branch.at,
        `${aggregate} must be of numbers${needs === 'order' ? ' or dates' : ''}, and ${name} is a ${type}`,
        `count it with GROUP BY ${branch.name}`,
      );
    if (needs === 'order' && ranked === 'date' && !isColumn)
      throw refuse(branch.at, `${aggregate} of ${name} is a date and no number`, 'let it be a column of its own');
    if (rank === 'share' && isBinned(axis))
      remark(`${name} is known by bins: within one, percentiles take its values for evenly spread`);
    if (spread === true && isBinned(axis))
      remark(`${name} is known by bins: deviations and correlations take each for its midpoint`);
  }
  const named = new Set(branches.flatMap((branch) => (branch.kind === 'attribute' ? [find(branch)] : [])));
  if (needs === 'order' && (named.size > 1 || (named.size === 1 && branches.some(({ kind }) => kind === 'constant'))))
    throw refuse(
      argument.at,
      `${aggregate} of a CASE must be of one attribute, or of numbers alone`,
      'put the condition in FILTER (WHERE ...)',
    );
  if (rank === 'least' || rank === 'largest')
    remark(
      `${aggregate} is the model's: the ${rank === 'least' ? 'first value up to' : 'last value from'} which it expects at least half a record; no release tells the extremes of single records`,
    );
};

const isBinned = ({ edges, continuous }: Axis): boolean =>
  continuous || edges.some((edge, i) => i > 0 && edge - edges[i - 1] > 1 && Number.isFinite(edge - edges[i - 1]));

/** Refuses what would be added up from too many cells. */
const checkCells = (
  { aggregate, of }: AggregateOf,
  { axes, find, grouping, refuse }: Pick<Context, 'axes' | 'find' | 'grouping' | 'refuse'>,
): void => {
  const isRanked = aggregateKinds[aggregate].needs === 'order';
  const sizeBeside = (attribute: number): number =>
    !isRanked && grouping.attributes.includes(attribute) ? 1 : axes[attribute].attribute.size;
  const branches = of.map(branchesOf);
  const sizes = branches.map((each) =>
    Math.max(1, ...each.map((branch) => (branch.kind === 'attribute' ? sizeBeside(find(branch)) : 1))),
  );
  const cells = sizes.reduce((product, size) => product * size, grouping.size);
  // What is ordered is kept as a whole, for every replicate.
  const most = isRanked ? limits.sqlAnswers : limits.sqlCells;
  if (cells > most) {
    const named = branches.flat().find((branch) => branch.kind === 'attribute');
    throw refuse(
      of[0].at,
      `groups and ${named === undefined ? 'values' : JSON.stringify(named.name)} must have at most ${most} cells together, got ${cells}`,
      'group by fewer attributes',
    );
  }
};
