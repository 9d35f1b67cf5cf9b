import { settles } from '../../src/domain/households/settles.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { Entropy } from '../../src/privacy/entropy.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { memorySource } from '../../src/source/memory-source.js';
import { blobDigest } from './learn-blob.js';
import type { TableMark } from './page-ledgers.js';
import { readCodes } from './read-codes.js';
import { type ChosenTables, readHouseholdCodes } from './read-household-codes.js';
import type { TableBlob } from './table-part.js';

const all = ({ table, households }: ChosenTables): readonly TableBlob[] =>
  households === undefined ? [table] : [table, households];

/** The private tables, as ledgers know them. Refuses the same table twice. */
export const tableMarks = async (chosen: ChosenTables, running: Running): Promise<readonly TableMark[]> => {
  const marks: TableMark[] = [];
  for (const table of all(chosen)) marks.push({ name: table.name, sha256: (await blobDigest(table, running)).sha256 });
  if (marks.length === 2 && marks[0].sha256 === marks[1].sha256)
    throw new InputError(
      `${marks[1].name}: must be another table than that of the persons, got the same; leave it out where one table has both`,
    );
  return marks;
};

/** Refuses a public table, or a schema, that is a private table itself. */
export const checkDistinct = async (
  chosen: ChosenTables,
  marks: readonly TableMark[],
  { schema, publics }: { readonly schema: Pick<Schema, 'origin'>; readonly publics: readonly TableBlob[] },
  running: Running,
): Promise<void> => {
  const sizes = all(chosen).map(({ blob }) => blob.size);
  for (const open of publics) {
    if (!sizes.includes(open.blob.size)) continue;
    const other = await blobDigest(open, running);
    if (marks.some(({ sha256 }) => sha256 === other.sha256))
      throw new InputError(
        `${open.name}: must be public, got the same bytes as the private table; choose another public table, or none`,
      );
  }
  const { origin } = schema;
  if (origin.kind === 'public-table' && marks.some(({ sha256 }) => sha256 === origin.digest?.sha256))
    throw new InputError('schema: must not be learned from the private table, got one that was', {
      kind: 'learn-elsewhere',
    });
};

/** Reads the private tables, which are counted from then on: for a session and nobody else. */
export const openPrivate = async (
  chosen: ChosenTables,
  schema: Schema,
  {
    outside,
    dataset,
    entropy,
    threads,
    onProgress,
    signal,
  }: Running & {
    readonly outside?: Outside | undefined;
    readonly dataset: string;
    readonly entropy: Entropy;
    readonly threads?: number | undefined;
  },
): Promise<ClosableSource> => {
  const unit = unitOf(schema);
  const domain = domainFromSchema(schema);
  const reading = { outside, written: schema.table, isPrivate: true, signal };
  const opening = { dataset, unit, random: entropy, threads, signal };
  onProgress?.({ stage: 'load', done: 0, total: 1 });
  const opened = async (): Promise<ClosableSource> => {
    if (schema.twoLevel === undefined) {
      const id = unit.kind === 'id' ? unit.column : undefined;
      const { table, ids } = await readCodes(chosen.table, domain, { ...reading, id });
      return memorySource({ ...opening, table, ids });
    }
    const { key, rule } = schema.twoLevel;
    const { table, keys } = await readHouseholdCodes(chosen, domain, key, reading);
    return memorySource({ ...opening, table, ids: keys, rule, firstSpeaks: settles(outside) });
  };
  const source = await opened();
  onProgress?.({ stage: 'load', done: 1, total: 1 });
  return source;
};
