import {
  type ChosenFile,
  giveUpRelease,
  mayWrite,
  openPageJournal,
  pageLedgers,
} from '../../adapters/browser/index.js';
import { type BudgetRequest, InputError, type LedgerStatus, type Running } from '../../src/index.js';
import { leftOfNew, type ShownLedger, shownLedger } from './shown-ledger.js';
import { budgetAsked, type Told } from './told.js';
import { sentenceOfAny } from './words.js';
import { database, marksOf, privateTables } from './work.js';

type Ledgers = ReturnType<typeof pageLedgers>;
type Note = Awaited<ReturnType<Ledgers['notes']>>[number];

const shownOf = async (ledgers: Ledgers, note: Note, asked?: BudgetRequest): Promise<ShownLedger> => {
  const { found } = await openPageJournal(await database(), note.id);
  const { id, table, file: handle } = note;
  const isOpen = handle === undefined || (await mayWrite(handle));
  let trouble: string | undefined;
  const read = async (): Promise<LedgerStatus> => {
    // Until the person lets the page at the file again, what this browser knows of it is shown.
    if (!isOpen) return (await ledgers.known(note)).status();
    try {
      return await (await ledgers.open(note)).status();
    } catch (error) {
      trouble = handle && sentenceOfAny(error);
      if (trouble === undefined) throw error;
      return (await ledgers.known(note)).status();
    }
  };
  const status = await read();
  const file = handle && { handle, name: handle.name, isOpen, trouble };
  return shownLedger({ id, table, file }, status, found !== undefined, asked);
};

export const ledgerJobs = {
  /** The ledger that the private tables have in this browser. */
  ledger: async ({ told }: { told: Told }, running: Running): Promise<ShownLedger | undefined> => {
    const ledgers = pageLedgers(await database());
    const note = await ledgers.find(await marksOf(privateTables(), running), told.unsafeSeed !== undefined);
    return note && shownOf(ledgers, note, budgetAsked(told));
  },
  /** What the release would leave of what is allowed in all, where it begins the ledger. */
  leftOfNew: async ({ told }: { told: Told }): Promise<ShownLedger['left']> =>
    leftOfNew(budgetAsked({ ...told, epsilon: told.allowance ?? told.epsilon }), budgetAsked(told)),
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
