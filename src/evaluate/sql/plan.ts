import { stridesOf } from '../../domain/cell-index.js';
import { type Domain, sizesOf } from '../../domain/domain.js';
import { limits } from '../../domain/limits.js';
import type { Model } from '../../model/model.js';
import { type Axis, axisOf, standsFor } from './axis.js';
import { type Selection, select } from './selection.js';
import { meant, type Refuse } from './sql-error.js';
import type { Expression, GroupCondition, SqlName, Statement } from './statement.js';
import { type Measure, tally } from './tally.js';

/** A statement bound to a domain: what it needs of a model, and how. */
export interface Plan {
  readonly statement: Statement;
  readonly axes: readonly Axis[];
  /** Positions of the grouping attributes. */
  readonly groups: readonly number[];
  readonly selection: Selection;
  /** Numbers of cells of the grouping attributes; one group when there are none. */
  readonly shape: readonly number[];
  /** The position of an attribute that the statement names. */
  readonly find: (name: SqlName) => number;
  /** Plans of the SELECTs within. */
  readonly inner: ReadonlyMap<Statement, Plan>;
}

export interface PlanOptions {
  readonly refuse: Refuse;
  readonly withinBins: boolean;
}

/** The axes of a domain, each made when it is first asked for: an attribute that nobody names may have any number of cells. */
const axesOf = (domain: Domain): readonly Axis[] => {
  const axes: Axis[] = [];
  domain.attributes.forEach((attribute, i) => {
    let made: Axis | undefined;
    Object.defineProperty(axes, i, {
      get: () => {
        made ??= axisOf(attribute);
        return made;
      },
    });
  });
  return axes;
};

/** Checks a statement against a domain: every name, type and bin. */
export const planOf = (statement: Statement, domain: Domain, options: PlanOptions): Plan => {
  const { refuse } = options;
  const axes = axesOf(domain);
  const names = domain.attributes.map(({ name }) => name);
  const findAny = ({ name, at }: SqlName): number => {
    const exact = names.indexOf(name);
    if (exact >= 0) return exact;
    const alike = names.flatMap((own, i) => (own.toLowerCase() === name.toLowerCase() ? [i] : []));
    if (alike.length === 1) return alike[0];
    throw refuse(at, `must be an attribute of the release, got ${JSON.stringify(name)}`, meant(name, names, 'it has'));
  };
  const find = (name: SqlName): number => {
    const found = findAny(name);
    const { size } = domain.attributes[found];
    if (size > limits.sqlGroups)
      throw refuse(
        name.at,
        `an attribute that is asked about must have at most ${limits.sqlGroups} cells, got ${size}`,
        'such an attribute can be drawn in synthetic rows and not be asked about',
      );
    return found;
  };
  const groups = [...new Set(statement.groupBy.map(find))];
  const shape = sizesOf(
    domain,
    groups.map((group) => names[group]),
  );
  const groupCount = shape.reduce((product, size) => product * size, 1);
  if (groupCount > limits.sqlGroups)
    throw refuse(
      statement.groupBy[0].at,
      `GROUP BY must make at most ${limits.sqlGroups} groups, got ${groupCount}`,
      'group by fewer attributes',
    );
  /** Cells of the largest table that a column needs, and where the column says so. */
  let widest = { cells: groupCount, at: statement.groupBy[0]?.at ?? statement.at };
  const inner = new Map<Statement, Plan>();

  const check = (expression: Expression, top: boolean): void => {
    switch (expression.kind) {
      case 'number':
        return;
      case 'attribute': {
        const at = find(expression);
        if (!top)
          throw refuse(
            expression.at,
            `${JSON.stringify(expression.name)} is no number of a group`,
            `use SUM(${expression.name}) or AVG(${expression.name})`,
          );
        if (!groups.includes(at))
          throw refuse(
            expression.at,
            `${JSON.stringify(expression.name)} must be a grouping attribute or within an aggregate`,
            `add GROUP BY ${expression.name}`,
          );
        return;
      }
      case 'aggregate': {
        if (expression.of === undefined) return;
        const index = find(expression.of);
        const axis = axes[index];
        const cells = groupCount * (groups.includes(index) ? 1 : axis.attribute.size);
        if (cells > limits.sqlCells)
          throw refuse(
            expression.of.at,
            `groups and ${JSON.stringify(expression.of.name)} must have at most ${limits.sqlCells} cells together, got ${cells}`,
            'group by fewer attributes',
          );
        if (cells > widest.cells) widest = { cells, at: expression.of.at };
        if (expression.aggregate !== 'COUNT' && standsFor(axis, 0, 1) === undefined)
          throw refuse(
            expression.of.at,
            `${expression.aggregate} must be of numbers, and ${JSON.stringify(expression.of.name)} is a ${axis.attribute.spec.type}`,
            `count it with GROUP BY ${expression.of.name}`,
          );
        return;
      }
      case 'select':
        inner.set(expression.statement, planOf(expression.statement, domain, options));
        return;
      case 'arithmetic':
        check(expression.left, false);
        check(expression.right, false);
    }
  };
  const checkGroups = (condition: GroupCondition): void => {
    if ('parts' in condition) condition.parts.forEach(checkGroups);
    else if (condition.kind === 'not') checkGroups(condition.of);
    else for (const side of [condition.left, condition.right]) check(side, false);
  };
  for (const { expression } of statement.columns) check(expression, true);
  for (const { expression } of statement.orderBy) check(expression, true);
  if (statement.having !== undefined) checkGroups(statement.having);
  const selection = select(statement.where, axes, find, options);
  if (widest.cells * selection.boxes.length > limits.sqlWork)
    throw refuse(
      widest.at,
      `cells times products of conditions must be at most ${limits.sqlWork}, got ${widest.cells} times ${selection.boxes.length}`,
      'group by fewer attributes, or use fewer ORs between different attributes',
    );
  return { statement, axes, groups, selection, shape, find, inner };
};

