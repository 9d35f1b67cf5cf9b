import { dayOfNumber, isoDay } from '../../domain/attribute/calendar.js';
import { comparisonOf } from '../../domain/sql/comparisons.js';
import { parseStatements } from '../../domain/sql/read/parse-statements.js';
import { refuseIn } from '../../domain/sql/sql-error.js';
import type { Expression, GroupCondition } from '../../domain/sql/statement.js';
import { type Bounds, type BoundsSource, boundsOfStatistic, narrower } from '../bounds.js';
import { noiseBounds } from '../noise-bounds.js';
import { aggregateKinds } from './aggregates.js';
import { compare } from './compare.js';
import { type Evaluator, evaluator, groupCells } from './evaluator.js';
import { openRemarks } from './open-remarks.js';
import { type Plan, planOf } from './plan.js';
import { rankBounds } from './rank-bounds.js';
import { cellName, type SqlValue } from './sql-value.js';
import { branchesOf } from './values.js';

/** A column of an answer. */
export interface SqlColumn {
  readonly title: string;
  /** What its values are: names of groups, numbers, or days such as 2014-03-31. */
  readonly kind: 'attribute' | 'number' | 'date';
}

/** A row of an answer, with the bounds of its cells. */
export interface SqlRow {
  readonly values: readonly SqlValue[];
  /** 95% bounds of each value; null where none is known. */
  readonly low: readonly (number | string | null)[];
  readonly high: readonly (number | string | null)[];
}

/** The rows that a statement gives, with bounds. */
export interface SqlAnswer {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly SqlRow[];
  /** Sentences that the answer should be read with, such as that a condition reaches beyond the schema. */
  readonly remarks: readonly string[];
}

/** What bounds come from. */
export interface SqlOptions {
  /** Takes the values of a bin for evenly spread where a condition ends within it, instead of refusing; false by default. */
  readonly withinBins?: boolean | undefined;
}

/**
 * Answers SQL from a release's model, by inference: no rows are drawn, and nothing is spent. One answer for each statement of the
 * text. What cannot be answered is an `InputError` with line and column. See docs/sql.md.
 *
 * @example
 * ```ts
 * const { model } = await estimateGraphical(domain, measurements);
 * const [{ rows }] = answerSql('SELECT sex, COUNT(*) FROM data GROUP BY sex', { model, measurements });
 * ```
 */
export const answerSql = (text: string, source: BoundsSource, { withinBins = false }: SqlOptions = {}): SqlAnswer[] => {
  const { domain } = source.model;
  const names = domain.attributes.map(({ name }) => name);
  const plans = parseStatements(text, names, domain.households !== undefined).map((statement) => {
    const remarks = new Set<string>();
    const remark = (sentence: string) => void remarks.add(sentence);
    return { plan: planOf(statement, domain, { refuse: refuseIn(text), withinBins, remark }), remarks };
  });
  return plans.map(({ plan, remarks }) => ({
    ...answer(plan, source),
    remarks: [...new Set([...remarks, ...openRemarks(plan, source.model)])],
  }));
};

/** How the numbers of a column are written; NaN is nothing. */
const writers = {
  number: (value: number) => value,
  date: (value: number) => isoDay(dayOfNumber(Math.floor(value))),
};

/** A column of an answer, group by group. */
interface ReadColumn {
  readonly kind: SqlColumn['kind'];
  readonly value: (group: number) => SqlValue;
  readonly low: (group: number) => number | string | null;
  readonly high: (group: number) => number | string | null;
}

const answer = (plan: Plan, source: BoundsSource): Omit<SqlAnswer, 'remarks'> => {
  const evaluate = evaluator(plan, source.model);
  const groups = chosenGroups(plan, evaluate);
  const columns = plan.statement.columns.map(({ title, expression }) => ({
    title,
    ...(nameColumn(plan, expression) ?? numberColumn(plan, expression, source, evaluate)),
  }));
  return {
    columns: columns.map(({ title, kind }) => ({ title, kind })),
    rows: groups.map((group) => ({
      values: columns.map(({ value }) => value(group)),
      low: columns.map(({ low }) => low(group)),
      high: columns.map(({ high }) => high(group)),
    })),
  };
};

/** What groups are called by an attribute or a CASE; undefined for a column of numbers. */
const nameColumn = (plan: Plan, expression: Expression): ReadColumn | undefined => {
  if (expression.kind !== 'attribute' && expression.kind !== 'case') return undefined;
  const { grouping, find, axes } = plan;
  const key = expression.kind === 'case' ? expression : find(expression);
  const place = grouping.placeOf(key);
  const cells = groupCells(plan, place);
  const name = (cell: number): SqlValue =>
    typeof key === 'number' ? cellName(axes[key], cell) : grouping.cases[place].labels[cell];
  const none = () => null;
  return { kind: 'attribute', value: (group) => name(cells[group]), low: none, high: none };
};

