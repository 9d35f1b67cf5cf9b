import { InputError } from '../../src/domain/input-error.js';

/** What a page keeps between visits, in one database of IndexedDB: logs of bytes that only grow, and small notes. */
export interface PageDatabase {
  /** Does `work` in one transaction, which all tabs see whole or not at all; durable when it comes back. */
  change<T>(stores: readonly StoreName[], work: (get: (name: StoreName) => IDBObjectStore) => Promise<T>): Promise<T>;
  look<T>(store: StoreName, work: (store: IDBObjectStore) => Promise<T>): Promise<T>;
  close(): void;
}

/** Parts of logs by [log, offset]; their lengths by log; notes by their name; files of a release by [release, name]. */
export type StoreName = 'parts' | 'lengths' | 'notes' | 'files';

const stores: readonly StoreName[] = ['parts', 'lengths', 'notes', 'files'];

/** The answer of a request. */
export const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
    transaction.onerror = () => reject(transaction.error);
  });

const blocked = (): InputError =>
  new InputError(
    'this browser: must let the page keep its ledger, and it does not; allow this page to keep data, or use a window that is not private',
  );

const opened = async (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store);
  };
  return answerOf(request);
};

/** Opens the database, which is made at the first visit. `onLost` hears that somebody has cleared it: it is to be opened anew. */
export const openDatabase = async ({
  name = 'surmise-studio',
  onLost,
}: {
  readonly name?: string | undefined;
  readonly onLost?: (() => void) | undefined;
} = {}): Promise<PageDatabase> => {
  const database = await opened(name).catch(() => {
    throw blocked();
  });
  database.onclose = () => onLost?.();
  // Whoever clears the browser's data is not kept waiting.
  database.onversionchange = () => {
    database.close();
    onLost?.();
  };
  return {
    change: async (names, work) => {
      const transaction = database.transaction([...names], 'readwrite', { durability: 'strict' });
      const whole = ended(transaction);
      try {
        const result = await work((store) => transaction.objectStore(store));
        await whole;
        return result;
      } catch (error) {
        whole.catch(() => undefined);
        try {
          transaction.abort();
        } catch {
          // It has ended by itself.
        }
        throw error;
      }
    },
    look: (store, work) => work(database.transaction(store, 'readonly').objectStore(store)),
    close: () => database.close(),
  };
};
