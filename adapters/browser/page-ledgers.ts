import { InputError } from '../../src/domain/input-error.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms, type NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import { randomName } from '../../src/privacy/ledger/random-name.js';
import { sha256 } from '../../src/privacy/ledger/sha256.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import { type StoredLedger, storedLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { type ByteLog, byteLog, logStore } from './byte-log.js';
import { type ChosenFile, fileStore, isEmpty } from './chosen-file.js';
import { answerOf, type PageDatabase } from './database.js';

/** Which ledger a private table has in this browser. What it says of the table stays in the browser. */
export interface LedgerNote {
  readonly id: string;
  /** What the table was called when the ledger was made. */
  readonly table: string;
  /** A digest of the salt and the table's SHA-256: the same bytes are known again under another name, and nobody without the salt can try a guess. */
  readonly salt: string;
  readonly digest: string;
  /** Whether it is for noise from a seed. */
  readonly seeds: boolean;
  /** The other tables that it is the ledger of: those of the households, where the first one has their persons. */
  readonly others?: readonly { readonly table: string; readonly digest: string }[] | undefined;
  /** The file that the person chose for it, where there is one: it is kept there too. */
  readonly file?: ChosenFile | undefined;
}

/** A private table, as ledgers know it. */
export interface TableMark {
  readonly name: string;
  /** Of its bytes; it goes nowhere. */
  readonly sha256: string;
}

const text = new TextEncoder();
const saltedDigest = (salt: string, own: string): string => sha256(text.encode(`${salt}\n${own}`));
const shownAs = ({ table, seeds }: Pick<LedgerNote, 'table' | 'seeds'>): string =>
  `of ${table} in this browser${seeds ? ', for tests' : ''}`;

/** Whether a ledger is that of a table: of the same bytes, or else of the same name. */
const isOfBytes = ({ salt, digest, others = [] }: LedgerNote, { sha256: own }: Pick<TableMark, 'sha256'>): boolean =>
  [digest, ...others.map((other) => other.digest)].includes(saltedDigest(salt, own));
const isOfName = ({ table, others = [] }: LedgerNote, { name }: TableMark): boolean =>
  [table, ...others.map((other) => other.table)].includes(name);

/** The ledger of a table among those that there are: the one of the same bytes, or else the one of the same name. */
const ofOne = (notes: readonly LedgerNote[], table: TableMark): LedgerNote | undefined =>
  notes.find((note) => isOfBytes(note, table)) ?? notes.find((note) => isOfName(note, table));

/** The same of tables that are released together, which have one ledger: two are refused. */
const among = (notes: readonly LedgerNote[], tables: readonly TableMark[], seeds: boolean): LedgerNote | undefined => {
  const own = notes.filter((note) => note.seeds === seeds);
  const found = [...new Set(tables.flatMap((table) => ofOne(own, table) ?? []))];
  if (found.length > 1)
    throw new InputError(
      `ledger: tables that are released together must have one, got those of ${found.map(({ table }) => table).join(' and ')}; release them as they were released before`,
    );
  return found[0];
};

/** The tables beside the first, as a ledger knows them. */
const othersOf = (salt: string, [, ...others]: readonly TableMark[]): LedgerNote['others'] =>
  others.map(({ name, sha256: own }) => ({ table: name, digest: saltedDigest(salt, own) }));

/** The ledgers that a page keeps in IndexedDB. Clearing the browser forgets them: `bytes` is for a copy in a file. */
export interface PageLedgers {
  notes(): Promise<readonly LedgerNote[]>;
  /** The ledger that a table has, or several have that are released together: the one of the same bytes, or else the one of the same name. */
  find(tables: readonly TableMark[], seeds: boolean): Promise<LedgerNote | undefined>;
  /** Whether a table of these bytes has a ledger here, other than for tests: it is private then, whatever else is said of it. */
  knows(sha256: string): Promise<boolean>;
  /** Begins a ledger; where a file is told, an empty one, it is kept there too from the beginning. */
  make(tables: readonly TableMark[], terms: NewLedger, file?: ChosenFile): Promise<LedgerNote>;
  /** Makes sure that each of the tables leads to the ledger. */
  bind(note: LedgerNote, tables: readonly TableMark[]): Promise<LedgerNote>;
  /** Takes a ledger that was kept in a file; it must be sound. */
  take(tables: readonly TableMark[], bytes: Uint8Array<ArrayBuffer>): Promise<LedgerNote>;
  /** Keeps the ledger in a file as well from now on: an empty one, or one that goes on from what is known of it. */
  attach(note: LedgerNote, file: ChosenFile): Promise<LedgerNote>;
  open(note: LedgerNote): Promise<StoredLedger>;
  /** What this browser knows of a ledger, whatever its file says: to be shown, never to be spent from. */
  known(note: LedgerNote): Promise<StoredLedger>;
  store(note: LedgerNote): LedgerStore;
  bytes(note: LedgerNote): Promise<Uint8Array<ArrayBuffer>>;
}

