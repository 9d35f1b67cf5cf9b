import { dayOfNumber, isoDay } from '../../domain/attribute/calendar.js';
import { type Axis, isOpenCell } from '../../domain/sql/axis.js';
import { comparisonOf } from '../../domain/sql/comparisons.js';
import type { Answering } from '../../model/model.js';
import { aggregateKinds } from './aggregates.js';
import { leavesOf } from './check-leaves.js';
import type { Plan } from './plan.js';
import { branchesOf } from './values.js';

/** What aggregates of attributes with open ends should be read with: how much lies there, and what it was taken for. */
export const openRemarks = (plan: Plan, model: Answering): string[] => {
  const { statement, axes, find, inner } = plan;
  const named = leavesOf(statement).flatMap(({ expression }) => {
    if (expression.kind !== 'aggregate' || aggregateKinds[expression.aggregate].needs === 'value') return [];
    return expression.of.flatMap(branchesOf).flatMap((branch) => (branch.kind === 'attribute' ? [find(branch)] : []));
  });
  return [
    ...[...new Set(named)].flatMap((attribute) => remarkOf(axes[attribute], model)),
    ...[...inner.values()].flatMap((each) => openRemarks(each, model)),
  ];
};

const remarkOf = (axis: Axis, model: Answering): string[] => {
  const { attribute, labels, edges, reach } = axis;
  const open = [...labels.keys()].filter((cell) => cell + 1 < edges.length && isOpenCell(axis, cell));
  if (open.length === 0) return [];
  const counts = model.marginal([attribute.name]);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const text = (cell: number): string =>
    `${((100 * counts[cell]) / (all || 1)).toFixed(1)}% of all records ${labels[cell]}, taken to reach ${cell === 0 ? 'down to' : 'up to'} ${placeText(axis, reach[cell === 0 ? 0 : 1], cell > 0)}`;
  return [
    `${JSON.stringify(attribute.name)} has open ends (${open.map(text).join('; ')}): how far values really go there is not known, and the answer depends on it`,
  ];
};

/** A place on the axis as its values are written; the end of a stretch is the last value within. */
const placeText = (axis: Axis, x: number, isEnd: boolean): string => {
  if (comparisonOf(axis).ranked === 'date') return isoDay(dayOfNumber(isEnd ? x - 1 : x));
  return String(isEnd && !axis.continuous ? x - 1 : x);
};
