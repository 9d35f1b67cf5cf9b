import * as v from 'valibot';
import type { AttributeSpec } from '../attribute/attribute.js';
import { kinds } from '../attribute/kinds/kinds.js';
import { tableFormatShape } from '../format/table-format.js';
import { sizeRules } from '../households/household-table.js';

const text = v.string();
const label = v.pipe(v.string(), v.nonEmpty());
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits'));
const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/**
 * The form of one attribute declaration, one for each type. Keys come out in the order of these entries, so a written schema reads name,
 * type, cells, nulls. `schema/surmise-schema.json` says the same for editors; a test compares them.
 */
export const attributeShapes = Object.entries(kinds).map(([type, { entries }]) =>
  v.strictObject({
    name: label,
    type: v.literal(type),
    ...entries,
    null: v.exactOptional(v.boolean()),
    nullValues: v.exactOptional(v.array(text)),
    description: v.exactOptional(text),
  }),
);

/** The form of any attribute declaration. The kinds' own types tie their entries to the declaration. */
export const attributeShape = v.variant('type', attributeShapes) as v.GenericSchema<unknown, AttributeSpec>;

const cell = v.nullable(v.union([text, v.number(), v.boolean()]));
const cells = v.pipe(v.array(v.pipe(v.array(cell), v.nonEmpty())), v.nonEmpty());

/** The form of a constraint: the keys of all kinds, of which `checkConstraint` finds one. */
export const constraintShape = v.strictObject({
  forbid: v.exactOptional(label),
  require: v.exactOptional(label),
  empty: v.exactOptional(label),
  where: v.exactOptional(label),
  from: v.exactOptional(v.union([label, v.pipe(v.array(label), v.nonEmpty())])),
  to: v.exactOptional(label),
  map: v.exactOptional(v.union([v.record(text, cell), cells])),
  unlisted: v.exactOptional(v.literal('free')),
  of: v.exactOptional(v.pipe(v.array(label), v.nonEmpty())),
  zeros: v.exactOptional(cells),
  description: v.exactOptional(text),
});

/** The form of a schema file. */
export const schemaShape = v.strictObject({
  $schema: v.exactOptional(text),
  surmise: v.literal(1),
  origin: v.variant('kind', [
    v.strictObject({ kind: v.literal('declared') }),
    v.strictObject({ kind: v.literal('discovered') }),
    v.strictObject({
      kind: v.literal('public-table'),
      file: label,
      rows: whole,
      digest: v.exactOptional(v.strictObject({ bytes: whole, sha256: hash })),
    }),
  ]),
  table: v.exactOptional(tableFormatShape),
  attributes: v.pipe(v.array(attributeShape), v.nonEmpty()),
  unit: v.exactOptional(v.strictObject({ id: label, maxRecords: positive })),
  twoLevel: v.exactOptional(
    v.strictObject({
      key: label,
      household: v.pipe(v.array(label), v.nonEmpty()),
      maxSize: positive,
      rule: v.exactOptional(v.picklist(sizeRules)),
      size: v.exactOptional(label),
    }),
  ),
  constraints: v.exactOptional(v.array(constraintShape)),
});
