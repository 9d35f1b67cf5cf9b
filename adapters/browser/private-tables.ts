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
import { blobDigest, type TableDigest } from './learn-blob.js';
import type { PageLedgers, TableMark } from './page-ledgers.js';
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

/**
 * Refuses a public table that is private: one with the bytes of a private table that was chosen, or of one that has a ledger in this browser. To be asked before
 * its rows are read, since what is public is shown; of a private table nothing is read unless it has the same size. Its digest.
 */
export const checkPublic = async (
  open: TableBlob,
  { chosen, ledgers }: { readonly chosen: readonly TableBlob[]; readonly ledgers: Pick<PageLedgers, 'knows'> },
  running: Running,
): Promise<TableDigest> => {
  const alike = chosen.filter(({ blob }) => blob.size === open.blob.size);
  const digest = await blobDigest(open, running);
  const { sha256 } = digest;
  for (const table of alike)
    if ((await blobDigest(table, running)).sha256 === sha256)
      throw new InputError(
        `${open.name}: must be public, got the same bytes as the private table; choose another public table, or none`,
      );
  if (await ledgers.knows(sha256))
    throw new InputError(
      `${open.name}: must be public, got a table that has a ledger in this browser, and so is private; choose another public table, or none`,
    );
  return digest;
};

/** The same from the other side: refuses a private table that was chosen as a public one before. */
export const checkPrivate = async (
  hidden: TableBlob,
  publics: readonly TableBlob[],
  running: Running,
): Promise<void> => {
  for (const open of publics)
    if (
      open.blob.size === hidden.blob.size &&
      (await blobDigest(open, running)).sha256 === (await blobDigest(hidden, running)).sha256
    )
      throw new InputError(
        `${hidden.name}: must be private, got the same bytes as the public table ${open.name}; remove that one first, if it is private`,
      );
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
