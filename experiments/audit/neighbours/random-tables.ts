import type { AttributeSpec, AttributeType, CommonSpec, SpecOf } from '../../../src/domain/attribute/attribute.js';
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

export const below = (random: Random, most: number): number => uniformInteger(random, most);
export const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)];
export const chance = (random: Random, of: number): boolean => uniform(random) < of;

/** How attributes of one type, and values that they have a place for, are made up. */
interface Made<T extends AttributeType> {
  spec(random: Random): Omit<SpecOf<T>, keyof CommonSpec | 'type'>;
  value(random: Random, spec: SpecOf<T>): Value;
}

const made: { readonly [T in AttributeType]: Made<T> } = {
  category: {
    spec: (random) => ({ values: ['a', 'b', 'c'].slice(0, 2 + below(random, 2)), other: 'else' }),
    value: (random, { values }) => pick(random, [...values, 'unheard of', 'a longer value, "quoted"']),
  },
  integer: {
    spec: (random) => ({ min: 0, max: 1 + below(random, 4) }),
    value: (random, { max }) => String(below(random, max! + 4) - 1),
  },
  number: {
    spec: (random) => ({ min: 0, max: 10, bins: 2 + below(random, 3) }),
    value: (random) => pick(random, ['-3', '0', '0.5', '9.999', '10', '1e3', String(below(random, 10))]),
  },
  date: {
    spec: () => ({ by: 'month', min: '2024-01-01', max: '2024-04-30' }),
    value: (random) => pick(random, ['2023-12-31', '2024-02-29', '2024-04-01', '2030-01-01']),
  },
  boolean: { spec: () => ({}), value: (random) => pick(random, ['true', 'false']) },
};
export const types = Object.keys(made) as AttributeType[];

/** An attribute of a type, with a place for every value that `rawValue` makes. */
export const attributeOf = (random: Random, name: string, type: AttributeType): AttributeSpec => {
  const orNull = chance(random, 0.5) ? { null: true, nullValues: ['NA'] } : {};
  return { name, type, ...made[type].spec(random), ...orNull } as AttributeSpec;
};

/** Values that most attributes cannot make sense of. */
const garbage: readonly Value[] = ['garbage', '1.5', ' ', '\u00e9"\'', '-0', '2024-13-45', null];

/**
 * A value that the attribute has a cell for, often one outside of what it declares where it has a place for such; in a `wild` table,
 * whose every value finds a place, now and then anything.
 */
export const rawValue = (random: Random, spec: AttributeSpec, wild: boolean): Value => {
  if (wild && chance(random, 0.3)) return pick(random, garbage);
  if (spec.null === true && chance(random, 0.25)) return chance(random, 0.5) ? null : 'NA';
  return (made[spec.type] as Made<AttributeType>).value(random, spec);
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
export const shuffled = <T>(random: Random, list: readonly T[]): T[] => {
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
  const chosen = shuffled(random, types);
  const specs = Array.from({ length: count }, (_, i) => attributeOf(random, `x${i}`, chosen[i]));
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
