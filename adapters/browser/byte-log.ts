import { InputError } from '../../src/domain/input-error.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import { answerOf, type PageDatabase } from './database.js';

/** Bytes that only grow, in IndexedDB: what is appended is one part, and durable when `append` comes back. */
export interface ByteLog {
  read(from: number): Promise<Uint8Array<ArrayBuffer>>;
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  remove(): Promise<void>;
}

const partsOf = (log: string): IDBKeyRange => IDBKeyRange.bound([log, 0], [log, Number.MAX_SAFE_INTEGER]);

/** Why bytes could not be kept, in a sentence. */
const unkept = (shown: string, error: unknown): InputError => {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return new InputError(
    `${shown}: must be kept by this browser, got ${isFull ? 'no more room' : 'a refusal'}; ${isFull ? 'free some space' : 'leave private mode, or allow this page to keep data'} and try again`,
  );
};

/** The log of a name. `shown` is how errors call it. */
export const byteLog = (database: PageDatabase, log: string, shown: string): ByteLog => ({
  read: async (from) => {
    const parts = await database.look('parts', async (store) =>
      answerOf(store.getAll(partsOf(log)) as IDBRequest<Uint8Array<ArrayBuffer>[]>),
    );
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length < from) throw new InputError(`${shown}: must only grow, got a shorter one; restore the latest copy`);
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all.slice(from);
  },
  append: (bytes) =>
    database
      .change(['parts', 'lengths'], async (get) => {
        const length = ((await answerOf(get('lengths').get(log))) as number | undefined) ?? 0;
        get('parts').put(bytes.slice(), [log, length]);
        get('lengths').put(length + bytes.length, log);
      })
      .catch((error: unknown) => {
        throw unkept(shown, error);
      }),
  remove: () =>
    database.change(['parts', 'lengths'], async (get) => {
      await answerOf(get('parts').delete(partsOf(log)));
      await answerOf(get('lengths').delete(log));
    }),
});

/**
 * The bytes of a ledger in a log. A transaction of IndexedDB puts an append between the others, whichever tab they come from, and asks the browser to write
 * it through: so `sync` has nothing left to do.
 */
export const logStore = (log: ByteLog, name: string): LedgerStore => ({
  name,
  read: log.read,
  append: async (bytes) => {
    await log.append(bytes);
    return { sync: async () => {}, close: async () => {} };
  },
});
