import { InputError } from '../../domain/input-error.js';
import { inTurn } from '../in-turn.js';
import { type Chain, follow } from './chain.js';
import { type RecordBody, stampRecord } from './record/stamp-record.js';
import type { LedgerStore } from './store.js';

/** Tries before giving up on a ledger that others write all the time: minutes, not seconds. */
const mostTries = 2000;

/** A random wait, up to twice as long after each lost race and at most 64 ms: writers spread out. */
const pause = (tries: number): Promise<void> => {
  const [word] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  return new Promise((resolve) => setTimeout(resolve, (word / 2 ** 32) * Math.min(64, 2 ** tries)));
};

export interface ChainWriter {
  /** Looks at the chain as it stands now. */
  read<T>(look: (chain: Chain) => T): Promise<T>;
  /** Appends `body` as an accepted, durable record and gives its number; `check` throws when the rules forbid it. */
  append(body: RecordBody, check: (chain: Chain) => void): Promise<number>;
}

/**
 * Reads and extends a chain that others extend too. There are no locks. A writer reads to the tip h, checks the rules there, appends one record
 * that points to h, and reads again: the first record in file order that points to h is the next one of the chain, and
 * every other one is void. Whoever lost starts over from the new tip; whoever won makes the record durable before it is
 * acted upon. So each accepted record was checked against exactly the records before it, and the budget cannot be
 * overspent; a writer that dies at any point leaves a whole record (which counts) or a torn one (which does not).
 */
export const chainWriter = (store: LedgerStore, chain: Chain): ChainWriter => {
  // Work on one object goes one after the other, so that `chain` has one writer.
  const turn = inTurn();
  const catchUp = async (): Promise<void> => follow(chain, await store.read(chain.tipStart));

  /** The number of the record, or undefined when another writer was first. */
  const tryAppend = async (body: RecordBody, check: (chain: Chain) => void): Promise<number | undefined> => {
    await catchUp();
    check(chain);
    const seq = chain.seq + 1;
    const { line, hash } = stampRecord(body, seq, chain.tip);
    // The newline comes first: it ends whatever a writer that died may have left unfinished.
    const written = new Uint8Array(line.length + 1);
    written[0] = 0x0a;
    written.set(line, 1);
    const appended = await store.append(written);
    try {
      await catchUp();
      if (!chain.hashes.has(hash)) return undefined;
      await appended.sync();
      return seq;
    } finally {
      await appended.close();
    }
  };

  return {
    read: (look) =>
      turn(async () => {
        await catchUp();
        return look(chain);
      }),
    append: (body, check) =>
      turn(async () => {
        for (let tries = 0; tries < mostTries; tries++) {
          const seq = await tryAppend(body, check);
          if (seq !== undefined) return seq;
          await pause(tries);
        }
        throw new InputError(`ledger ${store.name}: must have a quiet moment, got too many writers; try again later`);
      }),
  };
};
