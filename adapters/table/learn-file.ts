import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import { type LearnedSchema, type LearnOptions, schemaLearner } from '../../src/domain/learn/learn-schema.js';
import { nearest } from '../../src/domain/nearest.js';
import type { Running } from '../../src/domain/running.js';
import { fileDigest } from '../private/file-digest.js';
import type { ReadAsPublic } from '../private/looks-private.js';
import { readColumns, type TableColumn, tableColumns } from './read-columns.js';

/**
 * Learns a schema from a *public* file; one that has a ledger is private and is refused. Columns of lists or structures are left out,
 * with a note. The schema says what the file was, so that a release can tell whether it was the private one after all.
 */
export const learnFile = async (
  file: string,
  {
    onProgress,
    signal,
    private: hidden,
    unsafeNonPrivate = false,
    ...options
  }: Omit<LearnOptions, 'file' | 'digest'> & Running & ReadAsPublic,
): Promise<LearnedSchema> => {
  const signs = { private: hidden, unsafeNonPrivate };
  const all = await tableColumns(file, signs);
  for (const name of options.exclude ?? []) checkColumn(name, all, file);
  // A link must not hide what the file is called.
  const name = path.basename(await realpath(file));
  const learner = schemaLearner({ ...options, file: name, digest: await fileDigest(file) });
  const running = { ...signs, onProgress, signal };
  let read: readonly string[] | undefined;
  for await (const part of readColumns(file, running)) {
    read ??= Object.keys(part);
    learner.add(part);
  }
  const { schema, notes } = learner.finish();
  const nested = all
    .filter(({ name }) => !read?.includes(name))
    .map(({ name, type }) => ({ column: name, note: `left out: it holds ${type}, not plain values` }));
  return { schema, notes: [...notes, ...nested] };
};

// A misspelt exclusion would leave an id in the schema without a word.
const checkColumn = (name: string, all: readonly TableColumn[], file: string): void => {
  const names = all.map((column) => column.name);
  if (names.includes(name)) return;
  const near = nearest(name, names);
  const next = near === undefined ? `it has ${names.join(', ')}` : `did you mean ${JSON.stringify(near)}?`;
  throw new InputError(`exclude: must name a column of ${file}, got ${JSON.stringify(name)}; ${next}`, {
    kind: 'option',
    name: 'exclude',
  });
};
