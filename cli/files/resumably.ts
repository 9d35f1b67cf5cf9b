import type { Unfinished } from '../../adapters/index.js';
import { NothingFound } from '../../src/advanced.js';
import { InputError, type KeepJournal } from '../../src/index.js';
import type { Io } from '../command.js';
import { quoted } from '../text/quoted.js';

interface Resumable {
  /** The directory that will be made. */
  readonly out: string;
  readonly ledger: string;
  readonly resume: boolean;
  readonly discard: boolean;
  /** The command, as it was typed. */
  readonly words: readonly string[];
}

/** The command that goes on with an interrupted one. */
const toResume = (words: readonly string[]): string =>
  ['surmise', ...words.filter((word) => word !== '--discard' && word !== '--resume').map(quoted), '--resume'].join(' ');

/** What a release is given so that it can go on. */
interface Kept {
  readonly journal: KeepJournal;
  readonly onReserved: () => void;
}

/**
 * Makes a release that may be interrupted: what it pays for, from `open` on, is kept beside the directory until that is there. When it fails after
 * something was reserved in the ledger, the person is told how to go on.
 */
export const resumably = async <T>(
  { out, ledger, resume, discard, words }: Resumable,
  io: Io,
  make: (open: () => Promise<Kept>) => Promise<T>,
): Promise<T> => {
  const { discardUnfinished, openLedger, openUnfinished } = await import('../../adapters/index.js');
  if (resume && discard)
    throw new InputError(
      'options --resume and --discard: must not both be given; go on with what was interrupted, or give it up',
    );
  let opened: Unfinished | undefined;
  let spending = false;
  const open = async (): Promise<Kept> => {
    if (discard) await discardUnfinished(out, await openLedger(ledger));
    opened = await openUnfinished(out, { resume, how: toResume(words) });
    spending = opened.found !== undefined;
    return {
      journal: opened,
      onReserved: () => {
        spending = true;
      },
    };
  };
  try {
    const made = await make(open);
    await opened?.remove();
    return made;
  } catch (error) {
    if (spending && !(error instanceof NothingFound)) {
      await opened?.close();
      const how = opened?.found?.header.how ?? opened?.how;
      io.err(`surmise: what was paid for is kept in ${out}.unfinished; go on with:\n  ${how}\n`);
    } else await opened?.remove();
    throw error;
  }
};
