import { type Draft, isLeftOut } from '../../src/domain/discover/draft.js';
import type { Running } from '../../src/domain/running.js';
import { withOutside } from '../../src/domain/schema/outside.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { checkRelease } from '../../src/flow/check-release.js';
import {
  checkDiscovery,
  type DiscoverReleaseOptions,
  discoveryBudget,
  makeDiscovered,
} from '../../src/flow/discover-release.js';
import { type MadeRelease, type MakeReleaseOptions, makePrepared } from '../../src/flow/make-release.js';
import { prepareRelease } from '../../src/flow/prepare-release.js';
import type { PublicsOptions } from '../../src/flow/publics.js';
import { fittedBefore } from '../../src/flow/release-journal.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { AnyModel } from '../../src/model/model.js';
import type { BudgetRequest } from '../../src/privacy/accounting/budget.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import type { ChosenFile } from './chosen-file.js';
import type { PageDatabase } from './database.js';
import { checkDistinct, openPrivate, tableMarks } from './private-tables.js';
import { readRaw } from './read-codes.js';
import type { ChosenTables } from './read-household-codes.js';
import { spendAlone } from './spend-alone.js';
import type { TableBlob } from './table-part.js';

/** What a release in a page is told, as any other; the chosen files are in the place of a source. */
interface ToldInPage
  extends Running,
    Pick<
      MakeReleaseOptions,
      | 'outside'
      | 'budget'
      | 'relation'
      | 'mechanism'
      | 'settings'
      | 'rows'
      | 'bootstrap'
      | 'seed'
      | 'entropy'
      | 'expectedRows'
      | 'software'
      | 'threads'
      | 'onForecast'
    > {
  readonly private: ChosenTables;
  /** The total of the ledger, where the tables have none yet; what the release asks for by default. */
  readonly allowance?: BudgetRequest | undefined;
  /** What the report is called. */
  readonly title?: string | undefined;
  /** Goes on with the release that was interrupted; without it one that was is refused. */
  readonly resume?: boolean | undefined;
  /** A file for a ledger that begins with this release. */
  readonly ledgerFile?: ChosenFile | undefined;
  /** Keeps the files of a release that is whole, before what it had paid for is forgotten. */
  keep(made: MadeRelease<AnyModel>): Promise<void>;
}

export interface ReleaseBlobOptions extends ToldInPage, PublicsOptions {
  readonly schema: Schema;
  /** The files of the public tables: none of them may be the private one. */
  readonly publicFiles?: readonly TableBlob[] | undefined;
}

export interface DiscoverBlobOptions extends ToldInPage, Pick<DiscoverReleaseOptions, 'discoverShare'> {
  /** What is known of the columns, and what is to be asked for. */
  readonly draft: Draft;
}

/**
 * Makes a release of chosen files within the budget that their ledger in this browser keeps: as `releaseFiles` does of files on disk. Where the schema has
 * households, of both of them.
 */
export const releaseBlob = async (
  database: PageDatabase,
  options: ReleaseBlobOptions,
): Promise<MadeRelease<AnyModel>> => {
  const { outside, publicFiles = [], onProgress, signal, title, threads } = options;
  const running: Running = { onProgress, signal };
  const { entropy = webEntropy() } = options;
  const schema = withOutside(options.schema, outside);
  const unit = unitOf(schema);
  const publicHouseholds = schema.twoLevel === undefined ? undefined : publicFiles[1]?.name;
  const told = { ...options, schema, unit, entropy, configuration: { title, publicHouseholds } };
  checkRelease({ ...told, hasPublic: publicFiles.length > 0 });
  const tables = await tableMarks(options.private, running);
  await checkDistinct(options.private, tables, { schema, publics: publicFiles }, running);
  return spendAlone(database, { ...options, tables, unit, seeds: entropy.seeded }, async (account) => {
    const { ledger, journal, onReserved } = account;
    const prepared = await prepareRelease({ ...told, counted: ledger.budget, fitted: fittedBefore(journal) });
    const opening = { ...running, outside, dataset: ledger.dataset, entropy, threads };
    const source = await openPrivate(options.private, schema, opening);
    try {
      const made = await makePrepared({ ...told, source, ledger, journal, onReserved }, prepared);
      await options.keep(made);
      return made;
    } finally {
      await source.close();
    }
  });
};

/** The same of a table of which little is known: what its columns hold is asked first, with a part of the budget; as `discoverFiles` does. */
export const discoverBlob = async (database: PageDatabase, options: DiscoverBlobOptions): Promise<MadeRelease> => {
  const { draft, outside, onProgress, signal, title, threads } = options;
  const running: Running = { onProgress, signal };
  const { entropy = webEntropy() } = options;
  const unit = unitOf(draft as Pick<Draft, 'unit' | 'twoLevel'> as Schema);
  checkDiscovery({ ...options, unit });
  const tables = await tableMarks(options.private, running);
  await checkDistinct(options.private, tables, { schema: draft, publics: [] }, running);
  // A part of delta is for thresholds, in the ledger too.
  const spending = {
    ...options,
    budget: discoveryBudget(draft, options.budget),
    allowance: options.allowance && discoveryBudget(draft, options.allowance),
  };
  return spendAlone(database, { ...spending, tables, unit, seeds: entropy.seeded }, async (account) => {
    const { ledger, journal, onReserved } = account;
    const { dataset } = ledger;
    onProgress?.({ stage: 'load', done: 0, total: 1 });
    const specs = draft.attributes.filter((spec) => !isLeftOut(spec));
    const id = unit.kind === 'id' ? unit.column : undefined;
    const reading = { written: draft.table, isPrivate: true, signal, id };
    const { columns, ids } = await readRaw(options.private.table, specs, reading);
    const raw = rawMemorySource({ columns, dataset, unit, ids, random: ids && entropy });
    onProgress?.({ stage: 'load', done: 1, total: 1 });
    let source: ClosableSource | undefined;
    try {
      const made = await makeDiscovered({
        ...options,
        raw,
        ledger,
        entropy,
        journal,
        onReserved,
        configuration: { title },
        open: async (schema) => {
          source = await openPrivate(options.private, schema, { ...running, outside, dataset, entropy, threads });
          return source;
        },
      });
      await options.keep(made);
      return made;
    } finally {
      await raw.close();
      await source?.close();
    }
  });
};
