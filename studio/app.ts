import type { Progress, Running } from '../src/index.js';
import { lookAtColumns } from './acts/columns.js';
import { askLedger } from './acts/ledger.js';
import { look, openRelease } from './acts/opened.js';
import { planSoon } from './acts/plan.js';
import { heldByDemo } from './acts/tables.js';
import { type Calls, Refusal, Stopped } from './core/channel.js';
import type { StudioJobs } from './core/jobs.js';
import { type Draft, freshDraft, freshState, isOpen, type State, type Step } from './state.js';
import { type Language, languages, type Words } from './words.js';

/** The page's state, and how it is changed. What a person can do to it is in `acts/`. */
export interface App {
  readonly state: State;
  readonly words: Words;
  readonly core: Calls<StudioJobs>;
  set(change: Partial<State>): void;
  draft(change: Partial<Draft>): void;
  go(step: Step): void;
  /** Does something long: shows that it is under way, and says what went wrong. */
  busily<T>(what: string, work: (running: Running) => Promise<T>, canStop?: boolean): Promise<T | undefined>;
  speak(language: Language): void;
}

export const makeApp = (core: Calls<StudioJobs>, draw: (app: App) => void): App => {
  let state: State = freshState;
  let saving: ReturnType<typeof setTimeout> | undefined;
  const set: App['set'] = (change) => {
    state = { ...state, ...change };
    draw(app);
  };
  const keep = (): void => {
    clearTimeout(saving);
    saving = setTimeout(
      () =>
        void core.keepDraft({
          draft: { draft: state.draft, step: state.step, language: state.language, release: state.release?.release },
        }),
      250,
    );
  };
  const trouble = (error: unknown): void => {
    if (error instanceof Stopped) return;
    const isTheirs = error instanceof Refusal;
    if (!isTheirs) console.error(error);
    set({
      trouble: isTheirs
        ? error.message
        : `${app.words.ours} (${error instanceof Error ? error.message : String(error)})`,
    });
  };
  const app: App = {
    get state() {
      return state;
    },
    get words() {
      return languages[state.language];
    },
    core,
    set,
    draft: (change) => {
      set({ draft: { ...state.draft, ...change } });
      keep();
    },
    go: (step) => {
      if (!isOpen(state, step)) return;
      set({ step, trouble: undefined });
      if (location.hash !== `#${step}`) history.pushState(null, '', `#${step}`);
      keep();
      arrive(app, step);
      document.querySelector<HTMLElement>('h1')?.focus();
      scrollTo({ top: 0 });
    },
    busily: async (what, work, canStop = true) => {
      const controller = new AbortController();
      const busy = { what, progress: undefined, stop: canStop ? () => controller.abort() : undefined };
      set({ busy, trouble: undefined });
      try {
        return await work({
          signal: controller.signal,
          onProgress: (progress: Progress) => set({ busy: { ...busy, progress } }),
        });
      } catch (error) {
        trouble(error);
        return undefined;
      } finally {
        set({ busy: undefined });
      }
    },
    speak: (language) => {
      document.documentElement.lang = language;
      set({ language });
      keep();
    },
  };
  return app;
};

/** What a screen needs when it is come to. */
export const arrive = (app: App, step: Step): void => {
  if (step === 'tables') void refreshKept(app);
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
};
