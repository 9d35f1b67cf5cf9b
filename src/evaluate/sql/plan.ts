import type { Domain } from '../../domain/domain.js';
import { limits } from '../../domain/limits.js';
import { type Axis, axisOf } from './axis.js';
import { checkLeaf, leavesOf, type Table } from './check-leaves.js';
import { type HomePredicate, homePredicate } from './homes.js';
import { type Selection, select } from './selection.js';
import { meant, type Refuse } from './sql-error.js';
import type { SqlName, Statement } from './statement.js';

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
  /** Where households are counted: which of them. `selection` is of all records then. */
  readonly homes?: HomePredicate | undefined;
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

/** Checks a statement against a domain: every name, type and bin. */
export const planOf = (statement: Statement, domain: Domain, options: PlanOptions): Plan => {
  const { refuse } = options;
  const axes = axesOf(domain);
  const anywhere = finderIn(domain, refuse);
  const find = statement.households === undefined ? anywhere : ofHouseholds(anywhere, domain, refuse);
  const groups = [...new Set(statement.groupBy.map(find))];
  const shape = groups.map((group) => domain.attributes[group].size);
  const groupCount = shape.reduce((product, size) => product * size, 1);
  if (groupCount > limits.sqlGroups)
    throw refuse(
      statement.groupBy[0].at,
      `GROUP BY must make at most ${limits.sqlGroups} groups, got ${groupCount}`,
      'group by fewer attributes',
    );
  if (groupCount * statement.columns.length > limits.sqlAnswers)
    throw refuse(
      statement.groupBy[0]?.at ?? statement.at,
      `groups times columns must be at most ${limits.sqlAnswers}, got ${groupCount} times ${statement.columns.length}`,
      'ask for fewer columns, or group by fewer attributes',
    );
  const inner = new Map<Statement, Plan>();
  let widest: Table = { cells: groupCount, at: statement.groupBy[0]?.at ?? statement.at };
  for (const { expression, isColumn } of leavesOf(statement)) {
    if (expression.kind === 'select') inner.set(expression.statement, planOf(expression.statement, domain, options));
    const table = checkLeaf(expression, isColumn, { axes, find, groups, groupCount, refuse });
    if (table !== undefined && table.cells > widest.cells) widest = table;
  }
  const selection = select(statement.where, axes, find, options);
  if (widest.cells * selection.boxes.length > limits.sqlWork)
    throw refuse(
      widest.at,
      `cells times products of conditions must be at most ${limits.sqlWork}, got ${widest.cells} times ${selection.boxes.length}`,
      'group by fewer attributes, or use fewer ORs between different attributes',
    );
  const homes =
    statement.households && homePredicate(statement.households.where, axes, { own: find, person: anywhere }, options);
  return { statement, axes, groups, selection, shape, find, homes, inner };
};