const numberColumn = (plan: Plan, expression: Expression, source: BoundsSource, evaluate: Evaluator): ReadColumn => {
  const { values, low, high } = boundsOfColumn(plan, expression, source, evaluate);
  const kind = writtenAs(plan, expression);
  const read = (of: Float64Array) => (group: number) => (Number.isFinite(of[group]) ? writers[kind](of[group]) : null);
  return { kind, value: read(values), low: read(low), high: read(high) };
};

/** Whether an aggregate gives dates: the least of some, or the middle. */
const writtenAs = ({ axes, find }: Plan, expression: Expression): 'number' | 'date' => {
  if (expression.kind !== 'aggregate' || aggregateKinds[expression.aggregate].needs !== 'order') return 'number';
  const named = expression.of.flatMap(branchesOf).find((branch) => branch.kind === 'attribute');
  return named === undefined ? 'number' : comparisonOf(axes[find(named)]).ranked!;
};

/** Groups that exist and pass HAVING, in order, between OFFSET and LIMIT. */
const chosenGroups = (plan: Plan, evaluate: Evaluator): number[] => {
  const { statement, grouping } = plan;
  const counts = evaluate.counts();
  let groups = [...counts.keys()];
  if (grouping.shape.length > 0) groups = groups.filter((group) => counts[group] > 0);
  if (statement.having !== undefined) {
    const passes = having(statement.having, evaluate.numbers);
    groups = groups.filter((group) => passes(group) === true);
  }
  const keys = statement.orderBy.map(({ expression, descending }) =>
    comparing(evaluate.numbers(expression), descending),
  );
  // Groups are numbered with the CASEs first, and told in the order of GROUP BY.
  const natural =
    grouping.cases.length === 0 ? [] : grouping.order.map((place) => comparing(groupCells(plan, place), false));
  groups.sort((a, b) => [...keys, ...natural].reduce((found, compare) => found || compare(a, b), 0));
  const start = statement.offset ?? 0;
  return groups.slice(start, statement.limit === undefined ? undefined : start + statement.limit);
};

/** Orders groups by a number of theirs. NULL comes first, as in SQLite. */
const comparing = (values: Float64Array, descending: boolean): ((a: number, b: number) => number) => {
  const rank = (group: number) => (Number.isNaN(values[group]) ? -Infinity : values[group]);
  return (a, b) => (rank(a) === rank(b) ? 0 : (rank(a) < rank(b) ? -1 : 1) * (descending ? -1 : 1));
};

/** Whether a group passes; undefined when a number in it is NULL. */
const having = (
  condition: GroupCondition,
  evaluate: (expression: Expression) => Float64Array,
): ((group: number) => boolean | undefined) => {
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => having(part, evaluate));
    const decisive = condition.kind === 'or';
    return (group) => {
      const known = parts.map((part) => part(group));
      return known.includes(decisive) ? decisive : known.includes(undefined) ? undefined : !decisive;
    };
  }
  if (condition.kind === 'not') {
    const inner = having(condition.of, evaluate);
    return (group) => {
      const known = inner(group);
      return known === undefined ? undefined : !known;
    };
  }
  const [left, right] = [evaluate(condition.left), evaluate(condition.right)];
  return (group) =>
    Number.isNaN(left[group]) || Number.isNaN(right[group])
      ? undefined
      : compare[condition.operator](left[group], right[group]);
};

const boundsOfColumn = (plan: Plan, expression: Expression, source: BoundsSource, evaluate: Evaluator): Bounds => {
  const values = evaluate.numbers(expression);
  const kind = expression.kind === 'aggregate' ? aggregateKinds[expression.aggregate] : undefined;
  if (expression.kind === 'aggregate' && kind?.rank !== undefined)
    return rankBounds(expression, source, values, (model) => evaluator(plan, model).ranks(expression));
  const refitted = boundsOfStatistic(
    source,
    // The model's own numbers are known already.
    (model) => (model === source.model ? values : evaluator(plan, model).numbers(expression)),
    kind?.least,
  );
  const bounds = { ...refitted, high: refitted.high.map((high) => Math.min(high, kind?.most ?? Infinity)) };
  if (expression.kind !== 'aggregate' || expression.aggregate !== 'COUNT') return bounds;
  const query = plan.tallies.get(expression)!.measured;
  const measured = query && noiseBounds(source.measurements, source.model.domain, query);
  return measured === undefined ? bounds : narrower(bounds, measured);
};
