import type { HouseholdTable } from '../../domain/households/household-table.js';
import { type Atom, type AtomOptions, atomOf } from '../../domain/sql/atom.js';
import type { Axis } from '../../domain/sql/axis.js';
import type { Refuse } from '../../domain/sql/sql-error.js';
import type {
  CaseOf,
  Condition,
  Expression,
  GroupCondition,
  HomeCondition,
  SqlName,
  ValueOf,
} from '../../domain/sql/statement.js';
import type { HouseholdSupportModel } from '../../model/households/household-support-model.js';
import { type HouseholdModel, modelsHouseholds } from '../../model/model.js';
import { holding } from '../../query/holding.js';
import { seeded } from '../../random/seeded.js';
import type { CaseKey } from './case-key.js';
import { compare } from './compare.js';
import type { Counter, CounterContext } from './records.js';
import type { Tally } from './tally.js';
import { type Layout, layoutOf } from './values.js';

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
const homePredicate = (
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
      const enough = part.having === undefined ? (count: number) => count > 0 : havingOf(part.having, options.refuse);
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
const havingOf = (condition: GroupCondition, refuse: Refuse): ((count: number) => boolean) => {
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => havingOf(part, refuse));
    return condition.kind === 'or'
      ? (count) => parts.some((part) => part(count))
      : (count) => parts.every((part) => part(count));
  }
  if (condition.kind === 'not') {
    const inner = havingOf(condition.of, refuse);
    return (count) => !inner(count);
  }
  const side = (expression: Expression): ((count: number) => number) => {
    if (expression.kind === 'number') return () => expression.value;
    if (
      expression.kind === 'aggregate' &&
      expression.aggregate === 'COUNT' &&
      expression.of.length === 0 &&
      expression.filter === undefined
    )
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

/** Which branch of a CASE a household is in, the last being that of ELSE. */
const branchIn = (of: CaseOf, predicate: (condition: HomeCondition) => HomePredicate) => {
  const tests = of.branches.map(({ when }) => predicate(when));
  return (table: HouseholdTable) => {
    const own = tests.map((test) => test(table));
    return (home: number): number => {
      const found = own.findIndex((test) => test(home) === true);
      return found < 0 ? own.length : found;
    };
  };
};

/** What a household has, as a number: a group of a CASE, or a place among the values of an argument; -1 for none. */
type Reading = (table: HouseholdTable) => (home: number) => number;

const keyReading = (key: CaseKey, predicate: (condition: HomeCondition) => HomePredicate): Reading => {
  const branch = branchIn(key.of, predicate);
  return (table) => {
    const which = branch(table);
    return (home) => {
      const label = key.branches[which(home)];
      return typeof label === 'number' ? label : label.labels[table.columns[label.attribute][table.offsets[home]]];
    };
  };
};

const argumentReading = (
  of: ValueOf,
  { sources }: Layout,
  axes: readonly Axis[],
  predicate: (condition: HomeCondition) => HomePredicate,
): Reading => {
  const branch = of.kind === 'case' ? branchIn(of, predicate) : () => () => 0;
  return (table) => {
    const which = branch(table);
    return (home) => {
      const source = sources[which(home)];
      if (source?.attribute === undefined) return source?.place ?? -1;
      const cell = table.columns[source.attribute][table.offsets[home]];
      return cell === axes[source.attribute].null ? -1 : source.place + cell;
    };
  };
};

/** Tallies of households, one by one. No bin is divided here, so the pieces of an attribute are its cells. */
export const homeCounter = (
  where: HomeCondition | undefined,
  names: HomeNames,
  { domain, axes, find, grouping, selector }: CounterContext,
  options: AtomOptions,
): Counter => {
  const predicate = (condition: HomeCondition | undefined) => homePredicate(condition, axes, names, options);
  const selected = predicate(where);
  const keys = grouping.cases.map((key) => keyReading(key, predicate));
  const plain = grouping.cases.length === 0 && where === undefined;
  return (of, filter) => {
    const passes = predicate(filter);
    const layouts = of.map((argument) => layoutOf(argument, axes, find, selector.pieces));
    const readings = of.map((argument, i) => argumentReading(argument, layouts[i], axes, predicate));
    const walk: Tally['walk'] = (model, visit) => {
      if (!modelsHouseholds(model)) throw new Error('a plan of households met a model of rows');
      const { table, weights } = homesOf(model);
      const [isIn, isFiltered] = [selected(table), passes(table)];
      const [labels, places] = [keys, readings].map((each) => each.map((read) => read(table)));
      weights.forEach((weight, home) => {
        if (isIn(home) !== true || isFiltered(home) !== true) return;
        const values = places.map((place) => place(home));
        if (values.includes(-1)) return;
        const row = table.offsets[home];
        let group = 0;
        labels.forEach((label, i) => {
          group = group * grouping.shape[i] + label(home);
        });
        for (const attribute of grouping.attributes)
          group = group * axes[attribute].attribute.size + table.columns[attribute][row];
        visit(group, weight, values[0] ?? 0, values[1] ?? 0);
      });
    };
    // Of households without a condition, the noise of the same count, if it was measured.
    const groups = grouping.attributes.map((group) => domain.attributes[group].name);
    const measured = plain && filter === undefined && of.length === 0 ? holding(...groups) : undefined;
    return { values: layouts.map(({ values }) => values), walk, work: mostDrawn, measured };
  };
};
