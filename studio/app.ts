import type { Progress, Running } from '../src/index.js';
import { type Calls, Failure, Refusal, Stopped } from './core/channel.js';
import type { StudioJobs } from './core/jobs.js';
import { type Draft, freshState, isOpen, type State, type Step } from './state.js';
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
  /** What went wrong, in a sentence: what the person can put right, or that the studio failed, and by what kind of error. */
  sentenceOf(error: unknown): string;
}

/** The step that the address says. */
export const stepInAddress = (): string => location.hash.slice(1) || 'tables';

/** On a phone the steps are wider than the page: puts the one where one is in the middle. */
export const showStep = (): void => {
  const current = document.querySelector('.step[aria-current]');
  const list = current?.closest('nav');
  if (!current || !list) return;
  const [own, all] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += own.left + own.width / 2 - (all.left + all.width / 2);
};

/** `draw` shows the state after each change; `arrive` does what a screen needs when it is come to. */
export const makeApp = (
  core: Calls<StudioJobs>,
  draw: (app: App) => void,
  arrive: (app: App, step: Step) => void,
): App => {
  let state: State = freshState;
  let saving: ReturnType<typeof setTimeout> | undefined;
  const set: App['set'] = (change) => {
    state = { ...state, ...change };
    draw(app);
  };
  const keep = (delay = 250): void => {
    clearTimeout(saving);
    saving = setTimeout(
      () =>
        void core
          .keepDraft({
            draft: { draft: state.draft, step: state.step, language: state.language, release: state.release?.release },
          })
          .catch(trouble),
      delay,
    );
  };
  const trouble = (error: unknown): void => {
    if (error instanceof Stopped) return;
    set({ trouble: app.sentenceOf(error) });
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
    sentenceOf: (error) =>
      error instanceof Refusal
        ? error.message
        : app.words.ours(error instanceof Failure ? error.message : error instanceof Error ? error.name : typeof error),
    draft: (change) => {
      set({ draft: { ...state.draft, ...change } });
      keep();
    },
    go: (step) => {
      if (!isOpen(state, step)) return;
      set({ step, trouble: undefined });
      if (stepInAddress() !== step) history.pushState(null, '', `#${step}`);
      // What was said on the last screen is not to be lost with the page.
      keep(0);
      arrive(app, step);
      document.querySelector<HTMLElement>('h1')?.focus();
      scrollTo({ top: 0 });
      requestAnimationFrame(showStep);
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
