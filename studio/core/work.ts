import {
  type ChosenTables,
  openDatabase,
  type PageDatabase,
  type ReleaseNote,
  readPublicBlob,
  type TableBlob,
  type TableMark,
  tableMarks,
} from '../../adapters/browser/index.js';
import { openHouseholdBundle, readManifest } from '../../src/advanced.js';
import {
  type AnyModel,
  type BoundsSource,
  type Bundle,
  type BundleFiles,
  InputError,
  type Manifest,
  type Outside,
  openBundle,
  type PublicTable,
  type Running,
  type Schema,
} from '../../src/index.js';

/** What a page shows of a table that was chosen: of a private one, its name and its columns' names. */
export interface ShownTable {
  readonly name: string;
  readonly names: readonly string[];
  /** Of a public table only, as are its rows: how large a private one is stays with it. */
  readonly bytes: number | undefined;
  readonly rows: number | undefined;
}

/** What a page shows of a release. */
export interface ShownRelease {
  readonly release: string;
  readonly title: string;
  readonly manifest: Pick<Manifest, 'privacy' | 'mechanism' | 'software' | 'public' | 'schema' | 'discovery'>;
  readonly total: number;
  /** The number of households, where the release has them. */
  readonly homes: number | undefined;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly attributes: readonly {
    readonly name: string;
    readonly kind: string;
    readonly labels: readonly string[];
    readonly ofHome: boolean;
  }[];
}

export interface Opened {
  readonly note: ReleaseNote;
  readonly bundle: Bundle<AnyModel> & BoundsSource;
  readonly files: BundleFiles;
}

/** A table's place among those of a release. */
export type Role = 'private' | 'homes' | 'public' | 'publicHomes';

/** As many as the command line has unless told: sums over other numbers of threads differ in their last bits, and the two are to make the same release. */
export const threads = 2;

/** What the worker has on its table. */
export const work: {
  private?: TableBlob | undefined;
  /** The private households, where `private` holds their persons. */
  homes?: TableBlob | undefined;
  publics: readonly TableBlob[];
  publicHomes?: TableBlob | undefined;
  /** Of the private tables' bytes; known once somebody asks for their ledger. */
  marks?: { readonly of: readonly (TableBlob | undefined)[]; readonly marks: readonly TableMark[] } | undefined;
  /** The public tables as cells of the schema that they were last encoded by. */
  encoded?: { readonly key: string; readonly tables: readonly PublicTable[] } | undefined;
  opened?: Opened | undefined;
  database?: Promise<PageDatabase> | undefined;
} = { publics: [] };

export const database = (): Promise<PageDatabase> => {
  const forget = (): void => {
    work.database = undefined;
  };
  if (work.database === undefined) {
    work.database = openDatabase({ onLost: forget });
    work.database.catch(forget);
  }
  return work.database;
};

export const privateTables = (): ChosenTables => {
  if (work.private === undefined)
    throw new InputError('private table: must be chosen, got none; choose it on the first screen');
  return { table: work.private, households: work.homes };
};

/** The private tables, as ledgers know them. */
export const marksOf = async (chosen: ChosenTables, running: Running): Promise<readonly TableMark[]> => {
  const of = [chosen.table, chosen.households];
  if (work.marks === undefined || of.some((table, i) => table !== work.marks!.of[i]))
    work.marks = { of, marks: await tableMarks(chosen, running) };
  return work.marks.marks;
};

/** The public tables by a schema; they are read again where the schema has changed. */
export const publicsBy = async (
  schema: Schema,
  outside: Outside,
  running: Running,
): Promise<readonly PublicTable[]> => {
  const { publics, publicHomes } = work;
  const { attributes, twoLevel, constraints, table } = schema;
  const files = [...publics, publicHomes].map((file) => [file?.name, file?.blob.size]);
  const key = JSON.stringify([attributes, twoLevel, constraints, table, outside, files]);
  if (work.encoded?.key !== key) {
    const tables: PublicTable[] = [];
    for (const file of publics)
      tables.push(await readPublicBlob({ table: file, households: publicHomes }, schema, { ...running, outside }));
    work.encoded = { key, tables };
  }
  return work.encoded.tables;
};

export const opened = (): Opened => {
  if (work.opened === undefined) throw new InputError('release: must be opened, got none; make one, or open one');
  return work.opened;
};

/** Opens the files of a release, of rows or of households. */
export const open = (note: ReleaseNote, files: BundleFiles): ShownRelease => {
  const { schema: of } = readManifest(files['bundle.json']).manifest;
  const bundle: Bundle<AnyModel> = of.twoLevel === undefined ? openBundle(files) : openHouseholdBundle(files);
  work.opened = { note, bundle, files };
  const { manifest, model } = bundle;
  const { privacy, mechanism, software, public: prior, schema, discovery } = manifest;
  const shared = model.domain.households?.attributes ?? [];
  return {
    release: note.release,
    title: note.title,
    manifest: {
      privacy,
      mechanism: { name: mechanism.name, options: {}, notes: {} },
      software,
      public: prior,
      schema,
      discovery,
    },
    total: model.total,
    homes: 'householdTotal' in model ? model.householdTotal : undefined,
    files: Object.entries(files).map(([name, bytes]) => ({ name, bytes: bytes.length })),
    attributes: model.domain.attributes.map(({ name, spec, size }) => ({
      name,
      kind: spec.type,
      labels: spec.type === 'category' && size <= 500 ? spec.values : [],
      ofHome: shared.includes(name),
    })),
  };
};
