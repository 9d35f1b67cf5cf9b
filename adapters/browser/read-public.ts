import { groupHouseholds } from '../../src/domain/households/group-households.js';
import { settles } from '../../src/domain/households/settles.js';
import type { Running } from '../../src/domain/running.js';
import { type Outside, withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import type { PublicTable } from '../../src/flow/public-table.js';
import { seeded } from '../../src/random/seeded.js';
import { readCodes } from './read-codes.js';
import { type ChosenTables, readHouseholdCodes } from './read-household-codes.js';

/** A *public* table as a release takes it: of rows, or of persons put together by household; with the values within its cells. */
export const readPublicBlob = async (
  chosen: ChosenTables,
  schema: Schema,
  { outside, ...running }: Running & { readonly outside?: Outside | undefined },
): Promise<PublicTable> => {
  const { name } = chosen.table;
  const domain = domainFromSchema(withOutside(schema, outside));
  const reading = { ...running, outside, values: true };
  if (schema.twoLevel === undefined) {
    const { table, values } = await readCodes(chosen.table, domain, reading);
    return { name, table, values };
  }
  const { key, rule } = schema.twoLevel;
  const { values, ...rows } = await readHouseholdCodes(chosen, domain, key, reading);
  // Which persons of a household that is too large stay is drawn, always alike: nothing private is near.
  const table = groupHouseholds(rows, { rule, random: seeded(1), firstSpeaks: settles(outside) });
  return { name, table, values };
};
