import {
  answerOf,
  blobDigest,
  bundleStore,
  giveUpRelease,
  keptReleases,
  learnBlob,
  openDatabase,
  openPageJournal,
  type PageDatabase,
  pageLedgers,
  privateNames,
  type ReleaseNote,
  readCodes,
  releaseBlob,
  type TableBlob,
  type TableMark,
  tableBlob,
  writeParquet,
} from '../../adapters/browser/index.js';
import { demoCsv, inspectLedger, readManifest, seededEntropy, withOutside } from '../../src/advanced.js';
import {
  answerSql,
  type BoundsSource,
  type Bundle,
  type BundleFiles,
  domainFromSchema,
  InputError,
  type LearnedSchema,
  type Manifest,
  type Outside,
  openBundle,
  type PublicTable,
  parseSchema,
  planRelease,
  type Running,
  type Schema,
  type SqlAnswer,
  verifyBundle,
} from '../../src/index.js';
import { guessedColumns, publicCounts, type ShownColumns, shownColumns } from './columns.js';
import { lookedAt, lookedAtPair, type ShownPair, type ShownWay } from './look.js';
import { type ShownPlan, shownPlan } from './plan.js';
import { type ShownLedger, shownLedger } from './shown-ledger.js';
import { budgetAsked, type Told } from './told.js';
import { unzipped, zipped } from './zip.js';

/** What a page shows of a table that was chosen: of a private one, its name and its columns' names. */
export interface ShownTable {
  readonly name: string;
  readonly bytes: number;
  readonly names: readonly string[];
  /** Of a public table only. */
  readonly rows: number | undefined;
}

/** What a page shows of a release. */
export interface ShownRelease {
  readonly release: string;
  readonly title: string;
  readonly manifest: Pick<Manifest, 'privacy' | 'mechanism' | 'software' | 'public' | 'schema'>;
  readonly total: number;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly attributes: readonly { readonly name: string; readonly kind: string; readonly labels: readonly string[] }[];
  readonly hasBounds: boolean;
}

interface Opened {
  readonly note: ReleaseNote;
  readonly bundle: Bundle & BoundsSource;
  readonly files: BundleFiles;
}

const threads = Math.max(1, Math.min(4, navigator.hardwareConcurrency ?? 2));
declare const __SOFTWARE__: string;

/** What the worker has on its table. */
const work: {
  private?: TableBlob | undefined;
  /** Of the private table's bytes; known once somebody asks for its ledger. */
  mark?: { readonly table: TableBlob; readonly mark: TableMark } | undefined;
  public?: TableBlob | undefined;
  /** The public table as cells of the schema that it was last encoded by. */
  encoded?: { readonly key: string; readonly table: PublicTable } | undefined;
  opened?: Opened | undefined;
  database?: Promise<PageDatabase> | undefined;
} = {};

const database = (): Promise<PageDatabase> => {
  work.database ??= openDatabase();
  return work.database;
};

const privateTable = (): TableBlob => {
  if (work.private === undefined)
    throw new InputError('private table: must be chosen, got none; choose it on the first screen');
  return work.private;
};

const markOf = async (table: TableBlob, running: Running): Promise<TableMark> => {
  if (work.mark?.table !== table) {
    const { sha256 } = await blobDigest(table.blob, running);
    work.mark = { table, mark: { name: table.name, sha256 } };
  }
  return work.mark.mark;
};

/** The public table by a schema; it is read again where the schema has changed. */
const publicBy = async (schema: Schema, outside: Outside, running: Running): Promise<PublicTable | undefined> => {
  const { public: file } = work;
  if (file === undefined) return undefined;
  const widened = withOutside(schema, outside);
  const key = JSON.stringify([widened, outside]);
  if (work.encoded?.key !== key) {
    const { table, values } = await readCodes(file, domainFromSchema(widened), { ...running, outside, values: true });
    work.encoded = { key, table: { name: file.name, table, values } };
  }
  return work.encoded.table;
};

const opened = (): Opened => {
  if (work.opened === undefined) throw new InputError('release: must be opened, got none; make one, or open one');
  return work.opened;
};

