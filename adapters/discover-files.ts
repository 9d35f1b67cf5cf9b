import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asked, type Draft, type DraftAttribute, isAsked, isLeftOut } from '../src/domain/discover/draft.js';
import { guessColumn } from '../src/domain/discover/guess-column.js';
import { InputError } from '../src/domain/input-error.js';
import type { Running } from '../src/domain/running.js';
import type { Schema } from '../src/domain/schema/schema.js';
import {
  checkDiscovery,
  type DiscoveredRelease,
  type DiscoverReleaseOptions,
  discoveryBudget,
  makeDiscovered,
} from '../src/flow/discover-release.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/query/unit.js';
import type { Random } from '../src/random/random.js';
import type { ClosableSource } from '../src/source/closable.js';
import type { RawSource } from '../src/source/raw-source.js';
import { nodeFitters } from './node-fitters.js';
import { nodeWorkers } from './node-workers.js';
import { headerNames } from './private/header-names.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import { openCheckedFile } from './private/private-file.js';
import { openRawFile } from './private/raw-file.js';
import { isAddress } from './sql/address.js';
import { openAddress } from './sql/engines.js';
import { checkDatabaseSchema, databaseSource } from './sql/open-database-table.js';
import { rawSqlSource } from './sql/raw-sql-source.js';
import { tableFile } from './table/table-file.js';
import { type WriteRowsOptions, writeRows } from './write-rows.js';

/** The private table and what is known of it. */
export interface DiscoverFilesOptions
  extends Omit<
      DiscoverReleaseOptions,
      'raw' | 'open' | 'ledger' | 'why' | 'configuration' | 'keepRows' | 'workers' | 'fitters'
    >,
    WriteRowsOptions,
    Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen' | 'query'> {
  /** A file, or the address of a table in a database. */
  readonly private: string;
  readonly unit?: Unit | undefined;
  readonly title?: string | undefined;
}

/** Whom a draft protects when nobody says. */
export const draftUnit = ({ unit }: Pick<Draft, 'unit'>): Unit =>
  unit === undefined ? { kind: 'row', maxRecords: 1 } : { kind: 'id', column: unit.id, maxRecords: unit.maxRecords };

/** A draft of a schema, and a word on columns that it leaves out. */
export interface DraftedFile {
  readonly draft: Draft;
  readonly notes: readonly string[];
}

/**
 * Whether a guess does no harm where nobody reads it: values that are asked for may look as they like, and a range bounds what is asked. Dates may be written
 * in any way, months as numbers, amounts as words: of these it is asked what they look like.
 */
const isSafe = (guess: DraftAttribute): boolean =>
  isLeftOut(guess) ||
  (isAsked(guess) && (guess.type === 'category' || (guess.type !== 'date' && guess.min !== undefined)));

/** Columns of a table that the draft does not name are asked for, or left out where their name says so. Reads the header and no row. */
export const discoverRest = async (
  file: string,
  {
    draft,
    exclude = [],
    unitId,
    query,
  }: {
    draft?: Draft | undefined;
    exclude?: readonly string[];
    unitId?: string | undefined;
    /** A query of one's own in the database of the table, whose columns they are. */
    query?: string | undefined;
  },
): Promise<DraftedFile> => {
  const { names, hasIndex } = await headerNames(file, { table: draft?.table, query });
  for (const name of exclude)
    if (!names.includes(name))
      throw new InputError(`exclude: must name a column of ${file}, got ${JSON.stringify(name)}; check its header`, {
        kind: 'option',
        name: 'exclude',
      });
  const id = unitId ?? draft?.unit?.id;
  const known = new Set([
    ...(draft?.attributes ?? []).map(({ name }) => name),
    ...exclude,
    ...(id === undefined ? [] : [id]),
  ]);
  const rest = names
    .filter((name) => !known.has(name))
    .map((name): DraftAttribute => {
      const guess = guessColumn(name)?.spec;
      return guess !== undefined && isSafe(guess) ? guess : { name, type: asked };
    });
  const attributes = [...(draft?.attributes ?? []), ...rest];
  if (attributes.length === 0) throw new InputError(`${file}: must have a column to ask about, got none`);
  const notes = hasIndex ? ['The first column has no name: it is taken for an index and left out.'] : [];
  return { draft: { surmise: 1, origin: { kind: 'declared' }, ...draft, attributes }, notes };
};

