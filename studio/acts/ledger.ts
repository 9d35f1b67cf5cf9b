import type { ChosenFile } from '../../adapters/browser/index.js';
import type { App } from '../app.js';
import { hasAll, toldOf } from '../state.js';

/** Where the ledger of the private tables stands. */
export const askLedger = async (app: App): Promise<void> => {
  if (app.state.draft.private === undefined || !hasAll(app.state)) return;
  try {
    const told = toldOf(app.state.draft);
    const ledger = await app.core.ledger({ told });
    app.set({ ledger, leftOfNew: ledger === undefined ? await app.core.leftOfNew({ told }) : undefined });
  } catch (error) {
    app.set({ trouble: app.sentenceOf(error) });
  }
};

export const takeLedger = (app: App, file: File, handle?: ChosenFile): Promise<void> =>
  app
    .busily(app.words.working, async (running) => void (await app.core.takeLedger({ file, handle }, running)))
    .then(() => askLedger(app));

/** What browsers with the File System Access API have, and others do not. */
interface Pickers {
  showSaveFilePicker?(options: object): Promise<ChosenFile>;
  showOpenFilePicker?(options: object): Promise<readonly ChosenFile[]>;
}
const pickers = globalThis as Pickers;

/** Whether a ledger can be kept in a file that the person chooses. */
export const canChooseFile = (): boolean => pickers.showSaveFilePicker !== undefined;

const types = [{ description: 'JSON lines', accept: { 'application/jsonl': ['.jsonl'] } }];

/** Whoever closes the browser's own window without a choice has chosen nothing. */
const picked = async <T>(pick: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await pick();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
};

/** Says how much is allowed in all, where the table has no ledger yet. */
export const allow = async (app: App, allowance: string): Promise<void> => {
  app.draft({ allowance });
  await askLedger(app);
};

/** Chooses a new file for the ledger: of the table now, or when the release begins one. */
export const chooseLedgerFile = async (app: App): Promise<void> => {
  const { ledger, draft } = app.state;
  const suggestedName = `${draft.private?.name ?? 'table'}.ledger.jsonl`;
  const handle = await picked(() => pickers.showSaveFilePicker!({ suggestedName, types }));
  if (handle === undefined) return;
  if (ledger === undefined) return app.set({ ledgerFile: handle });
  const kept = await app.busily(app.words.working, () => app.core.keepInFile({ id: ledger.id, handle }));
  // What went wrong stays to be read.
  if (kept !== undefined) await askLedger(app);
};

/** Takes the ledger that the table has in a file, and keeps it there. */
export const openLedgerFile = async (app: App): Promise<void> => {
  const chosen = await picked(() => pickers.showOpenFilePicker!({ types }));
  if (chosen === undefined) return;
  const [handle] = chosen;
  if (await allowed(handle)) await takeLedger(app, await handle.getFile(), handle);
};

const allowed = async (handle: ChosenFile): Promise<boolean> =>
  handle.requestPermission === undefined || (await handle.requestPermission({ mode: 'readwrite' })) === 'granted';

/** Lets the page at the ledger's file again, after a reload. */
export const allowLedgerFile = async (app: App, handle: ChosenFile): Promise<void> => {
  if (await allowed(handle)) await askLedger(app);
};

/** Gives the interrupted release up. */
export const giveUp = async (app: App, seeds: boolean): Promise<void> => {
  await app.busily(app.words.working, () => app.core.giveUp({ seeds }), false);
  app.set({ isPaused: false });
  await askLedger(app);
};
