import type { Domain } from '../../domain/domain.js';
import { limits } from '../../domain/limits.js';
import type { AtomOptions } from '../../domain/sql/atom.js';
import { type Axis, axisOf } from '../../domain/sql/axis.js';
import { meant, type Refuse } from '../../domain/sql/sql-error.js';
import type { AggregateOf, GroupKey, HomeCondition, SqlName, Statement, ValueOf } from '../../domain/sql/statement.js';
import { checkLeaf, leavesOf } from './check-leaves.js';
import { type Grouping, groupingOf } from './grouping.js';
import { homeCounter } from './homes.js';
import { type Counter, recordCounter } from './records.js';
import { sameText } from './same-text.js';
import { selectorOf } from './selection.js';
import type { Tally } from './tally.js';

/** A statement bound to a domain: what it needs of a model, and how. */
export interface Plan {
  readonly statement: Statement;
  readonly axes: readonly Axis[];
  readonly grouping: Grouping;
  /** The position of an attribute that the statement names. */
  readonly find: (name: SqlName) => number;
  /** What each aggregate adds up; those of the same records share it. */
  readonly tallies: ReadonlyMap<AggregateOf, Tally>;
  /** The records of each group. */
  readonly count: Tally;
  /** Plans of the SELECTs within. */
  readonly inner: ReadonlyMap<Statement, Plan>;
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

/** Finds attributes as they were written, or in another case where only one fits. */
const finderIn = (domain: Domain, refuse: Refuse): Plan['find'] => {
  const names = domain.attributes.map(({ name }) => name);
  const find = ({ name, at }: SqlName): number => {
    const exact = names.indexOf(name);
    if (exact >= 0) return exact;
    const alike = names.flatMap((own, i) => (own.toLowerCase() === name.toLowerCase() ? [i] : []));
    if (alike.length === 1) return alike[0];
    throw refuse(at, `must be an attribute of the release, got ${JSON.stringify(name)}`, meant(name, names, 'it has'));
  };
  return (name) => {
    const found = find(name);
    const { size } = domain.attributes[found];
    if (size > limits.sqlGroups)
      throw refuse(
        name.at,
        `an attribute that is asked about must have at most ${limits.sqlGroups} cells, got ${size}`,
        'such an attribute can be drawn in synthetic rows and not be asked about',
      );
    return found;
  };
};

/** Finds what is said of households: of a household there is no one age. */
const ofHouseholds =
  (find: Plan['find'], { attributes, households }: Domain, refuse: Refuse): Plan['find'] =>
  (name) => {
    const found = find(name);
    if (households?.attributes.includes(attributes[found].name)) return found;
    throw refuse(
      name.at,
      `${JSON.stringify(name.name)} is said of persons, and households are counted here`,
      'ask for it within EXISTS (SELECT 1 FROM persons WHERE ...), or count persons: FROM persons',
    );
  };

/** All conditions of a statement: those of WHERE, FILTER and CASE. */
const conditionsOf = (statement: Statement, aggregated: readonly AggregateOf[]): HomeCondition[] => {
  const ofCase = (of: ValueOf | GroupKey): readonly HomeCondition[] =>
    of.kind === 'case' ? of.branches.map(({ when }) => when) : [];
  return [
    ...(statement.where === undefined ? [] : [statement.where]),
    ...statement.groupBy.flatMap(ofCase),
    ...aggregated.flatMap(({ of, filter }) => [...of.flatMap(ofCase), ...(filter === undefined ? [] : [filter])]),
  ];
};

const checkGroups = ({ groupBy, columns, at }: Statement, { size }: Grouping, refuse: Refuse): void => {
  if (size > limits.sqlGroups)
    throw refuse(
      groupBy[0].at,
      `GROUP BY must make at most ${limits.sqlGroups} groups, got ${size}`,
      'group by fewer attributes',
    );
  if (size * columns.length > limits.sqlAnswers)
    throw refuse(
      groupBy[0]?.at ?? at,
      `groups times columns must be at most ${limits.sqlAnswers}, got ${size} times ${columns.length}`,
      'ask for fewer columns, or group by fewer attributes',
    );
};

/** Checks a statement against a domain: every name, type and bin. */
export const planOf = (statement: Statement, domain: Domain, options: AtomOptions): Plan => {
  const { refuse, remark } = options;
  const axes = axesOf(domain);
  const anywhere = finderIn(domain, refuse);
  const { households } = statement;
  const find = households === undefined ? anywhere : ofHouseholds(anywhere, domain, refuse);
  const grouping = groupingOf(statement.groupBy, axes, find, refuse);
  checkGroups(statement, grouping, refuse);
  const inner = new Map<Statement, Plan>();
  const aggregated: AggregateOf[] = [];
  for (const leaf of leavesOf(statement)) {
    const { expression } = leaf;
    if (expression.kind === 'select') inner.set(expression.statement, planOf(expression.statement, domain, options));
    if (expression.kind === 'aggregate') aggregated.push(expression);
    checkLeaf(leaf, { axes, find, grouping, refuse, remark });
  }
  const conditions = households === undefined ? conditionsOf(statement, aggregated) : [];
  const selector = selectorOf(conditions, axes, find, options);
  const context = { domain, axes, find, grouping, selector };
  const counter =
    households === undefined
      ? recordCounter(statement.where, context)
      : homeCounter(households.where, { own: find, person: anywhere }, context, options);
  return { statement, axes, grouping, find, inner, ...talliesOf(statement, aggregated, counter, refuse) };
};

/** What all aggregates add up, within the limit of what may be asked of a model. */
const talliesOf = (
  { at }: Statement,
  aggregated: readonly AggregateOf[],
  counter: Counter,
  refuse: Refuse,
): Pick<Plan, 'tallies' | 'count'> => {
  const known = new Map<string, Tally>();
  let work = 0;
  const tallyFor = (of: AggregateOf['of'], filter: AggregateOf['filter'], place: number): Tally => {
    const text = sameText([of, filter]);
    const found = known.get(text) ?? counter(of, filter);
    if (!known.has(text)) work += found.work;
    if (work > limits.sqlWork)
      throw refuse(
        place,
        `cells times products of conditions must be at most ${limits.sqlWork} in all columns together, got more`,
        'group by fewer attributes, use fewer ORs between different attributes, or ask for fewer columns',
      );
    known.set(text, found);
    return found;
  };
  const count = tallyFor([], undefined, at);
  return { count, tallies: new Map(aggregated.map((own) => [own, tallyFor(own.of, own.filter, own.at)])) };
};