/** Numbers that a plan works out from one model; what was asked once is not asked again. */
export const evaluator = (plan: Plan, model: Model): ((expression: Expression) => Float64Array) => {
  const { selection, axes, groups, find, inner } = plan;
  const cells = plan.shape.reduce((product, size) => product * size, 1);
  const known = new Map<string, Float64Array>();
  const of = (measure: Measure): Float64Array => {
    const key = `${measure.kind} ${measure.attribute}`;
    const found = known.get(key) ?? tally(model, selection, axes, groups, measure);
    known.set(key, found);
    return found;
  };
  const evaluate = (expression: Expression): Float64Array => {
    switch (expression.kind) {
      case 'number':
        return new Float64Array(cells).fill(expression.value);
      case 'attribute':
        return groupCells(plan, find(expression));
      case 'select': {
        const { statement } = expression;
        const [value] = evaluator(inner.get(statement)!, model)(statement.columns[0].expression);
        return new Float64Array(cells).fill(value);
      }
      case 'arithmetic': {
        const [left, right] = [evaluate(expression.left), evaluate(expression.right)];
        return left.map((value, i) => calculate[expression.operator](value, right[i]));
      }
      case 'aggregate': {
        const { aggregate } = expression;
        if (expression.of === undefined) {
          const factor = { COUNT: 1, SHARE: 1 / model.total, PERCENT: 100 / model.total, SUM: 1, AVG: 1 }[aggregate];
          return of({ kind: 'records' }).map((count) => count * factor);
        }
        const attribute = find(expression.of);
        const filled = of({ kind: 'filled', attribute });
        if (aggregate === 'COUNT') return filled;
        const sums = of({ kind: 'sum', attribute });
        // A sum or an average of nothing is NULL.
        return sums.map((sum, i) => (filled[i] > 0 ? sum / (aggregate === 'AVG' ? filled[i] : 1) : Number.NaN));
      }
    }
  };
  return evaluate;
};

const calculate: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // Division by zero is NULL, as in SQLite; it never drops decimals.
  '/': (a, b) => (b === 0 ? Number.NaN : a / b),
};

/** The cell that each group has of a grouping attribute. */
export const groupCells = ({ groups, shape }: Plan, attribute: number): Float64Array => {
  const axis = groups.indexOf(attribute);
  const inner = stridesOf(shape)[axis];
  const cells = shape.reduce((product, size) => product * size, 1);
  return Float64Array.from({ length: cells }, (_, group) => Math.floor(group / inner) % shape[axis]);
};