const open = (note: ReleaseNote, files: BundleFiles): ShownRelease => {
  const bundle = openBundle(files);
  work.opened = { note, bundle, files };
  const { manifest, model } = bundle;
  const { privacy, mechanism, software, public: prior, schema } = manifest;
  return {
    release: note.release,
    title: note.title,
    manifest: { privacy, mechanism: { name: mechanism.name, options: {}, notes: {} }, software, public: prior, schema },
    total: model.total,
    files: Object.entries(files).map(([name, bytes]) => ({ name, bytes: bytes.length })),
    attributes: model.domain.attributes.map(({ name, spec, size }) => ({
      name,
      kind: spec.type,
      labels: spec.type === 'category' && size <= 500 ? spec.values : [],
    })),
    hasBounds: bundle.replicates !== undefined || bundle.measurements.length > 0,
  };
};

/** The year that everybody may see, and the year that is to be protected. */
const demoYears = { public: 2018, private: 2023 } as const;

const demoTable = (role: keyof typeof demoYears, rows: number, seed: number): TableBlob => {
  const parts: string[] = [];
  for (const { text } of demoCsv({ rows, seed, year: demoYears[role] })) parts.push(text);
  return tableBlob(`${role}-${demoYears[role]}.csv`, new Blob(parts));
};

