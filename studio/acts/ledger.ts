import type { App } from '../app.js';
import { hasAll, toldOf } from '../state.js';

/** Where the ledger of the private tables stands. */
export const askLedger = async (app: App): Promise<void> => {
  if (app.state.draft.private === undefined || !hasAll(app.state)) return;
  try {
    const { unsafeSeed } = toldOf(app.state.draft);
    app.set({ ledger: await app.core.ledger({ seeds: unsafeSeed !== undefined }) });
  } catch (error) {
    app.set({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

export const takeLedger = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ ledger: await app.core.takeLedger({ file }, running) }))
    .then(() => undefined);

/** Gives the interrupted release up. */
export const giveUp = async (app: App, seeds: boolean): Promise<void> => {
  const done = await app.busily(app.words.working, () => app.core.giveUp({ seeds }), false);
  app.set({ isPaused: false, ledger: done ?? app.state.ledger });
};
