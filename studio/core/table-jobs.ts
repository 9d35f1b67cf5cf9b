import {
  checkPrivate,
  checkPublic,
  columnNames,
  learnBlob,
  learnHouseholdBlobs,
  pageLedgers,
  privateNames,
  type TableBlob,
  tableBlob,
} from '../../adapters/browser/index.js';
import { demoCsv, demoHomesCsv, demoHomesSchema, parseDraft } from '../../src/advanced.js';
import {
  type Draft,
  InputError,
  type LearnedSchema,
  type Outside,
  type Running,
  type Schema,
} from '../../src/index.js';
import { guessedColumns, type ShownColumns, shownColumns } from './columns.js';
import { database, publicsBy, type Role, type ShownTable, work } from './work.js';

/** The year that everybody may see, and the year that is to be protected. */
const demoYears = { public: 2018, private: 2023 } as const;

/** The tables of the fictional country in a year, as a person would have them. */
const demoTables = (
  role: keyof typeof demoYears,
  { rows, seed, homes }: Demo,
): { table: TableBlob; homes?: TableBlob } => {
  const year = demoYears[role];
  const persons: string[] = [];
  if (!homes) {
    for (const { text } of demoCsv({ rows, seed, year })) persons.push(text);
    return { table: tableBlob(`${role}-${year}.csv`, new Blob(persons)) };
  }
  const households: string[] = [];
  for (const part of demoHomesCsv({ rows, seed, year })) {
    persons.push(part.persons);
    households.push(part.households);
  }
  return {
    table: tableBlob(`${role}-persons-${year}.csv`, new Blob(persons)),
    homes: tableBlob(`${role}-households-${year}.csv`, new Blob(households)),
  };
};

/** Which demo: of persons, or of households and their persons. */
export interface Demo {
  readonly rows: number;
  readonly seed: number;
  readonly homes: boolean;
}

/** What the page shows of the tables of a demo. */
export interface ShownDemo {
  readonly private: ShownTable;
  readonly homes: ShownTable | undefined;
  readonly public: ShownTable;
  readonly publicHomes: ShownTable | undefined;
  readonly learned: LearnedSchema;
}

/** Of a private table, its name and the names of its columns. */
const shownPrivate = ({ name }: TableBlob, names: readonly string[]): ShownTable => ({
  name,
  names,
  bytes: undefined,
  rows: undefined,
});

const shownPublic = ({ name, blob }: TableBlob, names: readonly string[], rows?: number): ShownTable => ({
  name,
  names,
  bytes: blob.size,
  rows,
});

const rowsOf = ({ schema: { origin } }: LearnedSchema): number | undefined =>
  origin.kind === 'public-table' ? origin.rows : undefined;

/** A file that is said to be public, once it is known not to be one of the private tables. */
const publicTable = async (file: File, running: Running) => {
  const table = tableBlob(file.name, file);
  const chosen = [work.private, work.homes].filter((own) => own !== undefined);
  return { table, digest: await checkPublic(table, { chosen, ledgers: pageLedgers(await database()) }, running) };
};

/** Learns the columns from the public tables, which take their places where that can be done. */
const learn = async (
  table: TableBlob,
  homes: TableBlob | undefined,
  {
    key,
    maxSize,
    exclude,
    digest,
  }: {
    key?: string | undefined;
    maxSize?: number | undefined;
    exclude?: readonly string[];
    digest?: Awaited<ReturnType<typeof checkPublic>>;
  },
  running: Running,
): Promise<LearnedSchema> => {
  const learned =
    homes === undefined || key === undefined
      ? await learnBlob(table, { ...running, exclude, digest })
      : await learnHouseholdBlobs(table, homes, { ...running, key, maxSize: maxSize ?? 6, exclude });
  work.publics = [table, ...work.publics.filter(({ name }) => name !== table.name)];
  work.publicHomes = homes;
  work.encoded = undefined;
  return learned;
};

