import type { ReadAsPublic } from '../../adapters/index.js';
import { InputError, type Running, type Schema } from '../../src/index.js';
import { schemaWritten, type WrittenOptions } from './written.js';

export interface SchemaChoice extends Running, ReadAsPublic, WrittenOptions {
  /** A schema file, when there is one. */
  readonly schema?: string | undefined;
  /** A public table to learn from otherwise. */
  readonly public?: string | undefined;
  readonly exclude: readonly string[];
  /** The column that says whose a row is: never an attribute. */
  readonly unitId?: string | undefined;
  /** Of two levels: the table of households beside the public one, the key of both, and how many persons one has at the most. */
  readonly publicHouseholds?: string | undefined;
  readonly key?: string | undefined;
  readonly maxSize?: number | undefined;
}

/** The schema of a release, with what a person should know of it: the given one, or one learned from the public table. */
export const releaseSchema = async (
  choice: SchemaChoice,
): Promise<{ readonly schema: Schema; readonly notes: readonly string[] }> => {
  const { exclude, unitId, private: hidden, unsafeNonPrivate, onProgress, signal } = choice;
  const { learnFile, readSchema, tableColumns } = await import('../../adapters/index.js');
  const signs = { private: hidden, unsafeNonPrivate };
  if (choice.schema !== undefined) {
    if (exclude.length > 0)
      throw new InputError('option --exclude: is for a schema that is learned, got it with --schema; leave one out');
    return { schema: schemaWritten(await readSchema(choice.schema), choice), notes: [] };
  }
  if (choice.public === undefined)
    throw new InputError(
      'option --schema: needs a schema file when there is no public table to learn one from; have one asked for with --discover, or make one with surmise schema PRIVATE --declare, and never learn it from the private table',
    );
  if (choice.publicHouseholds !== undefined) {
    const { key, publicHouseholds: households, maxSize = 5 } = choice;
    if (key === undefined)
      throw new InputError(
        'option --key: must name the column that says which household a person is of, got none; add --key COLUMN',
      );
    const { learnHouseholds } = await import('../../adapters/index.js');
    const learned = await learnHouseholds(choice.public, {
      ...signs,
      households,
      key,
      maxSize,
      exclude: [...exclude],
      onProgress,
      signal,
    });
    return { schema: learned.schema, notes: learned.notes.map(({ column, note }) => `${column}: ${note}`) };
  }
  const there = unitId !== undefined && (await tableColumns(choice.public, signs)).some(({ name }) => name === unitId);
  const { schema, notes } = await learnFile(choice.public, {
    ...signs,
    exclude: there ? [...exclude, unitId] : exclude,
    onProgress,
    signal,
  });
  return { schema, notes: notes.map(({ column, note }) => `${column}: ${note}`) };
};
