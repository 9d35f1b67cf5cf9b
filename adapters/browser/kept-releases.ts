import type { BundleFiles } from '../../src/bundle/checked-files.js';
import { answerOf, type PageDatabase } from './database.js';

/** What a page says of a release that it keeps, beside the files. */
export interface ReleaseNote {
  /** The name of the release in its ledger. */
  readonly release: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly made: number;
  /** Public records of every cell of every attribute, to show the release beside them. */
  readonly counts?: readonly (readonly number[])[] | undefined;
  /** The ledger that it was paid from. */
  readonly ledger?: string | undefined;
}

/** Releases in IndexedDB: they are public, so a page may keep them until the person takes them away. */
export interface KeptReleases {
  notes(): Promise<readonly ReleaseNote[]>;
  put(note: ReleaseNote, files: BundleFiles): Promise<void>;
  files(release: string): Promise<BundleFiles>;
  remove(release: string): Promise<void>;
}

const within = (release: string): IDBKeyRange => IDBKeyRange.bound([release, ''], [release, '\uffff']);

export const keptReleases = (database: PageDatabase): KeptReleases => ({
  notes: async () => {
    const range = IDBKeyRange.bound('release/', 'release/\uffff');
    const notes = await database.look('notes', (store) => answerOf(store.getAll(range) as IDBRequest<ReleaseNote[]>));
    return notes.sort((one, other) => other.made - one.made);
  },
  put: (note, files) =>
    database.change(['notes', 'files'], async (get) => {
      for (const [name, bytes] of Object.entries(files)) get('files').put(bytes, [note.release, name]);
      await answerOf(get('notes').put(note, `release/${note.release}`));
    }),
  files: async (release) =>
    database.look('files', async (store) => {
      const [keys, values] = await Promise.all([
        answerOf(store.getAllKeys(within(release)) as unknown as IDBRequest<[string, string][]>),
        answerOf(store.getAll(within(release)) as IDBRequest<Uint8Array[]>),
      ]);
      return Object.fromEntries(keys.map(([, name], i) => [name, values[i]]));
    }),
  remove: (release) =>
    database.change(['notes', 'files'], async (get) => {
      get('notes').delete(`release/${release}`);
      await answerOf(get('files').delete(within(release)));
    }),
});
