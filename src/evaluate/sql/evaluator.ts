import { stridesOf } from '../../domain/cell-index.js';
import type { AggregateOf, Expression } from '../../domain/sql/statement.js';
import { type Answering, modelsHouseholds } from '../../model/model.js';
import { aggregateKinds } from './aggregates.js';
import { type Moments, momentsOf } from './moments.js';
import type { Plan } from './plan.js';
import { type Ranks, ranksOf } from './ranks.js';
import type { Tally } from './tally.js';

/** Numbers that a plan works out from one model. */
export interface Evaluator {
  readonly numbers: (expression: Expression) => Float64Array;
  /** Of a group, the records of an aggregate by value. */
  readonly ranks: (of: AggregateOf) => Ranks;
  /** The records of each group. */
  readonly counts: () => Float64Array;
}

/** What was asked of a model once is not asked again, but for what takes a table for each group. */
export const evaluator = (plan: Plan, model: Answering): Evaluator => {
  const { grouping, find, inner } = plan;
  const known = new Map<Tally, Moments>();
  const moments = (tally: Tally): Moments => {
    const found = known.get(tally) ?? momentsOf(tally, model, grouping.size);
    known.set(tally, found);
    return found;
  };
  const all = plan.statement.households !== undefined && modelsHouseholds(model) ? model.householdTotal : model.total;
  const ranks = (of: AggregateOf): Ranks => ranksOf(plan.tallies.get(of)!, model, grouping.size);
  const evaluate = (expression: Expression): Float64Array => {
    switch (expression.kind) {
      case 'number':
        return new Float64Array(grouping.size).fill(expression.value);
      case 'attribute':
        return groupCells(plan, grouping.placeOf(find(expression)));
      case 'case':
        return groupCells(plan, grouping.placeOf(expression));
      case 'select': {
        const { statement } = expression;
        const [value] = evaluator(inner.get(statement)!, model).numbers(statement.columns[0].expression);
        return new Float64Array(grouping.size).fill(value);
      }
      case 'arithmetic': {
        const [left, right] = [evaluate(expression.left), evaluate(expression.right)];
        return left.map((value, i) => calculate[expression.operator](value, right[i]));
      }
      case 'aggregate': {
        const tally = plan.tallies.get(expression)!;
        const told = { moments: () => moments(tally), ranks: () => ranks(expression), all, groups: grouping.size };
        return aggregateKinds[expression.aggregate].values(told, expression);
      }
    }
  };
  return { numbers: evaluate, ranks, counts: () => moments(plan.count).count };
};

const calculate: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // Division by zero is NULL, as in SQLite; it never drops decimals.
  '/': (a, b) => (b === 0 ? Number.NaN : a / b),
};

/** The cell, or the place among the groups of a CASE, that each group has; `place` is that of the key in the grouping. */
export const groupCells = ({ grouping: { shape, size } }: Pick<Plan, 'grouping'>, place: number): Float64Array => {
  const inner = stridesOf(shape)[place];
  return Float64Array.from({ length: size }, (_, group) => Math.floor(group / inner) % shape[place]);
};
