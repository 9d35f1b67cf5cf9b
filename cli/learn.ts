import path from 'node:path';
import { readColumns, tableColumns } from '../adapters/read-columns.js';
import { type LearnedSchema, type LearnOptions, schemaLearner } from '../src/domain/learn-schema.js';
import type { Running } from '../src/domain/running.js';

/** Learns a schema from a *public* file. Columns of lists or structures are left out, with a note. */
export const learn = async (
  file: string,
  { onProgress, signal, ...options }: Omit<LearnOptions, 'file'> & Running,
): Promise<LearnedSchema> => {
  const learner = schemaLearner({ ...options, file: path.basename(file) });
  const running = { ...(onProgress && { onProgress }), ...(signal && { signal }) };
  let read: readonly string[] | undefined;
  for await (const part of readColumns(file, running)) {
    read ??= Object.keys(part);
    learner.add(part);
  }
  const { schema, notes } = learner.finish();
  const unread = (await tableColumns(file)).filter(({ name }) => !read?.includes(name));
  const nested = unread.map(({ name, type }) => ({
    column: name,
    note: `left out: it holds ${type}, not plain values`,
  }));
  return { schema, notes: [...notes, ...nested] };
};
