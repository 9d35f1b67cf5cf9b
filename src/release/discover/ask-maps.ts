import type { Attribute, AttributeSpec } from '../../domain/attribute/attribute.js';
import { type ConstraintSpec, constraintText } from '../../domain/constraints/constraint.js';
import { type AskedPair, cellsOfPair } from '../../domain/discover/asked-pair.js';
import { holdsSingleValues, mostMapCells } from '../../domain/discover/check-maps.js';
import {
  type AskedMap,
  columnsOfMap,
  type DraftAttribute,
  isAsked,
  isAskedColumn,
  isLeftOut,
} from '../../domain/discover/draft.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import { domainFromSchema, parseSchema } from '../../domain/schema/parse-schema.js';
import type { Schema } from '../../domain/schema/schema.js';
import type { DiscoveryDoor } from '../../privacy/discovery/discovery-door.js';
import { mapFrom } from './map-from.js';

/** What the maps of a draft may take, about how many rows there are, and who hears of what came of them. */
export interface MapsOptions {
  /** The part of the budget for each of them. */
  readonly share: number;
  readonly rows: number;
  readonly tell: (column: string, note: string) => void;
}

const isDeclared = (spec: DraftAttribute): spec is AttributeSpec =>
  !isAsked(spec) && !isAskedColumn(spec) && !isLeftOut(spec);

/** The columns of a map, or undefined where one of them is not known (yet) or has bins, or where they have too many combinations. */
export const pairOf = (map: AskedMap, specs: readonly DraftAttribute[]): AskedPair | undefined => {
  const found = columnsOfMap(map).map((name) => specs.find((spec) => spec.name === name));
  if (!found.every((spec) => spec !== undefined && isDeclared(spec) && holdsSingleValues(spec))) return undefined;
  const attributes: readonly Attribute[] = domainOf(found as readonly AttributeSpec[]).attributes;
  const pair = { from: attributes.slice(0, -1), to: attributes[attributes.length - 1] };
  return cellsOfPair(pair) > mostMapCells ? undefined : pair;
};

/** What a map is called: its columns. */
export const mapTitle = (map: AskedMap): string => constraintText({ ...map, map: [] });

/** A map is asked for where a value that this part of the rows have would be in it; with fewer values, where one with an average number would. */
const worthAsking = 0.25;

/** Asks for the maps that a draft leaves open, of the columns that were found, and adds those that were learned to the constraints of the schema. */
export const withMaps = async (
  door: DiscoveryDoor,
  schema: Schema,
  maps: readonly AskedMap[],
  { share, rows, tell }: MapsOptions,
): Promise<Schema> => {
  const asked = maps.flatMap((map) => {
    const pair = pairOf(map, schema.attributes);
    if (pair === undefined) {
      tell(
        mapTitle(map),
        `not asked for: its columns must be found, have single values and at most ${mostMapCells} combinations`,
      );
      return [];
    }
    const values = cellsOfPair(pair) / pair.to.size;
    if (door.findsMap(pair, share, rows * Math.max(worthAsking, 1 / values))) return [{ map, pair }];
    tell(
      mapTitle(map),
      'not asked for: there is too little of the budget to learn it; write the map down if it is known',
    );
    return [];
  });
  if (asked.length === 0) return schema;
  const found = await door.together(
    asked.map(({ pair }) => pair),
    share * asked.length,
  );
  let made = schema;
  for (const [i, { map, pair }] of asked.entries()) {
    const { constraint, note } = mapFrom(domainFromSchema(made), pair, found[i]);
    const { description } = map;
    const told = `${note[0].toUpperCase()}${note.slice(1)}.`;
    const whole = constraint && {
      ...constraint,
      description: description === undefined ? told : `${description} ${told}`,
    };
    const next = whole === undefined ? made : joined(made, whole);
    tell(mapTitle(map), next === undefined ? 'not kept: it contradicts the other constraints' : note);
    made = next ?? made;
  }
  return made;
};

/** The schema with one constraint more; undefined where no row would be left. */
const joined = (schema: Schema, constraint: ConstraintSpec): Schema | undefined => {
  try {
    return parseSchema({ ...schema, constraints: [...(schema.constraints ?? []), constraint] });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
};