/** What the worker does for the page. */
export const jobs = {
  /** Puts both tables of the fictional country on the table. */
  demo: async (
    { rows, seed }: { rows: number; seed: number },
    running: Running,
  ): Promise<{ private: ShownTable; public: ShownTable; learned: LearnedSchema }> => {
    const tables = { private: demoTable('private', rows, seed), public: demoTable('public', rows, seed) };
    work.private = tables.private;
    const learned = await learn(tables.public, ['household_id', 'person_id'], running);
    return {
      private: {
        name: tables.private.name,
        bytes: tables.private.blob.size,
        names: await privateNames(tables.private),
        rows: undefined,
      },
      ...learned,
    };
  },
  /** Takes a private table: only its header is read. */
  choosePrivate: async ({ file }: { file: File }): Promise<ShownTable> => {
    const table = tableBlob(file.name, file);
    const names = await privateNames(table);
    work.private = table;
    return { name: table.name, bytes: file.size, names, rows: undefined };
  },
  /** Takes a public table and learns the columns from it. */
  choosePublic: async ({ file, exclude }: { file: File; exclude: readonly string[] }, running: Running) =>
    learn(tableBlob(file.name, file), exclude, running),
  /** Learns anew, without some columns. */
  learnAgain: async ({ exclude }: { exclude: readonly string[] }, running: Running) =>
    learn(work.public!, exclude, running),
  dropTable: async ({ role }: { role: 'private' | 'public' }): Promise<void> => {
    work[role] = undefined;
    if (role === 'public') work.encoded = undefined;
  },
  guess: async ({ names }: { names: readonly string[] }) => guessedColumns(names),
  /** Reads a schema file. */
  readSchema: async ({ text }: { text: string }): Promise<Schema> => {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new InputError('schema: must be JSON, and it is not; choose a schema file of Surmise');
    }
    return parseSchema(json);
  },
  /** Looks at a declaration, and encodes the public table by it where it is sound. */
  columns: async (
    { schema, outside }: { schema: Schema; outside: Outside },
    running: Running,
  ): Promise<ShownColumns> => {
    const shown = shownColumns(schema, outside, undefined);
    const isSound = shown.problems.length === 0 && shown.columns.every(({ problem }) => problem === undefined);
    if (!isSound || work.public === undefined) return shown;
    try {
      const table = await publicBy(schema, 'declared', running);
      return shownColumns(schema, outside, table?.table);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { ...shown, problems: [error.message] };
    }
  },
  /** What the budget would buy, from public facts alone. */
  plan: async ({ told, mechanism }: { told: Told; mechanism: string }, running: Running): Promise<ShownPlan> =>
    shownPlan(
      await planRelease({
        ...running,
        schema: parseSchema(told.schema),
        outside: told.outside,
        budget: budgetAsked(told),
        mechanism: mechanism as 'auto',
        expectedRows: told.expectedRows,
        publicTable: (await publicBy(told.schema, told.outside, running))?.table,
        threads: { threads },
      }),
    ),
  /** One half of the public table plays the private one: how far off the release is, on average over pairs of attributes. */
  rehearse: async ({ told, epsilon }: { told: Told; epsilon: string }, running: Running) => {
    const { rehearsal } = await planRelease({
      ...running,
      schema: parseSchema(told.schema),
      outside: told.outside,
      budget: budgetAsked({ ...told, epsilon }),
      mechanism: told.mechanism as 'auto',
      expectedRows: told.expectedRows,
      publicTable: (await publicBy(told.schema, told.outside, running))?.table,
      threads: { threads },
      bootstrap: 0,
      rehearse: true,
    });
    return { error: rehearsal!.error.mean, asIs: rehearsal!.asIs.error.mean, rows: rehearsal!.rows };
  },
  /** The ledger that the private table has in this browser. */
  ledger: async ({ seeds }: { seeds: boolean }, running: Running): Promise<ShownLedger | undefined> => {
    const ledgers = pageLedgers(await database());
    const note = await ledgers.find(await markOf(privateTable(), running), seeds);
    if (note === undefined) return undefined;
    const { found } = await openPageJournal(await database(), note.id);
    return shownLedger(note, await (await ledgers.open(note)).status(), found !== undefined);
  },
  /** Every ledger that this browser keeps. */
  ledgers: async (_: object): Promise<readonly ShownLedger[]> => {
    const ledgers = pageLedgers(await database());
    const shown: ShownLedger[] = [];
    for (const note of await ledgers.notes()) {
      const { found } = await openPageJournal(await database(), note.id);
      shown.push(shownLedger(note, await (await ledgers.open(note)).status(), found !== undefined));
    }
    return shown;
  },
  ledgerFile: async ({ id }: { id: string }): Promise<Blob> => {
    const ledgers = pageLedgers(await database());
    const note = (await ledgers.notes()).find((one) => one.id === id);
    if (note === undefined) throw new InputError('ledger: must be kept in this browser, got none');
    return new Blob([await ledgers.bytes(note)], { type: 'application/jsonl' });
  },
  /** Takes in the copy of a ledger for the private table. */
  takeLedger: async ({ file }: { file: File }, running: Running): Promise<ShownLedger> => {
    const ledgers = pageLedgers(await database());
    const bytes = new Uint8Array(await file.arrayBuffer());
    const note = await ledgers.take(await markOf(privateTable(), running), bytes);
    return shownLedger(note, await (await ledgers.open(note)).status(), false);
  },
  /** Makes the release: from here on the budget is spent. */
  release: async (
    { told, resume }: { told: Told; resume?: boolean | undefined },
    running: Running,
  ): Promise<ShownRelease> => {
    const { schema, outside, mechanism, expectedRows, seed, unsafeSeed, allowance } = told;
    const table = privateTable();
    const publicTable = await publicBy(schema, outside, running);
    const kept = keptReleases(await database());
    const title = told.title ?? table.name;
    let note: ReleaseNote | undefined;
    const { files } = await releaseBlob(await database(), {
      ...running,
      private: table,
      publicTable: publicTable && { ...publicTable, blob: work.public!.blob },
      schema: parseSchema(schema),
      outside,
      budget: budgetAsked(told),
      allowance: allowance === undefined ? undefined : budgetAsked({ epsilon: allowance, delta: told.delta }),
      mechanism: mechanism as 'auto',
      expectedRows,
      seed,
      entropy: unsafeSeed === undefined ? undefined : seededEntropy(unsafeSeed),
      title: told.title,
      software: __SOFTWARE__,
      threads,
      resume,
      keep: async (made) => {
        const ledger = await pageLedgers(await database()).find(await markOf(table, {}), unsafeSeed !== undefined);
        note = {
          release: made.manifest.release,
          title,
          made: Date.now(),
          counts: publicTable && publicCounts(publicTable.table),
          ledger: ledger?.id,
        };
        await kept.put(note, made.files);
      },
    });
    return open(note!, files);
  },
  /** Gives an interrupted release up: what it spent stays spent, the rest goes back. */
  giveUp: async ({ seeds }: { seeds: boolean }, running: Running): Promise<ShownLedger | undefined> => {
    const mark = await markOf(privateTable(), running);
    const note = await pageLedgers(await database()).find(mark, seeds);
    if (note === undefined) return undefined;
    await giveUpRelease(await database(), note);
    return jobs.ledger({ seeds }, running);
  },
  releases: async (_: object) => {
    const notes = await keptReleases(await database()).notes();
    return notes.map(({ release, title, made }) => ({ release, title, made }));
  },
  openKept: async ({ release }: { release: string }): Promise<ShownRelease> => {
    const kept = keptReleases(await database());
    const note = (await kept.notes()).find((one) => one.release === release);
    if (note === undefined) throw new InputError('release: must be kept in this browser, got none');
    return open(note, await kept.files(release));
  },
  forget: async ({ release }: { release: string }): Promise<void> => {
    await keptReleases(await database()).remove(release);
    if (work.opened?.note.release === release) work.opened = undefined;
  },
  /** Opens somebody's release: an archive, or the files of its folder. */
  openFiles: async ({ files }: { files: readonly File[] }): Promise<ShownRelease> => {
    const isArchive = files.length === 1 && /\.zip$/i.test(files[0].name);
    const entries = isArchive
      ? await unzipped(files[0])
      : Object.fromEntries(
          await Promise.all(files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const)),
        );
    if (entries['bundle.json'] === undefined)
      throw new InputError(
        'release: must have a bundle.json among its files, got none; choose the folder or the archive of a release',
      );
    const { manifest } = readManifest(entries['bundle.json']);
    return open(
      { release: manifest.release, title: manifest.configuration?.title ?? manifest.privacy.dataset, made: 0 },
      entries,
    );
  },
  /** Checks the opened release as the command line does, with its ledger where this browser has it. */
  verify: async (_: object, { signal }: Running) => {
    const { files, note } = opened();
    const ledgers = pageLedgers(await database());
    const own = (await ledgers.notes()).find(({ id }) => id === note.ledger);
    const ledger = own && (await inspectLedger(ledgers.store(own)));
    const { faults, checks, unchecked } = await verifyBundle(bundleStore(files), ledger, { signal });
    return { faults, checks, unchecked, withLedger: ledger !== undefined };
  },
  look: async (_: object, { signal, onProgress }: Running): Promise<readonly ShownWay[]> => {
    const { bundle, note } = opened();
    const ways: ShownWay[] = [];
    for (const way of lookedAt(bundle, bundle.model.total, note.counts)) {
      ways.push(way);
      onProgress?.({ stage: 'look', done: ways.length, total: bundle.model.domain.attributes.length });
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    return ways;
  },
  pair: async ({ names }: { names: readonly [string, string] }): Promise<ShownPair | undefined> => {
    const { bundle } = opened();
    return lookedAtPair(bundle, bundle.model.total, names);
  },
  ask: async ({ sql }: { sql: string }): Promise<readonly SqlAnswer[]> => {
    const answers = answerSql(sql, opened().bundle);
    if (answers.length === 0) throw new InputError('query: needs a statement, got none; write one');
    return answers;
  },
  file: async ({ name }: { name: string }): Promise<Blob> =>
    new Blob([opened().files[name] as Uint8Array<ArrayBuffer>]),
  /** The synthetic rows as Parquet. */
  parquet: async (_: object): Promise<Blob> => {
    const { files, bundle } = opened();
    return new Blob([await writeParquet(files['synthetic.csv'], bundle.manifest.schema)]);
  },
  archive: async ({ folder }: { folder: string }): Promise<Blob> => zipped(opened().files, folder),
  /** What the page keeps between visits. */
  keepDraft: async ({ draft }: { draft: unknown }): Promise<void> => {
    await (await database()).change(['notes'], async (get) => void (await answerOf(get('notes').put(draft, 'draft'))));
  },
  draft: async (_: object): Promise<unknown> =>
    (await database()).look('notes', (store) => answerOf(store.get('draft'))),
} as const;

const learn = async (table: TableBlob, exclude: readonly string[], running: Running) => {
  const learned = await learnBlob(table, { ...running, exclude });
  work.public = table;
  work.encoded = undefined;
  const { origin } = learned.schema;
  const rows = origin.kind === 'public-table' ? origin.rows : undefined;
  const names = learned.schema.attributes.map(({ name }) => name);
  return { public: { name: table.name, bytes: table.blob.size, names, rows } satisfies ShownTable, learned };
};

export type StudioJobs = typeof jobs;
