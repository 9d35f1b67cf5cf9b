import type { SqlAnswer } from '../../src/index.js';
import type { App } from '../app.js';
import { Refusal } from '../core/channel.js';
import type { StudioJobs } from '../core/jobs.js';
import { download } from '../parts/download.js';
import { type Asking, freshState } from '../state.js';

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

/** Where a statement was found wrong, as refusals of SQL say it first. */
const placeOf = (error: unknown): Asking['fault'] => {
  const place = error instanceof Refusal ? /^SQL (\d+):(\d+): /.exec(error.message) : null;
  return place === null ? undefined : { line: Number(place[1]), column: Number(place[2]) };
};

export const ask = async (app: App, sql: string): Promise<void> => {
  const asking = async (): Promise<readonly SqlAnswer[]> => {
    try {
      return await app.core.ask({ sql });
    } catch (error) {
      app.set({ asking: { ...app.state.asking, sql, fault: placeOf(error) } });
      throw error;
    }
  };
  const answers = await app.busily(app.words.working, asking, false);
  if (answers !== undefined) app.set({ asking: { ...app.state.asking, sql, answers, fault: undefined } });
};

export const save = (app: App, name: string, blob: () => Promise<Blob>): Promise<void> =>
  app.busily(app.words.working, async () => download(await blob(), name), false).then(() => undefined);
