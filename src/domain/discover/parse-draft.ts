import * as v from 'valibot';
import { parseDay } from '../attribute/calendar.js';
import type { ConstraintSpec } from '../constraints/constraint.js';
import { checkTableFormat } from '../format/table-format.js';
import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import { parseSchema } from '../schema/parse-schema.js';
import { parseShape } from '../schema/parse-shape.js';
import type { Schema } from '../schema/schema.js';
import { askedMapShape, checkMaps } from './check-maps.js';
import {
  type AskedDate,
  type AskedMap,
  type AskedNumeric,
  asked,
  asksAnything,
  type Draft,
  type DraftAttribute,
  isAsked,
  isAskedColumn,
  isLeftOut,
  leftOutTypes,
} from './draft.js';
import { sizesOf } from './ladder.js';

const text = v.string();
const label = v.pipe(text, v.nonEmpty());
const finite = v.pipe(v.number(), v.finite());
const day = v.pipe(text, v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a date such as "2014-03-31"'));
const common = {
  null: v.exactOptional(v.boolean()),
  nullValues: v.exactOptional(v.array(text)),
  description: v.exactOptional(text),
};

/** The forms of columns that only a draft can have. `schema/surmise-schema.json` has them too. */
const categoryShape = v.strictObject({
  name: label,
  type: v.literal('category'),
  values: v.literal(asked),
  other: v.exactOptional(label),
  ...common,
});
const numericShape = v.strictObject({
  name: label,
  type: v.picklist(['integer', 'number']),
  edges: v.literal(asked),
  min: v.exactOptional(finite),
  max: v.exactOptional(finite),
  bins: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(2))),
  ...common,
});
const dateShape = v.strictObject({
  name: label,
  type: v.literal('date'),
  edges: v.literal(asked),
  by: v.exactOptional(v.picklist(['year', 'quarter', 'month', 'week', 'day'])),
  min: v.exactOptional(day),
  max: v.exactOptional(day),
  ...common,
});
const columnShape = v.strictObject({ name: label, type: v.literal(asked), description: v.exactOptional(text) });
const leftOutShape = v.strictObject({
  name: label,
  type: v.picklist(leftOutTypes),
  description: v.exactOptional(text),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape of what only a draft can say, or undefined for a declaration like any other. */
const shapeOf = (json: unknown) => {
  if (!isRecord(json)) return undefined;
  const { type, values, edges } = json;
  if (type === asked) return columnShape;
  if (leftOutTypes.some((own) => own === type)) return leftOutShape;
  if (type === 'category' && values === asked) return categoryShape;
  if (edges !== asked) return undefined;
  return type === 'date' ? dateShape : numericShape;
};

const checkAsked = (spec: DraftAttribute, subject: string): void => {
  const { min, max } = spec as AskedNumeric | AskedDate;
  for (const bound of [min, max])
    if (typeof bound === 'string' && parseDay(bound) === undefined)
      throw new InputError(`${subject}: must have days of the calendar for \`min\` and \`max\`, got ${bound}`);
  if (min !== undefined && max !== undefined && !(min < max))
    throw new InputError(`${subject}: \`max\` must be above \`min\` ${min}, got ${max}; exchange them`);
  const [first, second] = isAsked(spec) && spec.type !== 'category' ? sizesOf(spec) : [0, 1];
  if (!(first < second))
    throw new InputError(
      `${subject}: \`min\` and \`max\` must leave places for edges, of numbers up to 1e12 and of dates from 1900 to 2099, got none; give both, or other ones`,
    );
  if (spec.type === 'integer')
    for (const bound of [min, max])
      if (bound !== undefined && !Number.isSafeInteger(bound))
        throw new InputError(`${subject}: \`min\` and \`max\` of integers must be whole numbers, got ${bound}`);
};

/** The attribute that stands for one that is asked for, so that the rest of a draft can be checked as a schema. */
const standIn = (name: unknown) => ({ name, type: 'boolean' });

/**
 * Reads a schema that may leave things open: columns to be asked for, and columns that are never released. The rest is checked as any schema
 * is. One that leaves nothing open is a schema (`asksAnything` tells).
 */
export const parseDraft = (json: unknown): Draft => {
  if (!isRecord(json) || !Array.isArray(json.attributes)) return parseSchema(json);
  const given: readonly unknown[] = json.attributes;
  if (given.length > limits.attributes) return parseSchema(json);
  const own = given.map((attribute): DraftAttribute | undefined => {
    const shape = shapeOf(attribute);
    if (shape === undefined) return undefined;
    const { name } = attribute as { name?: unknown };
    const subject = `schema: attribute ${JSON.stringify(name ?? '')}`;
    const spec = parseShape(shape as v.GenericSchema<unknown, DraftAttribute>, attribute, subject);
    checkAsked(spec, subject);
    return spec;
  });
  const { constraints: listed, ...rest } = json;
  const maps = Array.isArray(listed) ? listed.map(mapFrom) : [];
  const schema = parseSchema({
    ...rest,
    attributes: given.map((attribute, i) => (own[i] === undefined ? attribute : standIn(own[i].name))),
  });
  if ([...own, ...maps].some((one) => one !== undefined) && schema.twoLevel !== undefined)
    throw new InputError(
      'schema: columns of households cannot be asked for or left out by type, nor maps between them, got twoLevel; declare them',
    );
  checkTableFormat(schema.table);
  const attributes = own.map((spec, i) => spec ?? schema.attributes[i]);
  if (listed === undefined) return { ...schema, attributes };
  // What is no list is told so by its form.
  if (!Array.isArray(listed)) return parseSchema({ ...schema, constraints: listed });
  const declared = declaredConstraints(json, maps, attributes);
  const constraints = maps.map((map, i) => map ?? declared.get(i)!);
  checkMaps(constraints, attributes);
  return constraints.length === 0 ? { ...schema, attributes } : { ...schema, attributes, constraints };
};

/** A map that is to be asked for, or undefined for a constraint like any other. */
const mapFrom = (json: unknown, i: number): AskedMap | undefined =>
  isRecord(json) && json.map === asked
    ? (parseShape(askedMapShape, json, `schema: constraints[${i}]`) as AskedMap)
    : undefined;

/** The constraints that are declared, by their places in the list, judged beside the columns that are: those of others are not known yet. */
const declaredConstraints = (
  json: Readonly<Record<string, unknown>>,
  maps: readonly (AskedMap | undefined)[],
  attributes: readonly DraftAttribute[],
): ReadonlyMap<number, ConstraintSpec> => {
  const listed = json.constraints as readonly unknown[];
  const places = [...maps.keys()].filter((i) => maps[i] === undefined);
  const judged = places.map((i) => listed[i]);
  const isDeclared = (spec: DraftAttribute): boolean => !isAsked(spec) && !isAskedColumn(spec) && !isLeftOut(spec);
  const declared = attributes.filter(isDeclared);
  if (judged.length === 0) return new Map();
  if (declared.length === 0)
    throw new InputError(
      'schema: constraints are about declared columns, got them in a schema that leaves all of them to be asked for; declare those that they are about, or release by the schema that was found, with constraints added',
    );
  try {
    const { constraints = [] } = parseSchema({ ...json, attributes: declared, constraints: judged });
    return new Map(places.map((place, i) => [place, constraints[i]]));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const message = error.message.replace(/constraints\[(\d+)\]/g, (_, i) => `constraints[${places[Number(i)]}]`);
    const hidden = attributes.find(
      (spec) =>
        !isDeclared(spec) &&
        ['must name a column of the schema, got', 'there is no column'].some((words) =>
          message.includes(`${words} ${JSON.stringify(spec.name)}`),
        ),
    );
    if (hidden === undefined) throw new InputError(message);
    const [place] = /^schema: constraints\[\d+\]/.exec(message) ?? ['schema: constraints'];
    throw new InputError(
      `${place}: must be about declared columns, got ${JSON.stringify(hidden.name)}, which is ${isLeftOut(hidden) ? 'left out by its type' : 'to be asked for'}; declare it, or release by the schema that was found, with the constraint added`,
    );
  }
};

/** A draft that leaves nothing to be asked for, as a schema; undefined where something is. */
export const schemaOf = (draft: Draft): Schema | undefined =>
  asksAnything(draft)
    ? undefined
    : ({ ...draft, attributes: draft.attributes.filter((spec) => !isLeftOut(spec)) } as Schema);
