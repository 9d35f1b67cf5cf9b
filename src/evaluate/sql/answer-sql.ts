import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import { holding } from '../../query/holding.js';
import { type Bounds, type BoundsSource, boundsOfStatistic, narrower } from '../bounds.js';
import { noiseBounds } from '../noise-bounds.js';
import type { Axis } from './axis.js';
import { compare } from './compare.js';
import { evaluator, groupCells } from './evaluator.js';
import { type Plan, planOf } from './plan.js';
import { parseStatements } from './read/parse-statements.js';
import { refuseIn } from './sql-error.js';
import type { Expression, GroupCondition } from './statement.js';
import { termsOf } from './tally.js';

/** What a column or a bin of a group is called, or a number; null where there is none. */
export type SqlValue = string | number | boolean | null;

/** A column of an answer. */
export interface SqlColumn {
  readonly title: string;
  readonly kind: 'attribute' | 'number';
}

/** A row of an answer, with the bounds of its cells. */
export interface SqlRow {
  readonly values: readonly SqlValue[];
  /** 95% bounds of each value; null where none is known. */
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

/** The rows that a statement gives, with bounds. */
export interface SqlAnswer {
  readonly columns: readonly SqlColumn[];
  readonly rows: readonly SqlRow[];
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
  const plans = parseStatements(text, names, domain.households !== undefined).map((statement) =>
    planOf(statement, domain, { refuse: refuseIn(text), withinBins }),
  );
  return plans.map((plan) => answer(plan, source));
};

const answer = (plan: Plan, source: BoundsSource): SqlAnswer => {
  const { statement, find, axes } = plan;
  const { model } = source;
  const evaluate = evaluator(plan, model);
  const groups = chosenGroups(plan, evaluate);
  const columns = statement.columns.map(({ title, expression }) => {
    if (expression.kind === 'attribute') {
      const attribute = find(expression);
      const cells = groupCells(plan, attribute);
      return { title, kind: 'attribute' as const, read: (group: number) => named(axes[attribute], cells[group]) };
    }
    const { values, low, high } = boundsOfColumn(plan, expression, source, evaluate(expression));
    const number = (of: Float64Array) => (group: number) => (Number.isFinite(of[group]) ? of[group] : null);
    return { title, kind: 'number' as const, read: number(values), low: number(low), high: number(high) };
  });
  return {
    columns: columns.map(({ title, kind }) => ({ title, kind })),
    rows: groups.map((group) => ({
      values: columns.map(({ read }) => read(group)),
      low: columns.map((column) => (column.kind === 'number' ? column.low(group) : null)),
      high: columns.map((column) => (column.kind === 'number' ? column.high(group) : null)),
    })),
  };
};

/** Groups that exist and pass HAVING, in order, between OFFSET and LIMIT. */
const chosenGroups = (plan: Plan, evaluate: (expression: Expression) => Float64Array): number[] => {
  const { statement, groups: grouping } = plan;
  const counts = evaluate({ kind: 'aggregate', aggregate: 'COUNT', at: 0 });
  let groups = [...counts.keys()];
  if (grouping.length > 0) groups = groups.filter((group) => counts[group] > 0);
  if (statement.having !== undefined) {
    const passes = having(statement.having, evaluate);
    groups = groups.filter((group) => passes(group) === true);
  }
  const keys = statement.orderBy.map(({ expression, descending }) => {
    const values = evaluate(expression);
    // NULL comes first, as in SQLite.
    const rank = (group: number) => (Number.isNaN(values[group]) ? -Infinity : values[group]);
    return (a: number, b: number) => (rank(a) === rank(b) ? 0 : (rank(a) < rank(b) ? -1 : 1) * (descending ? -1 : 1));
  });
  groups.sort((a, b) => keys.reduce((found, compare) => found || compare(a, b), 0));
  const start = statement.offset ?? 0;
  return groups.slice(start, statement.limit === undefined ? undefined : start + statement.limit);
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

const boundsOfColumn = (plan: Plan, expression: Expression, source: BoundsSource, values: Float64Array): Bounds => {
  const counted = expression.kind === 'aggregate' && ['COUNT', 'SHARE', 'PERCENT'].includes(expression.aggregate);
  const refitted = boundsOfStatistic(
    source,
    // The model's own numbers are known already.
    (model) => (model === source.model ? values : evaluator(plan, model)(expression)),
    counted ? 0 : -Infinity,
  );
  if (!counted || expression.aggregate !== 'COUNT' || expression.of !== undefined) return refitted;
  const { selection, groups } = plan;
  const { domain } = source.model;
  if (plan.homes !== undefined) return boundsOfHomes(plan, source, refitted);
  // Noise bounds whole cells of measured marginals: one box, with no cell divided and no group outside.
  if (selection.boxes.length !== 1) return refitted;
  const terms = termsOf(selection.boxes[0], selection, domain, groups);
  const divided = groups.some((group) => selection.pieces(group).length > domain.attributes[group].size);
  if (terms.length !== 1 || terms[0].factor !== 1 || divided) return refitted;
  const measured = noiseBounds(source.measurements, domain, terms[0].query);
  return measured === undefined ? refitted : narrower(refitted, measured);
};

/** Of households without a condition, the noise of the same count, if it was measured. */
const boundsOfHomes = (plan: Plan, source: BoundsSource, refitted: Bounds): Bounds => {
  if (plan.statement.households?.where !== undefined) return refitted;
  const { domain } = source.model;
  const query = holding(...plan.groups.map((group) => domain.attributes[group].name));
  const measured = noiseBounds(source.measurements, domain, query);
  return measured === undefined ? refitted : narrower(refitted, measured);
};

/** A cell as a person would write it. */
const named = ({ attribute: { spec }, labels, null: empty }: Axis, cell: number): SqlValue =>
  cell === empty ? null : (kindOf(spec).single(spec)?.(cell) ?? labels[cell]);
