import { InputError } from '../../src/domain/input-error.js';
import type { LearnedSchema, LearnOptions } from '../../src/domain/learn/learn-schema.js';
import type { Running } from '../../src/domain/running.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import type { ReadAsPublic } from '../private/looks-private.js';
import { learnFile } from './learn-file.js';
import { tableColumns } from './read-columns.js';

/** What is learned of households, and what is told. */
export interface LearnHouseholdsOptions extends Omit<LearnOptions, 'file' | 'digest'>, Running, ReadAsPublic {
  /** The *public* table of households, one row each. */
  readonly households: string;
  /** The column of both tables that says which household a person is of. */
  readonly key: string;
  /** No household has more persons. */
  readonly maxSize: number;
}

/**
 * Learns a schema of households and persons from two *public* files that share a key. What both have is taken to describe households. The schema says
 * what the file of persons was; it is refused for that file, and the two are private together.
 */
export const learnHouseholds = async (
  persons: string,
  { households, key, maxSize, exclude = [], ...options }: LearnHouseholdsOptions,
): Promise<LearnedSchema> => {
  const signs = { private: options.private, unsafeNonPrivate: options.unsafeNonPrivate };
  const namesOf = async (file: string): Promise<string[]> => {
    const names = (await tableColumns(file, signs)).map(({ name }) => name);
    if (!names.includes(key))
      throw new InputError(
        `key: must name a column of both tables, got ${JSON.stringify(key)}, which ${file} does not have`,
      );
    return names;
  };
  const [ofHouseholds, ofPersons] = [await namesOf(households), await namesOf(persons)];
  const unknown = exclude.find((name) => !ofHouseholds.includes(name) && !ofPersons.includes(name));
  if (unknown !== undefined)
    throw new InputError(`exclude: must name a column of either table, got ${JSON.stringify(unknown)}`, {
      kind: 'option',
      name: 'exclude',
    });
  const without = (names: readonly string[], others: readonly string[] = []): string[] =>
    names.filter((name) => name === key || exclude.includes(name) || others.includes(name));
  const homes = await learnFile(households, { ...options, exclude: without(ofHouseholds) });
  const people = await learnFile(persons, { ...options, exclude: without(ofPersons, ofHouseholds) });
  const schema = parseSchema({
    ...people.schema,
    attributes: [...homes.schema.attributes, ...people.schema.attributes],
    twoLevel: { key, household: homes.schema.attributes.map(({ name }) => name), maxSize },
  });
  return { schema, notes: [...homes.notes, ...people.notes] };
};
