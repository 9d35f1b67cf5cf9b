import {
  type ChosenFile,
  giveUpRelease,
  mayWrite,
  openPageJournal,
  pageLedgers,
} from '../../adapters/browser/index.js';
import { InputError, type Running } from '../../src/index.js';
import { type ShownLedger, shownLedger } from './shown-ledger.js';
import { database, marksOf, privateTables } from './work.js';

type Ledgers = ReturnType<typeof pageLedgers>;
type Note = Awaited<ReturnType<Ledgers['notes']>>[number];

const shownOf = async (ledgers: Ledgers, note: Note): Promise<ShownLedger> => {
  const { found } = await openPageJournal(await database(), note.id);
  const { id, table, file: handle } = note;
  const isOpen = handle === undefined || (await mayWrite(handle));
  const file = handle && { handle, name: handle.name, isOpen };
  // Until the person lets the page at the file again, what this browser knows of it is shown.
  const ledger = await (isOpen ? ledgers.open(note) : ledgers.known(note));
  return shownLedger({ id, table, file }, await ledger.status(), found !== undefined);
};

export const ledgerJobs = {
  /** The ledger that the private tables have in this browser. */
  ledger: async ({ seeds }: { seeds: boolean }, running: Running): Promise<ShownLedger | undefined> => {
    const ledgers = pageLedgers(await database());
    const note = await ledgers.find(await marksOf(privateTables(), running), seeds);
    return note && shownOf(ledgers, note);
  },
  /** Every ledger that this browser keeps, by what it knows of it. */
  ledgers: async (_: object): Promise<readonly ShownLedger[]> => {
    const ledgers = pageLedgers(await database());
    const shown: ShownLedger[] = [];
    for (const { file, ...note } of await ledgers.notes()) shown.push(await shownOf(ledgers, note));
    return shown;
  },
  ledgerFile: async ({ id }: { id: string }): Promise<Blob> => {
    const ledgers = pageLedgers(await database());
    const note = (await ledgers.notes()).find((one) => one.id === id);
    if (note === undefined) throw new InputError('ledger: must be kept in this browser, got none');
    return new Blob([await ledgers.bytes({ ...note, file: undefined })], { type: 'application/jsonl' });
  },
  /** Takes in the copy of a ledger for the private tables; where it is a file that may be written to, it is kept there from now on. */
  takeLedger: async (
    { file, handle }: { file: File; handle?: ChosenFile | undefined },
    running: Running,
  ): Promise<ShownLedger> => {
    const ledgers = pageLedgers(await database());
    const bytes = new Uint8Array(await file.arrayBuffer());
    const note = await ledgers.take(await marksOf(privateTables(), running), bytes);
    return shownOf(ledgers, handle === undefined ? note : await ledgers.attach(note, handle));
  },
  /** Keeps the ledger of the private tables in a file from now on. */
  keepInFile: async ({ id, handle }: { id: string; handle: ChosenFile }): Promise<ShownLedger> => {
    const ledgers = pageLedgers(await database());
    const note = (await ledgers.notes()).find((one) => one.id === id);
    if (note === undefined) throw new InputError('ledger: must be kept in this browser, got none');
    return shownOf(ledgers, await ledgers.attach(note, handle));
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
