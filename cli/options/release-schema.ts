import type { ReadAsPublic } from '../../adapters/private/looks-private.js';
import { tableColumns } from '../../adapters/table/read-columns.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { learn } from './learn.js';
import { readSchema } from './read-schema.js';

export interface SchemaChoice extends Running, ReadAsPublic {
  /** A schema file, when there is one. */
  readonly schema?: string | undefined;
  /** A public table to learn from otherwise. */
  readonly public?: string | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The column that says whose a row is: never an attribute. */
  readonly unitId?: string | undefined;
}

/** The schema of a release, with what a person should know of it: the given one, or one learned from the public table. */
export const releaseSchema = async (
  choice: SchemaChoice,
): Promise<{ readonly schema: Schema; readonly notes: readonly string[] }> => {
  const { exclude = [], unitId, private: hidden, unsafeNonPrivate = false, onProgress, signal } = choice;
  const signs = { private: hidden, unsafeNonPrivate };
  if (choice.schema !== undefined) {
    if (exclude.length > 0)
      throw new InputError('option --exclude: is for a schema that is learned, got it with --schema; leave one out');
    return { schema: await readSchema(choice.schema), notes: [] };
  }
  if (choice.public === undefined)
    throw new InputError(
      'option --schema: needs a schema file when there is no public table to learn one from; write one by hand with "origin": { "kind": "declared" }, see docs/domain.md, and never learn it from the private table',
    );
  const there = unitId !== undefined && (await tableColumns(choice.public, signs)).some(({ name }) => name === unitId);
  const { schema, notes } = await learn(choice.public, {
    exclude: there ? [...exclude, unitId] : exclude,
    ...signs,
    onProgress,
    signal,
  });
  return { schema, notes: notes.map(({ column, note }) => `${column}: ${note}`) };
};
