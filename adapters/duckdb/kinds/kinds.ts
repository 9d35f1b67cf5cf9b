import type { AttributeSpec, AttributeType, SpecOf } from '../../../src/domain/attribute/attribute.js';
import { boolean } from './boolean.js';
import { category } from './category.js';
import { date } from './date.js';
import type { DuckDBKind } from './kind.js';
import { integer, number } from './numeric.js';

const kinds: { readonly [T in AttributeType]: DuckDBKind<SpecOf<T>> } = { category, boolean, integer, number, date };

/** What DuckDB needs to know of a declaration. */
export const duckdbKind = (spec: AttributeSpec): DuckDBKind => kinds[spec.type] as DuckDBKind;
