import { giveUpRelease, openPageJournal, pageLedgers } from '../../adapters/browser/index.js';
import { InputError, type Running } from '../../src/index.js';
import { type ShownLedger, shownLedger } from './shown-ledger.js';
import { database, marksOf, privateTables } from './work.js';

type Ledgers = ReturnType<typeof pageLedgers>;
type Note = Awaited<ReturnType<Ledgers['notes']>>[number];

const shownOf = async (ledgers: Ledgers, note: Note): Promise<ShownLedger> => {
  const { found } = await openPageJournal(await database(), note.id);
  return shownLedger(note, await (await ledgers.open(note)).status(), found !== undefined);
};

export const ledgerJobs = {
  /** The ledger that the private tables have in this browser. */
  ledger: async ({ seeds }: { seeds: boolean }, running: Running): Promise<ShownLedger | undefined> => {
    const ledgers = pageLedgers(await database());
    const note = await ledgers.find(await marksOf(privateTables(), running), seeds);
    return note && shownOf(ledgers, note);
  },
  /** Every ledger that this browser keeps. */
  ledgers: async (_: object): Promise<readonly ShownLedger[]> => {
    const ledgers = pageLedgers(await database());
    const shown: ShownLedger[] = [];
    for (const note of await ledgers.notes()) shown.push(await shownOf(ledgers, note));
    return shown;
  },
  ledgerFile: async ({ id }: { id: string }): Promise<Blob> => {
    const ledgers = pageLedgers(await database());
    const note = (await ledgers.notes()).find((one) => one.id === id);
    if (note === undefined) throw new InputError('ledger: must be kept in this browser, got none');
    return new Blob([await ledgers.bytes(note)], { type: 'application/jsonl' });
  },
  /** Takes in the copy of a ledger for the private tables. */
  takeLedger: async ({ file }: { file: File }, running: Running): Promise<ShownLedger> => {
    const ledgers = pageLedgers(await database());
    const bytes = new Uint8Array(await file.arrayBuffer());
    return shownOf(ledgers, await ledgers.take(await marksOf(privateTables(), running), bytes));
  },
  /** Gives an interrupted release up: what it spent stays spent, the rest goes back. */
  giveUp: async ({ seeds }: { seeds: boolean }, running: Running): Promise<ShownLedger | undefined> => {
    const ledgers = pageLedgers(await database());
    const note = await ledgers.find(await marksOf(privateTables(), running), seeds);
    if (note === undefined) return undefined;
    await giveUpRelease(await database(), note);
    return shownOf(ledgers, note);
  },
} as const;
