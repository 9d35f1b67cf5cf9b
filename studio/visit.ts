import { lookAtColumns } from './acts/columns.js';
import { askLedger } from './acts/ledger.js';
import { look, openRelease } from './acts/opened.js';
import { planSoon } from './acts/plan.js';
import { heldByDemo } from './acts/tables.js';
import type { App } from './app.js';
import { type Draft, freshDraft, isOpen, type Step } from './state.js';
import type { Language } from './words.js';

/** What a screen needs when it is come to. */
export const arrive = (app: App, step: Step): void => {
  if (step === 'tables') void refreshKept(app).catch((error: unknown) => app.set({ trouble: app.sentenceOf(error) }));
  if (step === 'columns') void lookAtColumns(app);
  if (step === 'budget') void planSoon(app, 0);
  if (step === 'release') {
    void askLedger(app);
    void planSoon(app, 0);
  }
  if (step === 'look' && app.state.ways === undefined && app.state.release !== undefined) void look(app);
};

const refreshKept = async (app: App): Promise<void> => {
  const [kept, ledgers] = await Promise.all([app.core.releases({}), app.core.ledgers({})]);
  app.set({ kept, ledgers });
};

/** Comes back to where the person was: what was said is kept, the demo's tables are made again, others are chosen again. */
export const restore = async (app: App): Promise<void> => {
  const kept = (await app.core.draft({})) as
    | { readonly draft?: Draft; readonly step?: Step; readonly language?: Language; readonly release?: string }
    | undefined;
  const language = kept?.language ?? (navigator.language.startsWith('de') ? 'de' : 'en');
  app.speak(language);
  app.set({ draft: { ...freshDraft, ...kept?.draft } });
  await refreshKept(app);
  const { demo } = app.state.draft;
  if (demo !== undefined)
    await app.busily(app.words.working, async (running) =>
      app.set({ has: heldByDemo(await app.core.demo(demo, running)) }),
    );
  if (kept?.release !== undefined && app.state.kept.some(({ release }) => release === kept.release))
    await openRelease(app, () => app.core.openKept({ release: kept.release! }));
  if (app.state.draft.columns.length > 0) await lookAtColumns(app);
  const wanted = (location.hash.slice(1) || kept?.step) as Step | undefined;
  if (wanted !== undefined && wanted !== 'tables' && isOpen(app.state, wanted)) app.go(wanted);
  else if (location.hash !== '') history.replaceState(null, '', '#tables');
};
