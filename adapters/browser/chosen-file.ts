import { InputError } from '../../src/domain/input-error.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import type { ByteLog } from './byte-log.js';

/** A file that a person chose in a page, which may be written to: what browsers with the File System Access API give. */
export interface ChosenFile extends FileSystemFileHandle {
  queryPermission?(of: { readonly mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission?(of: { readonly mode: 'readwrite' }): Promise<PermissionState>;
}

/** Whether a page may write to the file now: after a reload the person is asked again. */
export const mayWrite = async (file: ChosenFile): Promise<boolean> =>
  file.queryPermission === undefined || (await file.queryPermission({ mode: 'readwrite' })) === 'granted';

/** Whether there is nothing in a file; one that is not there any more is empty too, and says so when it is written to. */
export const isEmpty = async (file: ChosenFile): Promise<boolean> => {
  try {
    return (await file.getFile()).size === 0;
  } catch (error) {
    if (error instanceof DOMException) return true;
    throw error;
  }
};

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  start.length <= bytes.length && start.every((byte, i) => byte === bytes[i]);

const refused = (name: string, error: unknown): unknown => {
  const kind = error instanceof DOMException ? error.name : '';
  if (kind === 'NotAllowedError' || kind === 'SecurityError')
    return new InputError(
      `ledger ${name}: this page must be allowed to write to it, and is not; allow it, and try again`,
    );
  if (kind === 'NotFoundError' || kind === 'NotReadableError')
    return new InputError(
      `ledger ${name}: its file must be where it was chosen, and it is gone; put it back, or choose another file for it`,
    );
  if (kind === 'NoModificationAllowedError' || kind === 'InvalidStateError')
    return new InputError(`ledger ${name}: its file is being written by another program; wait for it, and try again`);
  if (kind === 'QuotaExceededError')
    return new InputError(`ledger ${name}: must be kept in its file, got no more room; free some space and try again`);
  return error;
};

/**
 * The bytes of a ledger in a file that the person chose, and in this browser too: neither forgetting alone loses what was spent. All tabs take turns by a Web
 * Lock, within which the two are brought to the same bytes: the one that is a beginning of the other is made as long. So records that another program has
 * appended are taken in, and a file that was put back to an old copy, or that lost its last write, gets what it lacks. Two histories are refused.
 * An append is in the browser, durably, before it is in the file, and is told as done when it is in both.
 */
export const fileStore = (log: ByteLog, file: ChosenFile, name: string): LedgerStore => {
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    navigator.locks.request(`surmise/ledger-file/${name}`, work) as Promise<T>;
  const fileBytes = async (): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await (await file.getFile()).arrayBuffer());
  /** What is written takes the place of the file in one step; whoever appended meanwhile is not written over. */
  const write = async (bytes: Uint8Array<ArrayBuffer>, before: number): Promise<void> => {
    const writable = await file.createWritable({ keepExistingData: false });
    try {
      await writable.write(bytes);
      if ((await file.getFile()).size !== before)
        throw new InputError(`ledger ${name}: another program has written to its file meanwhile; try again`);
    } catch (error) {
      await writable.abort().catch(() => undefined);
      throw error;
    }
    await writable.close();
  };
  const agree = async (): Promise<void> => {
    const [kept, written] = [await log.read(0), await fileBytes()];
    if (kept.length === written.length && startsWith(kept, written)) return;
    if (startsWith(written, kept)) await log.append(written.slice(kept.length));
    else if (startsWith(kept, written)) await write(kept, written.length);
    else
      throw new InputError(
        `ledger ${name}: its file must go on from what this browser knows of it, got another history; put back the file that belongs to this table`,
      );
  };
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await inTurn(work);
    } catch (error) {
      throw refused(name, error);
    }
  };
  return {
    name,
    read: (from) =>
      told(async () => {
        await agree();
        return log.read(from);
      }),
    append: (bytes) =>
      told(async () => {
        await agree();
        await log.append(bytes);
        await agree();
        return { sync: async () => {}, close: async () => {} };
      }),
  };
};
