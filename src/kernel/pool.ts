import type { Engine } from './engine.js';
import type { KernelCall, Kernels } from './kernels.js';
import type { Spawn, WorkerPort } from './spawn.js';
import { encodeCalls, workerText } from './worker-text.js';

/** Runs kernel calls, on workers over the engine's shared memory or on the calling thread. */
export interface Pool {
  /** Number of task lists that run at the same time. */
  readonly threads: number;
  /** Runs the calls in order on one thread; their results (0 where there is none). Lists run in no particular order. */
  run(calls: readonly KernelCall[]): Promise<number[]>;
  /** Ends the workers; calls under way reject. A later `run` rejects too. */
  close(): void;
}

/** An engine of all kernels or some; whoever makes calls knows which. */
type AnyEngine = Engine<Partial<Kernels>>;

interface Task {
  readonly resolve: (results: number[]) => void;
  readonly reject: (error: Error) => void;
}

const runHere = (kernels: Partial<Kernels>, calls: readonly KernelCall[]): number[] =>
  calls.map(([name, ...args]) => (kernels[name] as (...args: number[]) => number | undefined)(...args) ?? 0);

/** One thread: the caller's. */
const inlinePool = ({ kernels }: AnyEngine): Pool => {
  let open = true;
  let heard = Date.now();
  return {
    threads: 1,
    run: async (calls) => {
      if (!open) throw new Error('pool: is closed');
      const results = runHere(kernels, calls);
      // Lets events through now and then: a caller that awaits run after run would otherwise hear neither timer nor Ctrl-C.
      if (Date.now() - heard > 50) {
        await new Promise((resolve) => setTimeout(resolve));
        heard = Date.now();
      }
      return results;
    },
    close: () => {
      open = false;
    },
  };
};

/** A worker answers its lists in the order it received them. */
const startLane = (engine: AnyEngine, spawn: Spawn) => {
  const port: WorkerPort = spawn(workerText);
  const waiting: Task[] = [];
  let failure: Error | undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
    port.busy(false);
  };
  port.listen((message) => {
    const { results, error } = message as { results?: number[] | undefined; error?: string | undefined };
    const task = waiting.shift();
    if (waiting.length === 0) port.busy(false);
    if (results) task?.resolve(results);
    else task?.reject(new Error(`kernel worker: ${error}`));
  }, fail);
  port.post({ module: engine.module, memory: engine.memory });
  port.busy(false);
  return {
    load: () => waiting.length,
    run: (calls: readonly KernelCall[]) =>
      new Promise<number[]>((resolve, reject) => {
        if (failure) return reject(failure);
        waiting.push({ resolve, reject });
        port.busy(true);
        port.post(encodeCalls(calls));
      }),
    close: () => {
      fail(new Error('pool: is closed'));
      port.terminate();
    },
  };
};

/** A pool of `threads` workers, or the calling thread when there is one thread, no spawn, no shared memory, or workers are forbidden. */
export const createPool = (engine: AnyEngine, options: { threads: number; spawn?: Spawn | undefined }): Pool => {
  const { threads, spawn } = options;
  if (!spawn || !engine.shared || threads <= 1) return inlinePool(engine);
  const lanes: ReturnType<typeof startLane>[] = [];
  try {
    for (let i = 0; i < threads; i++) lanes.push(startLane(engine, spawn));
  } catch {
    for (const lane of lanes) lane.close();
    return inlinePool(engine);
  }
  return {
    threads,
    run: (calls) => lanes.reduce((least, lane) => (lane.load() < least.load() ? lane : least)).run(calls),
    close: () => {
      for (const lane of lanes) lane.close();
    },
  };
};
