import type { Progress } from '../../src/index.js';
import type { App } from '../app.js';
import { Stopped } from '../core/channel.js';
import { freshState, toldOf } from '../state.js';
import { askLedger } from './ledger.js';

/** How far a run has come, by the forecast of its stages. */
const partDone = (app: App, { stage, done, total, expected }: Progress): number | undefined => {
  const stages = app.state.plan?.stages ?? [];
  const at = stages.findIndex((one) => one.stage === stage);
  if (at < 0) return undefined;
  const all = stages.reduce((sum, { seconds }) => sum + seconds, 0);
  const before = stages.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0);
  const most = total ?? (expected === undefined ? undefined : Math.max(expected, done + 1));
  const own = most === undefined || most === 0 ? 0 : Math.min(1, done / most);
  return (before + own * stages[at].seconds) / all;
};

/** Makes the release, or goes on with one, and tells how long it will still take. */
export const release = async (app: App, resume = false): Promise<void> => {
  const controller = new AbortController();
  const begun = performance.now();
  const run = { progress: undefined, begun, left: app.state.plan?.seconds, part: 0, pause: () => controller.abort() };
  app.set({ run, trouble: undefined, isPaused: false });
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', warn);
  try {
    const made = await app.core.release(
      { told: toldOf(app.state.draft), resume, ledgerFile: app.state.ledgerFile },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          const now = app.state.run ?? run;
          const part = Math.max(now.part, partDone(app, progress) ?? now.part);
          const seconds = (performance.now() - begun) / 1000;
          const forecast = app.state.plan?.seconds;
          const left =
            forecast === undefined
              ? undefined
              : part < 0.05
                ? Math.max(0, forecast - seconds)
                : (seconds / part) * (1 - part);
          app.set({ run: { ...now, progress, part, left } });
        },
      },
    );
    app.set({
      release: made,
      ways: undefined,
      verdict: undefined,
      pair: undefined,
      pairNames: undefined,
      typed: '',
      ledgerFile: undefined,
      asking: { ...freshState.asking },
    });
    app.set({ run: undefined });
    app.go('look');
  } catch (error) {
    if (error instanceof Stopped) app.set({ isPaused: true });
    else app.set({ trouble: app.sentenceOf(error) });
  } finally {
    removeEventListener('beforeunload', warn);
    app.set({ run: undefined });
    await askLedger(app);
  }
};
