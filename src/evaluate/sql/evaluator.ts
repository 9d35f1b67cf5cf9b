import { stridesOf } from '../../domain/cell-index.js';
import { type Answering, modelsHouseholds } from '../../model/model.js';
import { tallyHomes } from './homes.js';
import type { Plan } from './plan.js';
import type { Expression } from './statement.js';
import { type Measure, tally } from './tally.js';

/** Numbers that a plan works out from one model; what was asked once is not asked again. */
export const evaluator = (plan: Plan, model: Answering): ((expression: Expression) => Float64Array) => {
  const { selection, axes, groups, find, homes, inner } = plan;
  const cells = plan.shape.reduce((product, size) => product * size, 1);
  const known = new Map<string, Float64Array>();
  const of = (measure: Measure): Float64Array => {
    const key = `${measure.kind} ${measure.attribute}`;
    const found =
      known.get(key) ??
      (homes === undefined
        ? tally(model, selection, axes, groups, measure)
        : tallyHomes(model, homes, axes, groups, measure));
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
          const all = homes !== undefined && modelsHouseholds(model) ? model.householdTotal : model.total;
          const factor = { COUNT: 1, SHARE: 1 / all, PERCENT: 100 / all, SUM: 1, AVG: 1 }[aggregate];
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
