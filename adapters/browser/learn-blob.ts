import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { InputError } from '../../src/domain/input-error.js';
import { type LearnedSchema, schemaLearner } from '../../src/domain/learn/learn-schema.js';
import type { Running } from '../../src/domain/running.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { columnNames, tableParts, unreadable } from './table-blob.js';
import type { TableBlob } from './table-part.js';

/** How a file is known again: by all of its bytes. */
export interface TableDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Size and SHA-256 of a file as it lies there, compressed or not. */
export const blobDigest = async (
  { name, blob }: Pick<TableBlob, 'name' | 'blob'>,
  { signal }: Running = {},
): Promise<TableDigest> => {
  const hash = sha256.create();
  const reader = blob.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      signal?.throwIfAborted();
      hash.update(part.value);
    }
  } catch (error) {
    throw error instanceof DOMException && error.name === 'NotReadableError' ? unreadable(name) : error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return { bytes: blob.size, sha256: bytesToHex(hash.digest()) };
};

/** Learns a schema from a *public* table, as `learnFile` does from one on disk. */
export const learnBlob = async (
  table: TableBlob,
  {
    exclude,
    digest: known,
    ...running
  }: Running & {
    readonly exclude?: readonly string[] | undefined;
    /** Of the table, where somebody has it already. */
    readonly digest?: TableDigest | undefined;
  },
): Promise<LearnedSchema> => {
  const digest = known ?? (await blobDigest(table, running));
  const learner = schemaLearner({ file: table.name, digest, exclude });
  for await (const { names, columns } of tableParts(table, running))
    learner.add(Object.fromEntries(names.flatMap((name, i) => (name === '' ? [] : [[name, columns[i]]]))));
  return learner.finish();
};

/** Learns a schema of households and persons from two *public* tables that share a key, as `learnHouseholds` does. What both have is taken to describe households. */
export const learnHouseholdBlobs = async (
  persons: TableBlob,
  households: TableBlob,
  {
    key,
    maxSize,
    exclude = [],
    ...running
  }: Running & { readonly key: string; readonly maxSize: number; readonly exclude?: readonly string[] | undefined },
): Promise<LearnedSchema> => {
  const [ofHouseholds, ofPersons] = [await columnNames(households), await columnNames(persons)];
  for (const [{ name }, names] of [[households, ofHouseholds] as const, [persons, ofPersons] as const])
    if (!names.includes(key))
      throw new InputError(
        `key: must name a column of both tables, got ${JSON.stringify(key)}, which ${name} does not have`,
      );
  const without = (names: readonly string[], others: readonly string[] = []): string[] =>
    names.filter((name) => name === key || exclude.includes(name) || others.includes(name));
  const homes = await learnBlob(households, { ...running, exclude: without(ofHouseholds) });
  const people = await learnBlob(persons, { ...running, exclude: without(ofPersons, ofHouseholds) });
  const schema = parseSchema({
    ...people.schema,
    attributes: [...homes.schema.attributes, ...people.schema.attributes],
    twoLevel: { key, household: homes.schema.attributes.map(({ name }) => name), maxSize },
  });
  return { schema, notes: [...homes.notes, ...people.notes] };
};