export const tableJobs = {
  /** Puts the tables of the fictional country on the table. */
  demo: async (demo: Demo, running: Running): Promise<ShownDemo> => {
    const [hidden, open] = [demoTables('private', demo), demoTables('public', demo)];
    work.private = hidden.table;
    work.homes = hidden.homes;
    work.publics = [];
    const learned =
      open.homes === undefined
        ? await learn(open.table, undefined, { exclude: ['household_id', 'person_id'] }, running)
        : { schema: demoHomesSchema, notes: [] };
    work.publics = [open.table];
    work.publicHomes = open.homes;
    return {
      private: shownPrivate(hidden.table, await columnNames(hidden.table)),
      homes: hidden.homes && shownPrivate(hidden.homes, await columnNames(hidden.homes)),
      public: shownPublic(open.table, await columnNames(open.table), rowsOf(learned)),
      publicHomes: open.homes && shownPublic(open.homes, await columnNames(open.homes)),
      learned,
    };
  },
  /** Takes a private table: only its header is read, unless a public table has its size. */
  choosePrivate: async (
    { file, role }: { file: File; role: 'private' | 'homes' },
    running: Running,
  ): Promise<ShownTable> => {
    const table = tableBlob(file.name, file);
    const { publics, publicHomes } = work;
    await checkPrivate(table, publicHomes === undefined ? publics : [...publics, publicHomes], running);
    const names = await privateNames(table);
    work[role] = table;
    return shownPrivate(table, names);
  },
  /** Takes a public table and learns the columns from it; from a further one nothing is learned. */
  choosePublic: async (
    { file, more }: { file: File; more: boolean },
    running: Running,
  ): Promise<{ table: ShownTable; learned: LearnedSchema | undefined }> => {
    const { table, digest } = await publicTable(file, running);
    if (!more) {
      const learned = await learn(table, undefined, { digest }, running);
      return { table: shownPublic(table, await columnNames(table), rowsOf(learned)), learned };
    }
    if (work.publics.some(({ name }) => name === table.name))
      throw new InputError(
        `public tables: must have names of their own, got ${JSON.stringify(table.name)} twice; rename one`,
      );
    const names = await columnNames(table);
    work.publics = [...work.publics, table];
    work.encoded = undefined;
    return { table: shownPublic(table, names), learned: undefined };
  },
  /** The names of a public table's columns. */
  namesOf: async ({ file }: { file: File }): Promise<readonly string[]> => columnNames(tableBlob(file.name, file)),
  /** Takes the public table of the households, and learns the columns from both. */
  choosePublicHomes: async (
    { file, key, maxSize }: { file: File; key: string; maxSize: number },
    running: Running,
  ): Promise<{ table: ShownTable; learned: LearnedSchema }> => {
    const { table } = await publicTable(file, running);
    const learned = await learn(work.publics[0], table, { key, maxSize }, running);
    return { table: shownPublic(table, await columnNames(table)), learned };
  },
  dropTable: async ({ role, name }: { role: Role; name: string }): Promise<void> => {
    if (role === 'public') work.publics = work.publics.filter((table) => table.name !== name);
    else work[role] = undefined;
    if (role === 'private') work.homes = undefined;
    if (role === 'public' && work.publics.length === 0) work.publicHomes = undefined;
    work.encoded = undefined;
  },
  guess: async ({ names }: { names: readonly string[] }) => guessedColumns(names),
  /** Reads a schema file, whole or with things that are to be asked for. */
  readSchema: async ({ text }: { text: string }): Promise<Schema | Draft> => {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new InputError('schema: must be JSON, and it is not; choose a schema file of Surmise');
    }
    return parseDraft(json);
  },
  /** Looks at a declaration, and encodes the public tables by it where it is sound. */
  columns: async (
    { schema, outside, asks }: { schema: Schema; outside: Outside; asks: boolean },
    running: Running,
  ): Promise<ShownColumns> => {
    // Where all is asked for there is nothing to look at.
    if (asks && schema.attributes.length === 0) return { columns: [], problems: [] };
    const shown = shownColumns(schema, outside, undefined);
    const isSound = shown.problems.length === 0 && shown.columns.every(({ problem }) => problem === undefined);
    if (!isSound || work.publics.length === 0 || asks) return shown;
    try {
      const [first] = await publicsBy(schema, 'declared', running);
      return shownColumns(schema, outside, first.table);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { ...shown, problems: [error.message] };
    }
  },
} as const;
