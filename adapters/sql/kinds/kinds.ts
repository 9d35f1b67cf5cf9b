import type { AttributeSpec, AttributeType, SpecOf } from '../../../src/domain/attribute/attribute.js';
import { booleanPart } from './boolean.js';
import { categoryPart } from './category.js';
import { datePart } from './date.js';
import type { Part, PartOptions } from './kind.js';
import { numericPart } from './numeric.js';

type MakePart<S extends AttributeSpec> = (spec: S, options: PartOptions) => Part | undefined;

const parts: { readonly [T in AttributeType]: MakePart<SpecOf<T>> } = {
  category: categoryPart,
  boolean: booleanPart,
  integer: numericPart,
  number: numericPart,
  date: datePart,
};

/** SQL for the cells of a column's values, whatever the attribute; undefined where the encoder must be asked about every value. */
export const sqlPart: MakePart<AttributeSpec> = (spec, options) =>
  (parts[spec.type] as MakePart<AttributeSpec>)(spec, options);