/**
 * Makes a release of a private table whose schema is not known: asks for it with a part of the budget and puts the release into an empty directory; see
 * `makeDiscovered`. Give it to `writeWholeDirectory`, so that a directory appears whole or not at all.
 */
export const discoverFiles = async (directory: string, options: DiscoverFilesOptions): Promise<DiscoveredRelease> => {
  const { draft, dataset, format, spreadsheet, onProgress, signal, entropy = webEntropy() } = options;
  const unit = options.unit ?? draftUnit(draft);
  checkDiscovery({ ...options, unit });
  const budget = discoveryBudget(draft, options.budget);
  if (isAddress(options.private)) checkDatabaseSchema(draft);
  // The draft came from no table: what stands for it here is only asked for its origin.
  const { ledger } = await openPrivateTable(options.private, {
    ...options,
    schema: { ...draft, attributes: [], constraints: [] },
    unit,
    budget,
    entropy,
    publics: [],
    resuming: options.journal?.found !== undefined,
  });
  options.onOpen?.();
  const columns = draft.attributes.filter((spec) => !isLeftOut(spec));
  const opening = { random: entropy, dataset: ledger.dataset, unit, onProgress, signal };
  const { raw, open, close } = isAddress(options.private)
    ? await rawTable(options, columns, opening)
    : await rawFile(options, columns, opening);
  let source: ClosableSource | undefined;
  try {
    const made = await makeDiscovered({
      ...options,
      raw,
      ledger,
      entropy,
      workers: nodeWorkers,
      fitters: nodeFitters,
      configuration: { format, spreadsheet, dataset, title: options.title },
      open: async (schema) => {
        source = await open(schema);
        return source;
      },
      keepRows: (rows, decoding) => writeRows(directory, rows.domain, options)(rows, decoding),
    });
    for (const [name, bytes] of Object.entries(made.files)) await writeFile(path.join(directory, name), bytes);
    return made;
  } finally {
    await raw.close();
    await source?.close();
    await close();
  }
};

/** Private columns as they are, and the same table by a schema that was found. */
interface Undeclared {
  readonly raw: RawSource;
  open(schema: Schema): Promise<ClosableSource>;
  /** Lets go of what neither of them has. */
  close(): Promise<void>;
}

type Opening = Running & { readonly random: Random; readonly dataset: string; readonly unit: Unit };

const rawFile = async (
  { private: name, draft, outside }: DiscoverFilesOptions,
  columns: readonly DraftAttribute[],
  opening: Opening,
): Promise<Undeclared> => {
  const file = await tableFile(name);
  return {
    raw: await openRawFile(file, { ...opening, columns, table: draft.table }),
    open: (schema) => openCheckedFile(file, schema, { ...opening, outside }),
    close: async () => undefined,
  };
};

/** One connection for both, so that the release is of the rows that were asked about. */
const rawTable = async (
  { private: address, outside, query }: DiscoverFilesOptions,
  columns: readonly DraftAttribute[],
  { random, dataset, unit, signal }: Opening,
): Promise<Undeclared> => {
  const { connection, relation } = await openAddress(address, { query, signal });
  try {
    const names = columns.map(({ name }) => name);
    return {
      raw: await rawSqlSource(connection, relation, { columns: names, random, dataset, unit, signal }),
      open: (schema) =>
        databaseSource(connection, relation, schema, { random, dataset, unit, outside, signal, answered: true }),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
};
