import path from 'node:path';
import type { Attribute } from '../src/domain/attribute/attribute.js';
import { kindOf } from '../src/domain/attribute/kinds/kinds.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import type { PublicTable } from '../src/flow/public-table.js';
import { seeded } from '../src/random/seeded.js';
import type { PublicFile } from './private/public-file.js';
import { readHouseholdsAndValues } from './table/read-households.js';
import { type ReadTableOptions, readTable, readTableAndValues } from './table/read-table.js';

/** Attributes whose cells hold more than one value: synthetic values are drawn like the public ones. */
const holdsMany = ({ spec }: Attribute): boolean => kindOf(spec).single(spec) === undefined;

export interface ReadPublicOptions extends ReadTableOptions {
  /** The table of the households, where the public table has their persons alone. */
  readonly households?: string | PublicFile | undefined;
  /** Read the values within cells as well, in the same pass. */
  readonly values?: boolean | undefined;
}

/** A public table as a release takes it: of rows, with the values within its cells if they are wanted, or of persons put together by household. */
export const readPublic = async (
  file: string | PublicFile,
  schema: Schema,
  { households, values = false, ...options }: ReadPublicOptions,
): Promise<PublicTable> => {
  const name = path.basename(typeof file === 'string' ? file : file.shown);
  // Which persons of a household that is too large stay is drawn, always alike: nothing private is near.
  if (schema.twoLevel !== undefined) {
    const reading = { ...options, households, random: seeded(1) };
    return { name, ...(await readHouseholdsAndValues(file, schema, (one) => values && holdsMany(one), reading)) };
  }
  const domain = domainFromSchema(schema);
  return values
    ? { name, ...(await readTableAndValues(file, domain, holdsMany, options)) }
    : { name, table: await readTable(file, domain, options) };
};
