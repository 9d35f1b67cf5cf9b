import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { checkRelease } from '../../src/flow/check-release.js';
import { type MadeRelease, type MakeReleaseOptions, makePrepared } from '../../src/flow/make-release.js';
import { prepareRelease } from '../../src/flow/prepare-release.js';
import type { PublicTable } from '../../src/flow/public-table.js';
import { fittedBefore } from '../../src/flow/release-journal.js';
import { unitOf } from '../../src/flow/unit-of.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import { checkRoom } from '../../src/privacy/session/ledger-cost.js';
import { memorySource } from '../../src/source/memory-source.js';
import type { PageDatabase } from './database.js';
import { blobDigest } from './learn-blob.js';
import { openPageJournal } from './page-journal.js';
import { type LedgerNote, pageLedgers, type TableMark } from './page-ledgers.js';
import { readCodes } from './read-codes.js';
import type { TableBlob } from './table-part.js';

/** What a release in a page is told, as any other; the chosen file is in the place of a source. */
export interface ReleaseBlobOptions
  extends Running,
    Pick<
      MakeReleaseOptions,
      | 'schema'
      | 'outside'
      | 'budget'
      | 'relation'
      | 'mechanism'
      | 'settings'
      | 'workload'
      | 'rows'
      | 'bootstrap'
      | 'seed'
      | 'entropy'
      | 'expectedRows'
      | 'software'
      | 'threads'
      | 'onForecast'
      | 'onReserved'
    > {
  readonly private: TableBlob;
  readonly publicTable?: (PublicTable & { readonly blob: Blob }) | undefined;
  /** The total of the ledger, where the table has none yet; what the release asks for by default. */
  readonly allowance?: BudgetRequest | undefined;
  /** What the report is called. */
  readonly title?: string | undefined;
  /** Goes on with the release that was interrupted; without it one that was is refused. */
  readonly resume?: boolean | undefined;
  /** Keeps the files of a release that is whole, before what it had paid for is forgotten. */
  keep(made: MadeRelease): Promise<void>;
}

/** Refuses a public table or a schema that is the private table itself. */
const checkDistinct = async (
  { name, blob }: TableBlob,
  schema: Schema,
  publicTable: ReleaseBlobOptions['publicTable'],
  running: Running,
): Promise<TableMark> => {
  const { bytes, sha256 } = await blobDigest(blob, running);
  if (publicTable !== undefined && publicTable.blob.size === bytes) {
    const other = await blobDigest(publicTable.blob, running);
    if (other.sha256 === sha256)
      throw new InputError(
        `${publicTable.name}: must be public, got the same bytes as the private table; choose another public table, or none`,
      );
  }
  const { origin } = schema;
  if (origin.kind === 'public-table' && origin.digest?.bytes === bytes && origin.digest.sha256 === sha256)
    throw new InputError('schema: must not be learned from the private table, got one that was', {
      kind: 'learn-elsewhere',
    });
  return { name, sha256 };
};

/** One tab at a time spends from a ledger, and goes on with what was interrupted. */
const alone = async <T>(ledger: LedgerNote, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`surmise/ledger/${ledger.id}`, { ifAvailable: true }, async (lock) => {
    if (lock === null)
      throw new InputError(
        `ledger of ${ledger.table}: is being spent from in another tab or window; wait for it to end, or close it`,
      );
    return work();
  }) as Promise<T>;

/** Gives the interrupted release of a table up. */
export const giveUpRelease = async (database: PageDatabase, note: LedgerNote): Promise<void> =>
  alone(note, async () => {
    const journal = await openPageJournal(database, note.id);
    await journal.discard(await pageLedgers(database).open(note));
  });

/**
 * Makes a release of a chosen file within the budget that its ledger in this browser keeps: as `releaseFiles` does of one on disk. What it pays for is kept
 * in the page until the release is, so that a reload loses nothing.
 */
export const releaseBlob = async (database: PageDatabase, options: ReleaseBlobOptions): Promise<MadeRelease> => {
  const { outside, publicTable, onProgress, signal, threads, title } = options;
  const running: Running = { onProgress, signal };
  const { entropy = webEntropy() } = options;
  const schema = withOutside(options.schema, outside);
  if (schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for a release in a page, got twoLevel; use the command line for households',
    );
  const unit = unitOf(schema);
  const told = { ...options, schema, unit, entropy, configuration: { title } };
  checkRelease({ ...told, hasPublic: publicTable !== undefined });
  const mark = await checkDistinct(options.private, schema, publicTable, running);
  const ledgers = pageLedgers(database);
  const total = budgetOf(options.allowance ?? options.budget);
  const seeds = entropy.seeded;
  const found = await ledgers.find(mark, seeds);
  const note = found ?? (await ledgers.make(mark, { budget: total, relation: options.relation, unit, seeds }));
  return alone(note, async () => {
    const ledger = await ledgers.open(note);
    const journal = await openPageJournal(database, note.id);
    const isResumed = options.resume === true && journal.found !== undefined;
    if (journal.found !== undefined && !isResumed)
      throw new InputError('release: must not be begun while another one of this table is interrupted', {
        kind: 'unfinished',
      });
    if (!isResumed) await checkRoom(ledger, options.budget);
    let isSpending = isResumed;
    const keep = journal.keep('the studio');
    const publics = { publicTable: publicTable && { ...publicTable, blob: undefined } };
    const prepared = await prepareRelease({ ...told, ...publics, counted: ledger.budget, fitted: fittedBefore(keep) });
    onProgress?.({ stage: 'load', done: 0, total: 1 });
    const { table, ids } = await readCodes(options.private, domainFromSchema(schema), {
      outside,
      written: schema.table,
      isPrivate: true,
      id: unit.kind === 'id' ? unit.column : undefined,
      signal,
    });
    const source = await memorySource({ table, dataset: ledger.dataset, unit, random: entropy, threads, ids, signal });
    onProgress?.({ stage: 'load', done: 1, total: 1 });
    try {
      const onReserved = () => {
        isSpending = true;
        options.onReserved?.();
      };
      const release = { ...told, ...publics, source, ledger, journal: keep, onReserved };
      const made = (await makePrepared(release, prepared)) as MadeRelease;
      await options.keep(made);
      await journal.remove();
      return made;
    } catch (error) {
      // Where nothing was set aside there is nothing to go on with.
      if (!isSpending) await journal.remove();
      throw error;
    } finally {
      await source.close();
      ledger.close();
    }
  });
};
