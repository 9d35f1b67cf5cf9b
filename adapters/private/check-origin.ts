import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { isAddress, tableAddress } from '../sql/address.js';
import { hasDigest } from './file-digest.js';

/** A table's name whatever its form: the same rows compressed or converted have another digest, and usually the same stem. */
const stem = (file: string): string =>
  path
    .basename(file)
    .replace(/\.(csv|tsv|jsonl|ndjson|parquet)(\.gz)?$/i, '')
    .toLowerCase();

/**
 * Refuses a learned schema whose origin cannot be told, or whose public file is called like the private one: a table that has
 * changed a little since, or was compressed or converted, has another digest. Looks at names only.
 */
export const checkOriginName = async ({ origin }: Pick<Schema, 'origin'>, privateFile: string): Promise<void> => {
  if (origin.kind !== 'public-table') return;
  if (origin.digest === undefined)
    throw new InputError(`schema: a learned one must say what it was learned from (origin.digest), got one without`, {
      kind: 'learn-elsewhere',
    });
  const names = isAddress(privateFile)
    ? [tableAddress(privateFile).table.toLowerCase()]
    : [privateFile, await realpath(privateFile).catch(() => privateFile)].map(stem);
  if (names.includes(stem(origin.file)))
    throw new InputError(
      `schema: must not be learned from the private table, got one learned from a file of the same name, ${JSON.stringify(origin.file)} (if that was another, public table: rename it and learn from it again)`,
      { kind: 'learn-elsewhere' },
    );
};

/**
 * Refuses a schema that was learned from the private table itself, whose rows, values and bounds it would publish. The private file
 * is read only when it is exactly as long as what the schema was learned from; its digest goes nowhere.
 */
export const checkOrigin = async (schema: Pick<Schema, 'origin'>, privateFile: string): Promise<void> => {
  await checkOriginName(schema, privateFile);
  const { origin } = schema;
  if (origin.kind !== 'public-table' || origin.digest === undefined || isAddress(privateFile)) return;
  if (await hasDigest(privateFile, origin.digest))
    throw new InputError('schema: must not be learned from the private table, got one that was', {
      kind: 'learn-elsewhere',
    });
};
