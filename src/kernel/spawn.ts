/** A running worker, seen from its owner. */
export interface WorkerPort {
  post(message: unknown): void;
  /** Hears every message of the worker, or the error it died of. */
  listen(onMessage: (message: unknown) => void, onError: (error: Error) => void): void;
  /** While busy, the worker keeps the process alive; while idle, it does not. */
  busy(busy: boolean): void;
  terminate(): void;
}

/**
 * Starts a worker from program text, putting before it the platform's `send(message)` and `listen(listener)`. Node's is
 * in adapters/node-workers.ts.
 */
export type Spawn = (text: string) => WorkerPort;

/** The browser's workers, as far as they are used here. */
interface BrowserWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: (event: { data: unknown }) => void;
  onerror: (event: { message: string }) => void;
}

/**
 * Workers that were started and not ended. Whoever awaits an answer is often held by nothing but the worker that will give it; Firefox collects
 * such a worker together with those who wait for it, in the middle of its work, and they wait for ever.
 */
const started = new Set<BrowserWorker>();

/**
 * Whether this is a worker of Firefox, whose own workers cannot be relied on: a worker that starts some at times stands still from then on (seen in 153; what it waits for was not found), and
 * nothing that waits in the same thread can put an end to that.
 */
const isNestedInGecko = (): boolean => {
  const { WorkerGlobalScope, navigator } = globalThis as unknown as {
    WorkerGlobalScope?: unknown;
    navigator?: { readonly userAgent?: string | undefined } | undefined;
  };
  return WorkerGlobalScope !== undefined && /\bGecko\/\d/.test(navigator?.userAgent ?? '');
};

/** Workers of the browser, or undefined where there are none, they could not share memory, or starting them is not safe. */
export const browserSpawn = (): Spawn | undefined => {
  const { Worker, crossOriginIsolated } = globalThis as unknown as {
    Worker?: (new (url: string) => BrowserWorker) | undefined;
    crossOriginIsolated?: boolean | undefined;
  };
  if (!Worker || crossOriginIsolated !== true || isNestedInGecko()) return undefined;
  return (text) => {
    const prelude =
      'const send = (message) => postMessage(message);' +
      'const listen = (listener) => { onmessage = (event) => listener(event.data); };';
    const url = URL.createObjectURL(new Blob([prelude, text], { type: 'text/javascript' }));
    const worker = new Worker(url);
    started.add(worker);
    return {
      post: (message) => worker.postMessage(message),
      listen: (onMessage, onError) => {
        worker.onmessage = (event) => onMessage(event.data);
        worker.onerror = (event) => onError(new Error(event.message));
      },
      busy: () => {},
      terminate: () => {
        worker.terminate();
        started.delete(worker);
        URL.revokeObjectURL(url);
      },
    };
  };
};
