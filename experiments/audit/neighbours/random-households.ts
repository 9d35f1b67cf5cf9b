import { parseSchema } from '../../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import type { Relation } from '../../../src/query/relation.js';
import type { Random } from '../../../src/random/random.js';
import {
  attributeOf,
  below,
  chance,
  idColumn,
  type Neighbours,
  pick,
  type RawRow,
  type RawTable,
  rawValue,
  shuffled,
  types,
  type Value,
} from './random-tables.js';

/** Whom neighbours differ in: a whole household, or what is said of one person. */
export interface HouseholdKind {
  readonly unit: 'household' | 'person';
  /** Any value may come, and persons of one household may contradict each other. */
  readonly wild: boolean;
}

/** Households have at most so many persons: few, so that all possible ones can be listed. */
export const largestHousehold = 2;

/**
 * A random schema in two levels and two tiny tables of persons that are neighbours: one household more or less, one in place of another, or one person of whom something
 * else is said. Some households have more persons than are kept, some hold equal persons, and a wild table has persons who say different things of their household.
 */
export const randomHouseholds = (random: Random, relation: Relation, kind: HouseholdKind): Neighbours => {
  const schema = randomSchema(random);
  const count = pick(random, relation === 'add-remove' ? [0, 0, 1, 2, 5, 20] : [1, 2, 5, 20]);
  const others = Array.from({ length: count }, (_, i) => household(random, schema, `h${i}`, kind.wild)).flat();
  const publicRows = Array.from({ length: 8 + below(random, 30) }, (_, i) =>
    household(random, schema, `public${i}`, false).slice(0, largestHousehold),
  ).flat();
  const sides =
    kind.unit === 'person'
      ? personSides(random, schema, others, kind)
      : householdSides(random, schema, others, relation, kind);
  return { schema, publicRows, sides: chance(random, 0.5) ? sides : [sides[1], sides[0]] };
};

type Sides = readonly [RawTable, RawTable];

const householdSides = (
  random: Random,
  schema: Schema,
  others: RawTable,
  relation: Relation,
  { wild }: HouseholdKind,
): Sides => {
  const own = (id: string): RawRow[] => {
    const twin = chance(random, 0.3) ? others.filter(({ id }) => id === others[0].id) : [];
    return twin.length > 0 ? twin.map(({ values }) => ({ id, values })) : household(random, schema, id, wild);
  };
  const withUnit = shuffled(random, [...others, ...own('q')]);
  const without =
    relation === 'add-remove' ? withUnit.filter(({ id }) => id !== 'q') : shuffled(random, [...others, ...own('r')]);
  return [withUnit, without];
};

/** Everybody stays where they are, and what is said of households stays as it is. */
const personSides = (random: Random, schema: Schema, others: RawTable, { wild }: HouseholdKind): Sides => {
  const rows = shuffled(random, others);
  const chosen = below(random, rows.length);
  const changed = rows.map(({ id, values }, row): RawRow => {
    if (row !== chosen) return { id, values };
    const persons = levelsIn(schema).person;
    return {
      id,
      values: values.map((value, i) => (persons[i] ? rawValue(random, schema.attributes[i], wild) : value)),
    };
  });
  return [rows, changed];
};

const randomSchema = (random: Random): Schema => {
  const chosen = shuffled(random, types);
  const count = 2 + below(random, 2);
  return parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: Array.from({ length: count }, (_, i) => attributeOf(random, `x${i}`, chosen[i])),
    twoLevel: {
      key: idColumn,
      household: ['x0'],
      maxSize: largestHousehold,
      rule: pick(random, ['exclude', 'trim'] as const),
      ...(chance(random, 0.3) ? { size: 'persons' } : {}),
    },
  });
};

/** Whether each attribute is the person's. */
const levelsIn = ({ attributes, twoLevel }: Schema): { readonly person: readonly boolean[] } => ({
  person: attributes.map(({ name }) => !twoLevel!.household.includes(name)),
});

/** The persons of one household: a few, and now and then many more than may be kept. */
const household = (random: Random, schema: Schema, id: string, wild: boolean): RawRow[] => {
  const { person } = levelsIn(schema);
  const own = schema.attributes.map((spec): Value => rawValue(random, spec, wild));
  const count = pick(random, [1, 1, 2, 2, 3, 12]);
  return Array.from({ length: count }, (_, i): RawRow => {
    if (i > 0 && chance(random, 0.3)) return { id, values: own };
    const contradicts = wild && chance(random, 0.2);
    return {
      id,
      values: schema.attributes.map((spec, a) => (person[a] || contradicts ? rawValue(random, spec, wild) : own[a])),
    };
  });
};
