import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type LearnedSchema, schemaLearner } from '../../src/domain/learn/learn-schema.js';
import type { Running } from '../../src/domain/running.js';
import { tableParts } from './table-blob.js';
import type { TableBlob } from './table-part.js';

/** Size and SHA-256 of a file as it lies there, compressed or not. */
export const blobDigest = async (blob: Blob, { signal }: Running = {}): Promise<{ bytes: number; sha256: string }> => {
  const hash = sha256.create();
  const reader = blob.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      signal?.throwIfAborted();
      hash.update(part.value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return { bytes: blob.size, sha256: bytesToHex(hash.digest()) };
};

/** Learns a schema from a *public* table, as `learnFile` does from one on disk. */
export const learnBlob = async (
  table: TableBlob,
  { exclude, ...running }: Running & { readonly exclude?: readonly string[] | undefined },
): Promise<LearnedSchema> => {
  const digest = await blobDigest(table.blob, running);
  const learner = schemaLearner({ file: table.name, digest, exclude });
  for await (const { names, columns } of tableParts(table, running))
    learner.add(Object.fromEntries(names.flatMap((name, i) => (name === '' ? [] : [[name, columns[i]]]))));
  return learner.finish();
};
