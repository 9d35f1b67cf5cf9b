import type { App } from '../app.js';
import type { StudioJobs } from '../core/jobs.js';
import { download } from '../parts/download.js';
import { freshState } from '../state.js';

export const openRelease = async (app: App, open: () => ReturnType<StudioJobs['openKept']>): Promise<boolean> => {
  const made = await app.busily(app.words.working, open, false);
  if (made === undefined) return false;
  app.set({
    release: made,
    ways: undefined,
    verdict: undefined,
    pair: undefined,
    pairNames: undefined,
    asking: { ...freshState.asking },
  });
  return true;
};

export const openFiles = async (app: App, files: readonly File[]): Promise<void> => {
  if (await openRelease(app, () => app.core.openFiles({ files }))) {
    app.go('look');
    await verify(app);
  }
};

export const verify = (app: App): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ verdict: await app.core.verify({}, running) }))
    .then(() => undefined);

export const look = (app: App): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ ways: await app.core.look({}, running) }), false)
    .then(() => undefined);

export const lookAtPair = async (app: App, names: readonly [string, string]): Promise<void> => {
  app.set({ pairNames: names, pair: undefined });
  await app.busily(
    app.words.working,
    async () => app.set({ pair: (await app.core.pair({ names })) ?? 'too large' }),
    false,
  );
};

export const ask = async (app: App, sql: string): Promise<void> => {
  const answers = await app.busily(app.words.working, () => app.core.ask({ sql }), false);
  if (answers !== undefined) app.set({ asking: { ...app.state.asking, sql, answers } });
};

export const save = (app: App, name: string, blob: () => Promise<Blob>): Promise<void> =>
  app.busily(app.words.working, async () => download(await blob(), name), false).then(() => undefined);
