import * as v from 'valibot';
import type { AttributeSpec } from '../attribute/attribute.js';
import { valueCells } from '../attribute/cells.js';
import type { ConstraintSpec } from '../constraints/constraint.js';
import { InputError } from '../input-error.js';
import { nearest } from '../nearest.js';
import {
  type AskedMap,
  asked,
  columnsOfMap,
  type DraftAttribute,
  isAsked,
  isAskedColumn,
  isAskedMap,
  isLeftOut,
} from './draft.js';

const label = v.pipe(v.string(), v.nonEmpty());

/** The form of a constraint whose map is asked for. */
export const askedMapShape = v.strictObject({
  from: v.union([label, v.pipe(v.array(label), v.nonEmpty())]),
  to: label,
  map: v.literal(asked),
  description: v.exactOptional(v.string()),
});

/** Combinations of cells that a map is learned from: each gets noise of its own, and stands in the bundle. */
export const mostMapCells = 2 ** 16;

/** Whether every cell of a column is one value: bins hold several, and what one of them goes with says nothing of the others. */
export const holdsSingleValues = (spec: AttributeSpec): boolean => {
  if (spec.type === 'category' || spec.type === 'boolean') return true;
  if (spec.type !== 'integer' || spec.open !== undefined || spec.scale !== undefined) return false;
  const { edges, min = 0, max = 0, bins } = spec;
  if (edges !== undefined) return edges.every((edge, i) => i === 0 || edge - edges[i - 1] === 1);
  return bins === undefined || valueCells(spec) === max - min + 1;
};

/** Refuses maps to be asked for that no answer could make sense of: columns that are not there, that are binned, or that would determine each other. */
export const checkMaps = (
  constraints: readonly (ConstraintSpec | AskedMap)[],
  attributes: readonly DraftAttribute[],
): void => {
  const names = attributes.map(({ name }) => name);
  for (const [i, constraint] of constraints.entries()) {
    if (!isAskedMap(constraint)) continue;
    const place = `schema: constraints[${i}]`;
    const columns = columnsOfMap(constraint);
    const twice = columns.find((name, at) => columns.indexOf(name) < at);
    if (twice !== undefined)
      throw new InputError(`${place}: columns of a map must differ, got ${JSON.stringify(twice)} twice`);
    for (const [at, name] of columns.entries())
      checkColumn(
        name,
        attributes.find((spec) => spec.name === name),
        names,
        `${place}.${at < columns.length - 1 ? 'from' : 'to'}`,
      );
    checkTwice(constraints, i, place);
  }
  checkCircles(constraints);
};

const checkColumn = (name: string, spec: DraftAttribute | undefined, names: readonly string[], place: string): void => {
  const shown = JSON.stringify(name);
  if (spec === undefined) {
    const guess = nearest(name, names);
    throw new InputError(
      `${place}: must name a column of the schema, got ${shown}${guess === undefined ? '; declare it, or have it asked for' : `; did you mean ${JSON.stringify(guess)}?`}`,
    );
  }
  if (isLeftOut(spec))
    throw new InputError(`${place}: must name a column that is released, got ${shown}, which is left out by its type`);
  const isBinned = isAsked(spec) ? spec.type !== 'category' : !isAskedColumn(spec) && !holdsSingleValues(spec);
  if (isBinned)
    throw new InputError(
      `${place}: a map is learned between columns of single values, got ${shown}, which has bins or dates; declare it as a category or as integers one by one, or write a condition`,
    );
};

const checkTwice = (constraints: readonly (ConstraintSpec | AskedMap)[], own: number, place: string): void => {
  const keyOf = (constraint: ConstraintSpec | AskedMap): string | undefined =>
    'map' in constraint ? JSON.stringify(columnsOfMap(constraint)) : undefined;
  const key = keyOf(constraints[own]);
  if (constraints.some((other, i) => i !== own && keyOf(other) === key))
    throw new InputError(`${place}: must be the only map of these columns, got another one; take one of them out`);
};

/** Refuses columns that would determine themselves through others: the map of one would be learned from what another has moved. */
const checkCircles = (constraints: readonly (ConstraintSpec | AskedMap)[]): void => {
  const maps = constraints.flatMap((constraint, i) =>
    'map' in constraint ? [{ constraint, place: `schema: constraints[${i}]` }] : [],
  );
  /** All that a column determines, through others too. */
  const reached = (name: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const { constraint } of maps) {
      const { from, to } = constraint;
      if (found.has(to) || ![from].flat().includes(name)) continue;
      found.add(to);
      reached(to, found);
    }
    return found;
  };
  for (const { constraint, place } of maps) {
    const { from, to } = constraint;
    const back = isAskedMap(constraint) && [from].flat().find((name) => reached(to).has(name));
    if (back)
      throw new InputError(
        `${place}: columns must not determine each other in a circle, got ${JSON.stringify(to)}, by which ${JSON.stringify(back)} is determined; leave one of the maps out`,
      );
  }
};