export const pageLedgers = (database: PageDatabase): PageLedgers => {
  const logOf = (note: LedgerNote): ByteLog => byteLog(database, `ledger/${note.id}`, `ledger ${shownAs(note)}`);
  /** Changes a note as it is now, in one transaction: what another tab has written there stays. */
  const changeNote = ({ id }: LedgerNote, change: (note: LedgerNote) => LedgerNote): Promise<LedgerNote> =>
    database.change(['notes'], async (get) => {
      const now = await answerOf(get('notes').get(`ledger/${id}`) as IDBRequest<LedgerNote>);
      const changed = change(now);
      await answerOf(get('notes').put(changed, `ledger/${id}`));
      return changed;
    });
  const storeOf = (note: LedgerNote): LedgerStore => {
    const name = shownAs(note);
    const log = logOf(note);
    return note.file === undefined ? logStore(log, name) : fileStore(log, note.file, name);
  };
  const notesIn = (store: IDBObjectStore): Promise<readonly LedgerNote[]> =>
    answerOf(store.getAll(IDBKeyRange.bound('ledger/', 'ledger/\uffff')) as IDBRequest<LedgerNote[]>);
  const notes = async (): Promise<readonly LedgerNote[]> => database.look('notes', notesIn);
  /** Refuses a second ledger for a table. */
  const keep = async (
    tables: readonly TableMark[],
    seeds: boolean,
    bytes: Uint8Array<ArrayBuffer>,
    file?: ChosenFile,
  ): Promise<LedgerNote> => {
    const [id, salt] = [randomName(), randomName()];
    const [{ name, sha256: own }] = tables;
    const others = othersOf(salt, tables);
    const note = { id, table: name, salt, digest: saltedDigest(salt, own), seeds, others, ...(file && { file }) };
    // The ledger and what leads to it appear together, in the transaction that sees that there is none yet: a table does not get a second one by an
    // interruption between the two, nor from another tab.
    await database.change(['parts', 'lengths', 'notes'], async (get) => {
      if (among(await notesIn(get('notes')), tables, seeds) !== undefined)
        throw new InputError(`ledger ${shownAs(note)}: must not exist yet, got one`, { kind: 'set-once' });
      get('parts').put(bytes, [`ledger/${id}`, 0]);
      get('lengths').put(bytes.length, `ledger/${id}`);
      await answerOf(get('notes').put(note, `ledger/${id}`));
    });
    return note;
  };
  return {
    notes,
    find: async (tables, seeds) => among(await notes(), tables, seeds),
    knows: async (own) => (await notes()).some((note) => !note.seeds && isOfBytes(note, { sha256: own })),
    make: async (tables, terms, file) => {
      const made = ledgerTerms(terms);
      if (file !== undefined && !(await isEmpty(file)))
        throw new InputError(
          `${file.name}: must be empty for a ledger to begin in it, got a file with something in it; choose a new one, or take it in as the ledger that the table has`,
        );
      // Whoever finds the ledger finds its file with it: no tab ever spends from it without.
      const note = await keep(tables, made.seeds, firstLine(made), file);
      if (file !== undefined) await storeOf(note).read(0);
      return note;
    },
    bind: async (note, tables) => {
      const unknownTo = (own: LedgerNote) => tables.filter((table) => !isOfBytes(own, table) && !isOfName(own, table));
      if (unknownTo(note).length === 0) return note;
      return changeNote(note, (now) => {
        const unknown = unknownTo(now);
        return { ...now, others: [...(now.others ?? []), ...othersOf(now.salt, [unknown[0], ...unknown])!] };
      });
    },
    attach: async (note, file) => {
      await storeOf({ ...note, file }).read(0);
      return changeNote(note, (now) => ({ ...now, file }));
    },
    take: async (tables, bytes) => {
      const { status, damage } = await inspectLedger(memoryStore(bytes));
      if (damage !== undefined)
        throw new InputError(`ledger: must be sound, got damage in line ${damage.line}: ${damage.why}`);
      return keep(tables, status.seeds, bytes);
    },
    open: (note) => storedLedger(storeOf(note)),
    known: (note) => storedLedger(logStore(logOf(note), shownAs(note))),
    store: storeOf,
    bytes: (note) => storeOf(note).read(0),
  };
};
