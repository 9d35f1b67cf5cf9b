import { settles } from '../../src/domain/households/settles.js';
import { InputError } from '../../src/domain/input-error.js';
import { withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { memorySource } from '../../src/source/memory-source.js';
import { privateRelation } from '../duckdb/relation.js';
import { nodeWorkers } from '../node-workers.js';
import { readHouseholdRows, twoLevelOf } from '../table/read-households.js';
import { TooLarge } from '../table/read-relation.js';
import { assertUnchanged, type TableFile, tableFile } from '../table/table-file.js';
import { checkOrigin } from './check-origin.js';
import type { PrivateFileOptions } from './private-file-options.js';
import { isSameFile } from './same-file.js';

/** A private table of persons, and that of their households if it is another, as a source that counts both. */
export const openHouseholds = async (
  persons: TableFile,
  schema: Schema,
  options: PrivateFileOptions,
): Promise<ClosableSource> => {
  const { random, engine = 'auto', codeLimit = 2 ** 30, outside = 'declared', onProgress, signal, threads } = options;
  const { key, rule } = twoLevelOf(schema);
  if (engine === 'duckdb')
    throw new InputError('engine: households are counted in memory, got DuckDB; leave the engine to be chosen');
  const households = options.households === undefined ? undefined : await tableFile(options.households);
  if (households !== undefined) {
    await checkOrigin(schema, households.shown);
    if (await isSameFile(households.shown, persons.shown))
      throw new InputError(
        `${households.shown}: must be another table than that of the persons, got the same; leave it out where one table has both`,
      );
  }
  const files = households === undefined ? [persons] : [persons, households];
  onProgress?.({ stage: 'load', done: 0, total: 1 });
  const domain = domainFromSchema(withOutside(schema, outside));
  const { memoryLimit, temporary } = options;
  const rows = await readHouseholdRows({ persons, households }, domain, key, privateRelation, {
    outside,
    maxBytes: codeLimit,
    signal,
    limits: { threads, memoryLimit, temporary },
  }).catch((error: unknown) => {
    if (!(error instanceof TooLarge)) throw error;
    throw new InputError(`${persons.shown}: the codes of households must fit in ${codeLimit} bytes; raise codeLimit`);
  });
  const source = await memorySource({
    table: rows.table,
    ids: rows.keys,
    dataset: options.dataset ?? 'private table',
    unit: options.unit ?? unitOf(schema),
    rule,
    random,
    firstSpeaks: settles(outside),
    workers: nodeWorkers,
    threads,
  }).catch((error: unknown) => {
    throw error instanceof InputError && error.message.startsWith('column ')
      ? new InputError(`${persons.shown}: ${error.message}`)
      : error;
  });
  try {
    for (const file of files) await assertUnchanged(file);
    onProgress?.({ stage: 'load', done: 1, total: 1 });
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
};
