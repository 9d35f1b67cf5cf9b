import type { Progress, Running } from '../../src/index.js';

/** Long work by name: what the worker does and the page asks for. Arguments and answers are cloned on their way. */
// biome-ignore lint/suspicious/noExplicitAny: each record says which arguments its jobs take.
export type Jobs = Readonly<Record<string, (args: any, running: Running) => Promise<unknown>>>;

/** The same seen from the page. */
export type Calls<J extends Jobs> = {
  readonly [Name in keyof J]: (
    args: Parameters<J[Name]>[0],
    running?: Running,
  ) => Promise<Awaited<ReturnType<J[Name]>>>;
};

interface Request {
  readonly id: number;
  readonly name: string;
  readonly args: unknown;
}
type Asked = Request | { readonly id: number; readonly abort: true };
type Told =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly text: string; readonly isInput: boolean } };

/** What a worker and its owner have in common. */
interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  /** Of a worker that could not be started, or died. */
  addEventListener(type: 'error', listener: () => void): void;
}

/** Something the person can put right: the sentence is for them. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** A failure of the worker: its message is the kind of the error there. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Stopped because the person said so. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Milliseconds between two reports of one job: a page draws no more often. */
const between = 60;

/** Carries out jobs for whoever is at the other end. `sentence` puts what a person can put right into words; undefined for anything else. */
export const serve = (jobs: Jobs, port: Port, sentence: (error: unknown) => string | undefined): void => {
  const running = new Map<number, AbortController>();
  const tell = (message: Told): void => port.postMessage(message);
  const run = async ({ id, name, args }: Request): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    let drawn = 0;
    let stage = '';
    const onProgress = (progress: Progress): void => {
      const now = performance.now();
      if (progress.stage === stage && now - drawn < between && progress.done !== progress.total) return;
      drawn = now;
      stage = progress.stage;
      tell({ id, progress });
    };
    try {
      tell({ id, answer: await jobs[name](args, { onProgress, signal: controller.signal }) });
    } catch (error) {
      const told = sentence(error);
      // The message of an unexpected error may hold a value of a private table: its kind alone goes out.
      const kind = error instanceof Error || error instanceof DOMException ? error.name : typeof error;
      tell({ id, error: { text: told ?? kind, isInput: told !== undefined } });
    } finally {
      running.delete(id);
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
    if ('abort' in data) running.get(data.id)?.abort();
    else void run(data);
  });
};

interface Waiting {
  readonly running: Running;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The jobs at the other end as functions that one awaits. */
export const connect = <J extends Jobs>(port: Port): Calls<J> => {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isStarted = false;
  let isDead = false;
  // What waits would wait for ever; a worker that has never said anything never will.
  port.addEventListener('error', () => {
    isDead = !isStarted;
    for (const { reject } of waiting.values()) reject(new Failure('Error'));
    waiting.clear();
  });
  port.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    isStarted = true;
    const one = waiting.get(data.id);
    if (one === undefined) return;
    if ('progress' in data) return one.running.onProgress?.(data.progress);
    waiting.delete(data.id);
    if ('answer' in data) one.resolve(data.answer);
    else if (one.running.signal?.aborted) one.reject(new Stopped('stopped'));
    else one.reject(data.error.isInput ? new Refusal(data.error.text) : new Failure(data.error.text));
  });
  const call =
    (name: string) =>
    (args: unknown, running: Running = {}) =>
      new Promise((resolve, reject) => {
        if (isDead) return reject(new Failure('Error'));
        const id = ++last;
        waiting.set(id, { running, resolve, reject });
        running.signal?.addEventListener('abort', () => port.postMessage({ id, abort: true }), { once: true });
        port.postMessage({ id, name, args });
      });
  return new Proxy({} as Calls<J>, { get: (_, name) => call(String(name)) });
};
