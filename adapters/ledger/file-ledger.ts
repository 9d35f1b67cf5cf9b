import { constants } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import { firstLine, ledgerTerms, type NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import { type StoredLedger, storedLedger } from '../../src/privacy/ledger/stored-ledger.js';

/** The operations of an open file that a ledger needs; `FileHandle` of node:fs/promises has them. */
export interface LedgerFile {
  stat(): Promise<{ readonly dev: number; readonly ino: number; readonly size: number; isFile(): boolean }>;
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  write(buffer: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system as a ledger sees it, so that tests can break it at every step. */
export interface LedgerFiles {
  open(path: string, flags: number): Promise<LedgerFile>;
  link(existing: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

const nodeFiles: LedgerFiles = { open, link, unlink };

const code = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? 'unknown error';

/** Runs `work` with the file open, and closes it whatever happens. */
const using = async <T>(file: LedgerFile, work: (file: LedgerFile) => Promise<T>): Promise<T> => {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
};

/** The bytes of a ledger file. The file is opened for every operation, by its path: a moved or replaced one is noticed. */
export const fileStore = (file: string, files: LedgerFiles = nodeFiles): LedgerStore => {
  let identity: string | undefined;

  const opened = async (flags: number): Promise<LedgerFile> => {
    let handle: LedgerFile;
    try {
      handle = await files.open(file, flags);
    } catch (error) {
      if (code(error) === 'ENOENT')
        throw new InputError(`ledger ${file}: must exist, got no such file`, { kind: 'make-ledger' });
      if (code(error) === 'EISDIR') throw new InputError(`ledger ${file}: must be a file, got a directory`);
      throw new InputError(`ledger ${file}: must be open to you, got ${code(error)}; change its permissions`);
    }
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new InputError(`ledger ${file}: must be a plain file, got something else`);
      identity ??= `${stat.dev}:${stat.ino}`;
      if (identity !== `${stat.dev}:${stat.ino}`)
        throw new InputError(
          `ledger ${file}: must stay in its place while in use, got another file there; start again`,
        );
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  };

  return {
    name: file,
    read: async (from) =>
      using(await opened(constants.O_RDONLY), async (handle) => {
        const { size } = await handle.stat();
        if (size < from)
          throw new InputError(`ledger ${file}: must only grow, got a shorter one; restore the latest copy`);
        const bytes = new Uint8Array(size - from);
        let length = 0;
        while (length < bytes.length) {
          const { bytesRead } = await handle.read(bytes, length, bytes.length - length, from + length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        return bytes.subarray(0, length);
      }),
    append: async (bytes) => {
      const handle = await opened(constants.O_WRONLY | constants.O_APPEND);
      try {
        // One system call: under O_APPEND the kernel lets no other write in between. The rest of a short write must not
        // follow later, since another record may stand there by then; what is left behind is a torn line.
        const { bytesWritten } = await handle.write(bytes);
        if (bytesWritten < bytes.length) throw Object.assign(new Error('short write'), { code: 'short write' });
        return {
          sync: async () => {
            try {
              await handle.sync();
            } catch (error) {
              throw new InputError(
                `ledger ${file}: must reach the disk, got ${code(error)}; nothing was read, and what was asked may count as spent`,
              );
            }
          },
          close: () => handle.close(),
        };
      } catch (error) {
        await handle.close();
        throw new InputError(
          `ledger ${file}: must be writable, got ${code(error)}; this step was not recorded; free some space and try again`,
        );
      }
    },
  };
};

/** Makes names in the directory durable. Windows has no such operation, and needs none. */
const syncDirectory = async (directory: string, files: LedgerFiles): Promise<void> => {
  if (process.platform === 'win32') return;
  await using(await files.open(directory, constants.O_RDONLY), (handle) => handle.sync());
};

/**
 * Makes the ledger of a private dataset with its total budget, once: refuses when the file exists (`raise` raises the total). The file
 * appears whole or not at all.
 */
export const createFileLedger = async (
  file: string,
  { files = nodeFiles, ...terms }: NewLedger & { readonly files?: LedgerFiles | undefined },
): Promise<StoredLedger> => {
  const made = ledgerTerms(terms);
  const line = firstLine(made);
  const directory = path.dirname(file);
  const draft = path.join(directory, `.${path.basename(file)}.${globalThis.crypto.randomUUID()}.tmp`);
  try {
    const handle = await files.open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
    await using(handle, async () => {
      const { bytesWritten } = await handle.write(line);
      if (bytesWritten < line.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      await handle.sync();
    });
    await files.link(draft, file);
  } catch (error) {
    if (code(error) === 'EEXIST')
      throw new InputError(`ledger ${file}: must not exist yet, got a file there`, { kind: 'set-once' });
    throw new InputError(
      `ledger ${file}: must be on a local disk with room and hard links, got ${code(error)}; choose another place`,
    );
  } finally {
    await files.unlink(draft).catch(() => undefined);
  }
  await syncDirectory(directory, files);
  return storedLedger(fileStore(file, files), { dataset: made.dataset });
};

/**
 * Opens a ledger; given `dataset`, that of another one is refused. With a `budget`, makes the ledger first if there is
 * none; an existing ledger keeps the terms it was made with (compare `ledger.budget`).
 */
export const fileLedger = async (
  file: string,
  { dataset, budget, files = nodeFiles, ...terms }: Partial<NewLedger> & { readonly files?: LedgerFiles | undefined },
): Promise<StoredLedger> => {
  if (budget !== undefined && !(await exists(file, files))) {
    try {
      return await createFileLedger(file, { ...terms, dataset, budget, files });
    } catch (error) {
      // Another process may have made it in the meantime; then that one counts.
      if (!(await exists(file, files))) throw error;
    }
  }
  return storedLedger(fileStore(file, files), { dataset });
};

const exists = async (file: string, files: LedgerFiles): Promise<boolean> => {
  try {
    await (await files.open(file, constants.O_RDONLY)).close();
    return true;
  } catch (error) {
    return code(error) !== 'ENOENT';
  }
};
