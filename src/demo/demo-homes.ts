import type { AttributeSpec } from '../domain/attribute/attribute.js';
import { parseSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import { csvText } from './csv-text.js';
import { demoCountry } from './demo-country.js';
import type { DemoCsvOptions } from './demo-csv.js';
import { demoSchema } from './demo-schema.js';

/** Households made at a time. */
const slice = 1000;

/** A part of the two tables of the fictional country's households and persons in a year, as CSV. */
export interface DemoHomesPart {
  readonly households: string;
  readonly persons: string;
  /** Numbers of each in this part. */
  readonly homes: number;
  readonly rows: number;
}

/** The two tables in parts: whole households, with at least `rows` persons in all. */
export function* demoHomesCsv({ rows, seed, year }: DemoCsvOptions): Generator<DemoHomesPart> {
  let done = 0;
  for (let first = 0; done < rows; first += slice) {
    // A person for each household at least, so never more households than persons are wanted.
    const made = demoCountry({ seed, year, first, households: Math.min(slice, rows - done) });
    const header = first === 0;
    const persons = made.persons.person_id.length;
    yield {
      households: csvText(made.households, { header }),
      persons: csvText(made.persons, { header }),
      homes: made.households.household_id.length,
      rows: persons,
    };
    done += persons;
  }
}

const declared = (name: string): AttributeSpec => demoSchema.attributes.find((attribute) => attribute.name === name)!;

/**
 * A schema of few attributes for the two tables, declared from how the country is made: so few that all possible households of up to five persons can
 * be listed.
 */
export const demoHomesSchema: Schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    ...['settlement', 'dwelling', 'tenure'].map(declared),
    { name: 'age', type: 'integer', edges: [0, 18, 40, 65, 100], description: 'completed years' },
    declared('sex'),
  ],
  twoLevel: { key: 'household_id', household: ['settlement', 'dwelling', 'tenure'], maxSize: 5, size: 'persons' },
});
