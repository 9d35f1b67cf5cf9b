import type { AttributeSpec, AttributeType, SpecOf } from '../attribute.js';
import { boolean } from './boolean.js';
import { category } from './category.js';
import { date } from './date.js';
import type { AttributeKind } from './kind.js';
import { integer, number } from './numeric.js';

/** Every type of attribute, in the order in which messages list them. */
export const kinds: { readonly [T in AttributeType]: AttributeKind<SpecOf<T>> } = {
  category,
  boolean,
  integer,
  number,
  date,
};

/** The kind of a declaration, for it alone. */
export const kindOf = (spec: AttributeSpec): AttributeKind => kinds[spec.type] as AttributeKind;
