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

/** The browser's constructor of workers, as far as it is used here. */
type BrowserWorker = new (
  url: string,
) => {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: (event: { data: unknown }) => void;
  onerror: (event: { message: string }) => void;
};

/** Workers of the browser, or undefined where there are none or they could not share memory. */
export const browserSpawn = (): Spawn | undefined => {
  const { Worker, crossOriginIsolated } = globalThis as unknown as {
    Worker?: BrowserWorker | undefined;
    crossOriginIsolated?: boolean | undefined;
  };
  if (!Worker || crossOriginIsolated !== true) return undefined;
  return (text) => {
    const prelude =
      'const send = (message) => postMessage(message);' +
      'const listen = (listener) => { onmessage = (event) => listener(event.data); };';
    const url = URL.createObjectURL(new Blob([prelude, text], { type: 'text/javascript' }));
    const worker = new Worker(url);
    return {
      post: (message) => worker.postMessage(message),
      listen: (onMessage, onError) => {
        worker.onmessage = (event) => onMessage(event.data);
        worker.onerror = (event) => onError(new Error(event.message));
      },
      busy: () => {},
      terminate: () => {
        worker.terminate();
        URL.revokeObjectURL(url);
      },
    };
  };
};
