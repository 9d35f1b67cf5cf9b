import type { AttributeSpec } from '../domain/attribute/attribute.js';
import type { ConstraintSpec } from '../domain/constraints/constraint.js';
import type { Schema } from '../domain/schema/schema.js';
import {
  activities,
  dwellings,
  educations,
  insurances,
  occupations,
  relations,
  settlements,
  sexes,
  tenures,
} from './categories.js';
import { regions } from './country.js';
import { earliestMove, maxSize } from './household.js';

const category = (name: string, values: readonly string[], description: string): AttributeSpec => ({
  name,
  type: 'category',
  values,
  description,
});

const household: readonly AttributeSpec[] = [
  category(
    'region',
    regions.map(({ name }) => name),
    'region of the country',
  ),
  category(
    'district',
    regions.flatMap(({ districts }) => districts.map(({ name }) => name)),
    'district of the region',
  ),
  category('settlement', settlements, 'kind of settlement'),
  category('dwelling', dwellings, 'kind of building'),
  category('tenure', tenures, 'how the household holds its dwelling'),
  {
    name: 'moved_in',
    type: 'date',
    by: 'year',
    min: `${earliestMove}-01-01`,
    max: '2039-12-31',
    description: 'when the reference person moved in',
  },
  { name: 'household_size', type: 'integer', min: 1, max: maxSize, description: 'persons in the household' },
  { name: 'children', type: 'integer', min: 0, max: maxSize - 1, description: 'persons below 18 in the household' },
];

const person: readonly AttributeSpec[] = [
  category('relation', relations, 'relation to the reference person'),
  { name: 'age', type: 'integer', min: 0, max: 99, description: 'completed years' },
  category('sex', sexes, 'sex'),
  { ...category('education', educations, 'highest completed education'), ordered: true } as AttributeSpec,
  { ...category('activity', activities, 'main activity; null below 16'), null: true },
  { ...category('occupation', occupations, 'occupation; null for those who do not work'), null: true },
  {
    name: 'income',
    type: 'number',
    edges: [
      0, 10, 2e3, 4e3, 6e3, 8e3, 1e4, 1.25e4, 1.5e4, 2e4, 2.5e4, 3e4, 3.5e4, 4e4, 5e4, 6e4, 8e4, 1.2e5, 2e5, 4.1e5,
    ],
    null: true,
    description: 'crowns a year; null below 16',
  },
  category('insurance', insurances, 'who insures the health of the person'),
  { name: 'disability', type: 'boolean', description: 'lasting disability' },
  {
    name: 'commute',
    type: 'integer',
    edges: [0, 1, 10, 20, 30, 45, 60, 90, 181],
    null: true,
    description: 'minutes to work, 0 at home; null for those who do not work',
  },
];

/** Those who work: of others, occupation and way to work are empty. */
const works = "activity in ('employed', 'self-employed')";

/** What the country cannot have, by how it is made: a district lies in one region, and what only adults or workers have is empty for others. */
const constraints: readonly ConstraintSpec[] = [
  {
    from: 'district',
    to: 'region',
    map: Object.fromEntries(
      regions.flatMap(({ name, districts }) => districts.map((district) => [district.name, name])),
    ),
  },
  { require: 'children < household_size' },
  { empty: 'activity', where: 'age < 16' },
  { empty: 'income', where: 'age < 16' },
  { empty: 'occupation', where: `activity is null or not ${works}` },
  { empty: 'commute', where: `activity is null or not ${works}` },
];

/** What the demo tables may hold, declared from how the country is made and not from its rows: the same for every year. */
export const demoSchema: Schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [...household, ...person],
  twoLevel: { key: 'household_id', household: household.map(({ name }) => name), maxSize },
  constraints,
};

/** The same attributes for the flat person table; one person is one row. */
export const flatDemoSchema: Schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [...person, ...household],
  unit: { id: 'person_id', maxRecords: 1 },
  constraints,
};
