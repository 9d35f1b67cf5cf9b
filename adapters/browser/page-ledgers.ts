import { InputError } from '../../src/domain/input-error.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms, type NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import { randomName } from '../../src/privacy/ledger/random-name.js';
import { sha256 } from '../../src/privacy/ledger/sha256.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import { type StoredLedger, storedLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { byteLog, logStore } from './byte-log.js';
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

/** The ledger of a table among those that there are: the one of the same bytes, or else the one of the same name. */
const among = (notes: readonly LedgerNote[], table: TableMark, seeds: boolean): LedgerNote | undefined => {
  const own = notes.filter((note) => note.seeds === seeds);
  return (
    own.find(({ salt, digest }) => digest === saltedDigest(salt, table.sha256)) ??
    own.find((note) => note.table === table.name)
  );
};

/** The ledgers that a page keeps in IndexedDB. Clearing the browser forgets them: `bytes` is for a copy in a file. */
export interface PageLedgers {
  notes(): Promise<readonly LedgerNote[]>;
  /** The ledger that a table has: the one of the same bytes, or else the one of the same name. */
  find(table: TableMark, seeds: boolean): Promise<LedgerNote | undefined>;
  make(table: TableMark, terms: NewLedger): Promise<LedgerNote>;
  /** Takes a ledger that was kept in a file; it must be sound. */
  take(table: TableMark, bytes: Uint8Array<ArrayBuffer>): Promise<LedgerNote>;
  open(note: LedgerNote): Promise<StoredLedger>;
  store(note: LedgerNote): LedgerStore;
  bytes(note: LedgerNote): Promise<Uint8Array<ArrayBuffer>>;
}

export const pageLedgers = (database: PageDatabase): PageLedgers => {
  const storeOf = (note: LedgerNote): LedgerStore => {
    const name = shownAs(note);
    return logStore(byteLog(database, `ledger/${note.id}`, `ledger ${name}`), name);
  };
  const notesIn = (store: IDBObjectStore): Promise<readonly LedgerNote[]> =>
    answerOf(store.getAll(IDBKeyRange.bound('ledger/', 'ledger/\uffff')) as IDBRequest<LedgerNote[]>);
  const notes = async (): Promise<readonly LedgerNote[]> => database.look('notes', notesIn);
  /** Refuses a second ledger for a table. */
  const keep = async (table: TableMark, seeds: boolean, bytes: Uint8Array<ArrayBuffer>): Promise<LedgerNote> => {
    const [id, salt] = [randomName(), randomName()];
    const note = { id, table: table.name, salt, digest: saltedDigest(salt, table.sha256), seeds };
    // The ledger and what leads to it appear together, in the transaction that sees that there is none yet: a table does not get a second one by an
    // interruption between the two, nor from another tab.
    await database.change(['parts', 'lengths', 'notes'], async (get) => {
      if (among(await notesIn(get('notes')), table, seeds) !== undefined)
        throw new InputError(`ledger ${shownAs(note)}: must not exist yet, got one`, { kind: 'set-once' });
      get('parts').put(bytes, [`ledger/${id}`, 0]);
      get('lengths').put(bytes.length, `ledger/${id}`);
      await answerOf(get('notes').put(note, `ledger/${id}`));
    });
    return note;
  };
  return {
    notes,
    find: async (table, seeds) => among(await notes(), table, seeds),
    make: async (table, terms) => {
      const made = ledgerTerms(terms);
      return keep(table, made.seeds, firstLine(made));
    },
    take: async (table, bytes) => {
      const { status, damage } = await inspectLedger(memoryStore(bytes));
      if (damage !== undefined)
        throw new InputError(`ledger: must be sound, got damage in line ${damage.line}: ${damage.why}`);
      return keep(table, status.seeds, bytes);
    },
    open: (note) => storedLedger(storeOf(note)),
    store: storeOf,
    bytes: (note) => storeOf(note).read(0),
  };
};
