import { Worker } from 'node:worker_threads';
import { carryOut, type FitFound, type FitJob, type Fitters, type OpenFitters } from '../src/flow/fit-elsewhere.js';

/** What a fitter answers: what it found, or nothing where it could not. */
export interface FitAnswer {
  readonly found?: FitFound | undefined;
}

/** A fit that waits for a thread, and who hears of it. */
interface Waiting {
  readonly job: FitJob;
  /** Hears what was found; nothing where it could not be: whoever asked does it then, and hears why it cannot be done. */
  answer(found?: FitFound): void;
}

/** Starts a thread that carries out one fit after the other, as `next` gives them; `ended` hears when it has died. */
const startFitter = (next: () => Waiting | undefined, ended: () => void) => {
  const worker = new Worker(new URL('./fit-worker.js', import.meta.url), { execArgv: [] });
  let now: Waiting | undefined;
  let open = true;
  const take = (): void => {
    if (!open || now !== undefined) return;
    now = next();
    // While it fits it keeps the process alive.
    if (now === undefined) worker.unref();
    else {
      worker.ref();
      worker.postMessage(now.job);
    }
  };
  const end = (): void => {
    if (!open) return;
    open = false;
    void worker.terminate();
    now?.answer();
    ended();
  };
  worker.on('message', ({ found }: FitAnswer) => {
    const asked = now;
    now = undefined;
    asked?.answer(found);
    take();
  });
  worker.on('error', end);
  worker.on('exit', end);
  worker.unref();
  return { take, end };
};

/** Threads of Node that fit graphical models, for the `fitters` option of releases. */
export const nodeFitters: OpenFitters = (count): Fitters => {
  const queue: Waiting[] = [];
  let left = count;
  const fitters = Array.from({ length: count }, () =>
    startFitter(
      () => queue.shift(),
      () => {
        left--;
        if (left === 0) for (const { answer } of queue.splice(0)) answer();
      },
    ),
  );
  const close = (): void => {
    for (const fitter of fitters) fitter.end();
  };
  const ask = (job: FitJob): Promise<FitFound | undefined> =>
    new Promise((answer) => {
      if (left === 0) return answer(undefined);
      queue.push({ job, answer });
      for (const fitter of fitters) fitter.take();
    });
  return {
    fit: async (job, { signal }) => {
      signal?.throwIfAborted();
      // A fit does not hear of signals: the threads end with it.
      signal?.addEventListener('abort', close, { once: true });
      try {
        const found = await ask(job);
        signal?.throwIfAborted();
        return found ?? (await carryOut(job, { signal }));
      } finally {
        signal?.removeEventListener('abort', close);
      }
    },
    close,
  };
};
