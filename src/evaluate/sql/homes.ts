import type { HouseholdTable } from '../../domain/households/household-table.js';
import type { HouseholdSupportModel } from '../../model/households/household-support-model.js';
import type { Answering } from '../../model/model.js';
import { type HouseholdModel, modelsHouseholds } from '../../model/model.js';
import { seeded } from '../../random/seeded.js';
import { type Atom, type AtomOptions, atomOf } from './atom.js';
import { type Axis, standsFor } from './axis.js';
import { compare } from './compare.js';
import type { Condition, Expression, GroupCondition, HomeCondition, SqlName } from './statement.js';
import type { Measure } from './tally.js';

/** Whether a household of a table is selected; undefined where that is unknown. */
export type HomePredicate = (table: HouseholdTable) => Test;

type Test = (index: number) => boolean | undefined;

/** Where names are looked up: what is said of households, and of persons with their households. */
export interface HomeNames {
  readonly own: (name: SqlName) => number;
  readonly person: (name: SqlName) => number;
}

/** SQL's three values, joined: AND is false if any is, OR true if any is; else unknown if any is. */
const joined =
  (tests: readonly Test[], decisive: boolean): Test =>
  (index) => {
    let isKnown = true;
    for (const test of tests) {
      const known = test(index);
      if (known === decisive) return decisive;
      isKnown &&= known !== undefined;
    }
    return isKnown ? !decisive : undefined;
  };

const opposite =
  (test: Test): Test =>
  (index) => {
    const known = test(index);
    return known === undefined ? undefined : !known;
  };

/** For each cell of an attribute whether an atom is true there. No condition ends within a bin here, so a cell is in or out as a whole. */
const cellsOf = ({ axis, ranges, other, null: empty }: Atom): readonly (boolean | undefined)[] =>
  Array.from({ length: axis.attribute.size }, (_, cell) => {
    if (cell === axis.null) return empty;
    if (cell === axis.other) return other;
    return ranges.some(([from, to]) => from <= axis.edges[cell] && axis.edges[cell + 1] <= to);
  });

/**
 * Which households a condition selects, as a function of a table of them. Conditions that end within a bin are refused: of a household with several persons
 * in a part of a bin nothing could be said.
 */
export const homePredicate = (
  condition: HomeCondition | undefined,
  axes: readonly Axis[],
  names: HomeNames,
  options: AtomOptions,
): HomePredicate => {
  const exact = { ...options, withinBins: false };
  const simple = (part: Exclude<Condition, { parts: unknown } | { of: unknown }>, find: HomeNames['own']) => {
    const attribute = find(part.attribute);
    const cells = cellsOf(atomOf(part, axes[attribute], exact));
    return ({ columns }: HouseholdTable): Test =>
      (row) =>
        cells[columns[attribute][row]];
  };
  /** On rows of persons. */
  const ofPersons = (part: Condition): HomePredicate => {
    if ('parts' in part) {
      const each = part.parts.map(ofPersons);
      return (table) =>
        joined(
          each.map((one) => one(table)),
          part.kind === 'or',
        );
    }
    if (part.kind === 'not') {
      const inner = ofPersons(part.of);
      return (table) => opposite(inner(table));
    }
    return simple(part, names.person);
  };
  const ofHomes = (part: HomeCondition): HomePredicate => {
    if ('parts' in part) {
      const each = part.parts.map(ofHomes);
      return (table) =>
        joined(
          each.map((one) => one(table)),
          part.kind === 'or',
        );
    }
    if (part.kind === 'not') {
      const inner = ofHomes(part.of);
      return (table) => opposite(inner(table));
    }
    if (part.kind === 'holds') {
      const meets = part.where === undefined ? () => () => true : ofPersons(part.where);
      const enough = part.having === undefined ? (count: number) => count > 0 : havingOf(part.having, options);
      return (table) => {
        const test = meets(table);
        const { offsets } = table;
        return (home) => {
          let count = 0;
          for (let row = offsets[home]; row < offsets[home + 1]; row++) if (test(row) === true) count++;
          // A group of nobody is no group: HAVING COUNT(*) < 2 does not find the households without any.
          return count > 0 && enough(count);
        };
      };
    }
    const row = simple(part, names.own);
    return (table) => {
      const test = row(table);
      return (home) => test(table.offsets[home]);
    };
  };
  return condition === undefined ? () => () => true : ofHomes(condition);
};

/** HAVING of the persons of one household: comparisons of COUNT(*) with numbers. */
const havingOf = (condition: GroupCondition, { refuse }: AtomOptions): ((count: number) => boolean) => {
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => havingOf(part, { refuse, withinBins: false }));
    return condition.kind === 'or'
      ? (count) => parts.some((part) => part(count))
      : (count) => parts.every((part) => part(count));
  }
  if (condition.kind === 'not') {
    const inner = havingOf(condition.of, { refuse, withinBins: false });
    return (count) => !inner(count);
  }
  const side = (expression: Expression): ((count: number) => number) => {
    if (expression.kind === 'number') return () => expression.value;
    if (expression.kind === 'aggregate' && expression.aggregate === 'COUNT' && expression.of === undefined)
      return (count) => count;
    throw refuse(
      expression.at,
      'HAVING of the persons of a household must compare COUNT(*) with a number',
      'for example HAVING COUNT(*) >= 2',
    );
  };
  const [left, right] = [side(condition.left), side(condition.right)];
  return (count) => compare[condition.operator](left(count), right(count));
};

/** Households that stand for a model, each for so many. */
interface WeightedHomes {
  readonly table: HouseholdTable;
  readonly weights: Float64Array;
}

/** Households drawn where a model does not list them. */
const mostDrawn = 100_000;
const known = new WeakMap<HouseholdModel, WeightedHomes>();

/** The listed households of a model; of one that lists none, so many drawn ones, always the same. */
const homesOf = (model: HouseholdModel): WeightedHomes => {
  const found = known.get(model) ?? madeOf(model);
  known.set(model, found);
  return found;
};

const madeOf = (model: HouseholdModel): WeightedHomes => {
  if ('kind' in model && model.kind === 'households') {
    const { table, weights } = (model as HouseholdSupportModel).support;
    return { table, weights: weights.map((weight) => weight * model.householdTotal) };
  }
  const table = model.households(mostDrawn, seeded(1));
  return { table, weights: new Float64Array(mostDrawn).fill(model.householdTotal / mostDrawn) };
};

/** The measure of the selected households in every group, row-major over the cells of the grouping attributes. */
export const tallyHomes = (
  model: Answering,
  homes: HomePredicate,
  axes: readonly Axis[],
  groups: readonly number[],
  { kind, attribute }: Measure,
): Float64Array => {
  if (!modelsHouseholds(model)) throw new Error('a plan of households met a model of rows');
  const { table, weights } = homesOf(model);
  const { columns, offsets } = table;
  const sizes = groups.map((group) => axes[group].attribute.size);
  const sums = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  const passes = homes(table);
  const worth = (row: number): number => {
    if (kind === 'records') return 1;
    const axis = axes[attribute!];
    const cell = columns[attribute!][row];
    if (cell === axis.null) return 0;
    if (kind === 'filled') return 1;
    return cell === axis.other ? 0 : standsFor(axis, axis.edges[cell], axis.edges[cell + 1])!;
  };
  for (let home = 0; home < weights.length; home++) {
    if (passes(home) !== true) continue;
    const row = offsets[home];
    const group = groups.reduce((at, a, i) => at * sizes[i] + columns[a][row], 0);
    sums[group] += weights[home] * worth(row);
  }
  return sums;
};
