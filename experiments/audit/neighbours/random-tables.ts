import type { AttributeSpec } from '../../../src/domain/attribute/attribute.js';
import type { Columns } from '../../../src/domain/encode/encode-table.js';
import { parseSchema } from '../../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import type { Relation } from '../../../src/query/relation.js';
import type { Random } from '../../../src/random/random.js';
import { uniform, uniformInteger } from '../../../src/random/uniform.js';

/** A raw value, as text or empty: what any of the file formats can hold. */
export type Value = string | null;

/** A row's unit (its id), and its values in the order of the attributes. */
export interface RawRow {
  readonly id: string;
  readonly values: readonly Value[];
}

export type RawTable = readonly RawRow[];

export const idColumn = 'person';

export interface Kind {
  /** A unit may have several rows. */
  readonly many: boolean;
  /** Any value may come. */
  readonly wild: boolean;
}

/** Two tables that differ in one unit. */
export interface Neighbours {
  readonly schema: Schema;
  /** Rows of a public table of the same columns. */
  readonly publicRows: RawTable;
  readonly sides: readonly [RawTable, RawTable];
}

const below = (random: Random, most: number): number => uniformInteger(random, most);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)];
const chance = (random: Random, of: number): boolean => uniform(random) < of;

/** Attributes of every type; each has a place for every value that `rawValue` makes. */
const attributeOf = (random: Random, name: string, kind: number): AttributeSpec => {
  const orNull = chance(random, 0.5) ? { null: true, nullValues: ['NA'] } : {};
  switch (kind) {
    case 0:
      return {
        name,
        type: 'category',
        values: ['a', 'b', 'c'].slice(0, 2 + below(random, 2)),
        other: 'else',
        ...orNull,
      };
    case 1:
      return { name, type: 'integer', min: 0, max: 1 + below(random, 4), ...orNull };
    case 2:
      return { name, type: 'number', min: 0, max: 10, bins: 2 + below(random, 3), ...orNull };
    case 3:
      return { name, type: 'date', by: 'month', min: '2024-01-01', max: '2024-04-30', ...orNull };
    default:
      return { name, type: 'boolean', ...orNull };
  }
};

/** Values that most attributes cannot make sense of. */
const garbage: readonly Value[] = ['garbage', '1.5', ' ', '\u00e9"\'', '-0', '2024-13-45', null];

/**
 * A value that the attribute has a cell for, often one outside of what it declares where it has a place for such; in a `wild` table,
 * whose every value finds a place, now and then anything.
 */
const rawValue = (random: Random, spec: AttributeSpec, wild: boolean): Value => {
  if (wild && chance(random, 0.3)) return pick(random, garbage);
  if (spec.null === true && chance(random, 0.25)) return chance(random, 0.5) ? null : 'NA';
  switch (spec.type) {
    case 'category':
      return pick(random, [...spec.values, 'unheard of', 'a longer value, "quoted"']);
    case 'integer':
      return String(below(random, spec.max! + 4) - 1);
    case 'number':
      return pick(random, ['-3', '0', '0.5', '9.999', '10', '1e3', String(below(random, 10))]);
    case 'date':
      return pick(random, ['2023-12-31', '2024-02-29', '2024-04-01', '2030-01-01']);
    case 'boolean':
      return pick(random, ['true', 'false']);
  }
};

const rowOf = (random: Random, schema: Schema, id: string, wild: boolean): RawRow => ({
  id,
  values: schema.attributes.map((spec) => rawValue(random, spec, wild)),
});

/** The rows of one unit: one under the row unit; otherwise a few, and now and then many more than may be kept. */
const unitRows = (random: Random, schema: Schema, id: string, { many, wild }: Kind): RawRow[] => {
  const count = many ? pick(random, [1, 1, 2, 3, 12]) : 1;
  const first = rowOf(random, schema, id, wild);
  return Array.from({ length: count }, (_, i) =>
    i === 0 || chance(random, 0.3) ? first : rowOf(random, schema, id, wild),
  );
};

/** Rows in another order: where a unit stands must not matter either. */
const shuffled = <T>(random: Random, list: readonly T[]): T[] => {
  const all = [...list];
  for (let i = all.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
};

/**
 * A random schema of two to four attributes and two tiny tables that are neighbours. Tables have no rows, one, or a few; the extra
 * unit may be a duplicate of another, or hold more rows than all the rest.
 */
export const randomNeighbours = (random: Random, relation: Relation, kind: Kind): Neighbours => {
  const count = 2 + below(random, 3);
  const kinds = shuffled(random, [0, 1, 2, 3, 4]);
  const specs = Array.from({ length: count }, (_, i) => attributeOf(random, `x${i}`, kinds[i]));
  const schema = parseSchema({ surmise: 1, origin: { kind: 'declared' }, attributes: specs });
  const units = pick(random, relation === 'add-remove' ? [0, 0, 1, 2, 5, 20] : [0, 1, 2, 5, 20]);
  const others = Array.from({ length: units }, (_, i) => unitRows(random, schema, `p${i}`, kind)).flat();
  const own = (id: string): RawRow[] => {
    if (others.length > 0 && chance(random, 0.3)) return [{ ...pick(random, others), id }];
    return unitRows(random, schema, id, kind);
  };
  const withUnit = shuffled(random, [...others, ...own('q')]);
  const without =
    relation === 'add-remove' ? withUnit.filter(({ id }) => id !== 'q') : shuffled(random, [...others, ...own('r')]);
  const publicRows = Array.from({ length: 8 + below(random, 30) }, (_, i) =>
    rowOf(random, schema, `public${i}`, false),
  );
  return { schema, publicRows, sides: chance(random, 0.5) ? [withUnit, without] : [without, withUnit] };
};

/** The columns of a table by name, without ids. */
export const columnsOf = ({ attributes }: Schema, rows: RawTable): Columns =>
  Object.fromEntries(attributes.map(({ name }, i) => [name, rows.map(({ values }) => values[i])]));
