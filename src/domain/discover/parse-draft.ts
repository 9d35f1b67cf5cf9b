import * as v from 'valibot';
import { parseDay } from '../attribute/calendar.js';
import { checkTableFormat } from '../format/table-format.js';
import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import { parseSchema } from '../schema/parse-schema.js';
import { parseShape } from '../schema/parse-shape.js';
import type { Schema } from '../schema/schema.js';
import {
  type AskedDate,
  type AskedNumeric,
  asked,
  asksAnything,
  type Draft,
  type DraftAttribute,
  isAsked,
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
  if (json.constraints !== undefined && own.some((spec) => spec !== undefined && !isLeftOut(spec)))
    throw new InputError(
      'schema: constraints are about declared columns, got them in a schema that leaves columns to be asked for; declare these columns, or release by the schema that was found, with constraints added',
    );
  const schema = parseSchema({
    ...json,
    attributes: given.map((attribute, i) => (own[i] === undefined ? attribute : standIn(own[i].name))),
  });
  if (own.some((spec) => spec !== undefined) && schema.twoLevel !== undefined)
    throw new InputError(
      'schema: columns of households cannot be asked for or left out by type, got twoLevel; declare them',
    );
  checkTableFormat(schema.table);
  return { ...schema, attributes: own.map((spec, i) => spec ?? schema.attributes[i]) };
};

/** A draft that leaves nothing to be asked for, as a schema; undefined where something is. */
export const schemaOf = (draft: Draft): Schema | undefined =>
  asksAnything(draft)
    ? undefined
    : { ...draft, attributes: draft.attributes.filter((spec) => !isLeftOut(spec)) as Schema['attributes'] };
