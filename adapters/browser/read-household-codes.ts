import { type Domain, project } from '../../src/domain/domain.js';
import type { Columns } from '../../src/domain/encode/encode-table.js';
import { addSize } from '../../src/domain/households/encode-households.js';
import type { KeyedTable } from '../../src/domain/households/household-table.js';
import { joinHouseholds } from '../../src/domain/households/join-households.js';
import { levelsOf } from '../../src/domain/households/levels-of.js';
import { settles } from '../../src/domain/households/settles.js';
import { type ReadCodesOptions, readCodes } from './read-codes.js';
import type { TableBlob } from './table-part.js';

/** A table of rows, or of persons; and that of their households, where they have one of their own. */
export interface ChosenTables {
  readonly table: TableBlob;
  readonly households?: TableBlob | undefined;
}

/** Persons with what is said of their households, and the number of each one's household: from one table, or from two that share a key. */
export const readHouseholdCodes = async (
  { table: persons, households }: ChosenTables,
  domain: Domain,
  key: string,
  options: Omit<ReadCodesOptions, 'id' | 'idNumbers'>,
): Promise<KeyedTable & { readonly values?: Columns | undefined }> => {
  const levels = levelsOf(domain);
  const reading = { ...options, id: key, idNumbers: new Map<string, number>() };
  if (households === undefined) {
    const { table, ids, values } = await readCodes(
      persons,
      project(domain, [...levels.household, ...levels.person]),
      reading,
    );
    return { table: addSize(domain, table), keys: ids!, values };
  }
  const homes = await readCodes(households, project(domain, levels.household), reading);
  const people = await readCodes(persons, project(domain, levels.person), reading);
  const joined = joinHouseholds(
    domain,
    { table: homes.table, keys: homes.ids! },
    { table: people.table, keys: people.ids! },
    { dropStrays: settles(options.outside), shown: { households: households.name, persons: persons.name } },
  );
  const values = homes.values ?? people.values;
  return { ...joined, values: values && { ...homes.values, ...people.values } };
};
