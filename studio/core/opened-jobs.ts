import { bundleStore, keptReleases, pageLedgers, writeParquet } from '../../adapters/browser/index.js';
import { inspectLedger, readManifest } from '../../src/advanced.js';
import { answerSql, InputError, type Running, type SqlAnswer, verifyBundle } from '../../src/index.js';
import { lookedAt, lookedAtPair, type ShownPair, type ShownWay } from './look.js';
import { database, open, opened, type ShownRelease, work } from './work.js';
import { mostBytes, unzipped, zipped } from './zip.js';

/** What is done with a release that is there: all of it is public. */
export const openedJobs = {
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
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > mostBytes)
      throw new InputError(
        `release: its files must have at most ${mostBytes} bytes, got ${bytes}; choose the folder or the archive of one release`,
      );
    const isArchive = files.length === 1 && /\.zip$/i.test(files[0].name);
    const entries = isArchive
      ? await unzipped(files[0])
      : Object.fromEntries(
          await Promise.all(files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const)),
        );
    if (!Object.hasOwn(entries, 'bundle.json'))
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
    const ledger = own && (await inspectLedger(ledgers.store({ ...own, file: undefined })));
    const { faults, checks, unchecked } = await verifyBundle(bundleStore(files), ledger, { signal });
    return { faults, checks, unchecked, withLedger: ledger !== undefined };
  },
  look: async (_: object, { signal, onProgress }: Running): Promise<readonly ShownWay[]> => {
    const { bundle, note } = opened();
    const ways: ShownWay[] = [];
    for (const way of lookedAt(bundle, note.counts)) {
      ways.push(way);
      onProgress?.({ stage: 'look', done: ways.length, total: bundle.model.domain.attributes.length });
      await new Promise((resolve) => setTimeout(resolve));
      signal?.throwIfAborted();
    }
    return ways;
  },
  pair: async ({ names }: { names: readonly [string, string] }): Promise<ShownPair | undefined> =>
    lookedAtPair(opened().bundle, names),
  ask: async ({ sql }: { sql: string }): Promise<readonly SqlAnswer[]> => {
    const answers = answerSql(sql, opened().bundle);
    if (answers.length === 0) throw new InputError('query: needs a statement, got none; write one');
    return answers;
  },
  file: async ({ name }: { name: string }): Promise<Blob> =>
    new Blob([opened().files[name] as Uint8Array<ArrayBuffer>]),
  /** The synthetic rows of one table as Parquet. */
  parquet: async ({ name }: { name: string }): Promise<Blob> => {
    const { files, bundle } = opened();
    return new Blob([await writeParquet(files[name], bundle.manifest.schema)]);
  },
  archive: async ({ folder }: { folder: string }): Promise<Blob> => zipped(opened().files, folder),
} as const;
