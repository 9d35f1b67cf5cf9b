import path from 'node:path';
import { readHouseholds } from '../../adapters/table/read-households.js';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import type { HouseholdTable } from '../../src/domain/households/household-table.js';
import type { Schema } from '../../src/domain/schema/schema.js';

const whole = (name: string, min: number, max: number): AttributeSpec => ({ name, type: 'integer', min, max });
const missing = { null: true, nullValues: ['NA'] };

const cluster: readonly AttributeSpec[] = [
  whole('SUBREGCluster', 1, 4),
  whole('HHIncome', 1, 3),
  whole('HHDwelling', 1, 2),
  whole('HHChildren', 0, 1),
];

const schemaOf = (household: readonly AttributeSpec[], person: readonly AttributeSpec[], maxSize: number): Schema => ({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [...household, ...person],
  twoLevel: { key: 'hhID', household: household.map(({ name }) => name), maxSize },
});

/** The travel survey with all its 5 + 5 attributes, households of up to 5 persons. */
export const householdsSchema: Schema = schemaOf(
  [whole('SUBREG_GRP', 1, 44), ...cluster],
  [
    whole('PAge', 0, 10),
    whole('PGender', 1, 2),
    { ...whole('PEmp', 1, 3), ...missing },
    { ...whole('POcc', 1, 10), ...missing },
    {
      name: 'PComm',
      type: 'category',
      values: ['auto', 'transit', 'workFromHome', 'active', 'other'],
      ...missing,
    },
  ],
  5,
);

/**
 * The same made small, as ACS-SMALL is in the paper's appendix A.1: households of up to 3 persons, four attributes of each level, those of persons with
 * two values: 48 x (16 + 256 + 4,096) = 209,664 cells of the explicit histogram.
 */
export const smallHouseholdsSchema: Schema = schemaOf(
  cluster,
  [
    { name: 'PAge', type: 'integer', edges: [0, 7, 11] },
    whole('PGender', 1, 2),
    { name: 'PEmp', type: 'category', values: ['1'], other: 'other' },
    { name: 'PComm', type: 'category', values: ['auto'], other: 'other' },
  ],
  3,
);

/** The households of the folder `households`, those above the schema's size left out. */
export const loadHouseholds = (dir: string, schema: Schema): Promise<HouseholdTable> => {
  const [persons, households] = ['persons', 'households'].map((name) => path.join(dir, 'households', `${name}.csv.gz`));
  return readHouseholds(persons, schema, { households });
};
