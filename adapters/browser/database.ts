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

/** Opens the database, which is made at the first visit. */
export const openDatabase = async (name = 'surmise-studio'): Promise<PageDatabase> => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store);
  };
  const database = await answerOf(request);
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
