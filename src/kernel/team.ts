import type { Engine } from './engine.js';
import type { KernelCall, KernelName, Kernels } from './kernels.js';
import type { Spawn, WorkerPort } from './spawn.js';
import { board, callDoubles, looks, mostCalls, teamText } from './team-text.js';

/**
 * The calling thread and workers that share calls through the engine's memory: a turn takes microseconds where messages of a `Pool` take a
 * tenth of a millisecond. Whoever is free takes the next call, the calling thread too, so that a worker which the system
 * keeps waiting, or that has not started yet, holds nobody up.
 */
export interface Team {
  /** Threads that work at the same time, the caller's included. */
  readonly threads: number;
  /** Carries all calls out, in no particular order; their results (0 where there is none). Returns when all are done. */
  share(calls: readonly KernelCall[]): number[];
  /** Ends the workers. Later calls are carried out by the caller. */
  close(): void;
}

/** Milliseconds that a call of a worker may take. */
const longest = 120_000;

const runHere = (kernels: Kernels, [name, ...args]: KernelCall): number =>
  (kernels[name] as (...args: number[]) => number | undefined)(...args) ?? 0;

/** The caller alone. */
const alone = ({ kernels }: Engine): Team => ({
  threads: 1,
  share: (calls) => calls.map((call) => runHere(kernels, call)),
  close: () => {},
});

/** Starts a worker, which hears when it has died. It never keeps the process alive: whoever shares calls waits for them within one turn. */
const hire = (spawn: Spawn, onDeath: () => void): WorkerPort => {
  const port = spawn(teamText);
  port.listen(() => {}, onDeath);
  port.busy(false);
  return port;
};

/** Whether this thread may sleep until memory changes: the main thread of a page may not, and looks all the time instead. */
const maySleep = (): boolean => {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
};

/** A team of `threads`, or the caller alone when there is one thread, no spawn, no shared memory, or workers are forbidden. */
export const createTeam = (engine: Engine, options: { threads: number; spawn?: Spawn | undefined }): Team => {
  const { spawn } = options;
  const threads = Math.min(options.threads, 16);
  if (!spawn || !engine.shared || threads <= 1) return alone(engine);
  const { kernels, arena, memory, module } = engine;
  const [address, calls] = [arena.allocate(4 * board.words), arena.allocate(8 * mostCalls * callDoubles)];
  const words = new Int32Array(memory.buffer, address, board.words).fill(0);
  const slots = new Float64Array(memory.buffer, calls, mostCalls * callDoubles);
  const names = Object.keys(kernels).filter(
    (name) => typeof kernels[name as KernelName] === 'function',
  ) as KernelName[];
  const places = new Map(names.map((name, place) => [name, place]));
  let open = true;
  let broken = false;
  const workers: WorkerPort[] = [];
  // A worker that stayed would keep the memory: it ends with its team.
  const close = (): void => {
    open = false;
    for (const port of workers) port.terminate();
  };
  try {
    for (let i = 1; i < threads; i++) {
      const port = hire(spawn, () => {
        broken = true;
      });
      workers.push(port);
      port.post({ module, memory, address, calls, names });
    }
  } catch {
    close();
    return alone(engine);
  }
  const sleeps = maySleep();

  const share = (list: readonly KernelCall[]): number[] => {
    if (!open || broken || list.length < 2 || list.length > mostCalls || Atomics.load(words, board.ready) === 0)
      return list.map((call) => runHere(kernels, call));
    list.forEach(([name, ...args], k) => {
      slots[k * callDoubles] = places.get(name)!;
      slots[k * callDoubles + 1] = args.length;
      slots.set(args, k * callDoubles + 2);
    });
    Atomics.store(words, board.done, 0);
    const turn = (Atomics.load(words, board.claim) >> 8) + 1;
    Atomics.store(words, board.claim, ((turn & 0x3fffff) << 8) | list.length);
    Atomics.notify(words, board.claim);
    for (;;) {
      const claim = Atomics.load(words, board.claim);
      if ((claim & 255) === 0) break;
      if (Atomics.compareExchange(words, board.claim, claim, claim - 1) !== claim) continue;
      const k = (claim & 255) - 1;
      slots[(k + 1) * callDoubles - 1] = runHere(kernels, list[k]);
      Atomics.add(words, board.done, 1);
    }
    for (let looked = 0; ; looked++) {
      const done = Atomics.load(words, board.done);
      if (done === list.length) break;
      if (!sleeps || looked < looks) continue;
      // A call takes milliseconds; a worker that died in the middle of one would be waited for in vain.
      if (Atomics.wait(words, board.done, done, longest) === 'timed-out')
        throw new Error('kernel worker: did not finish a call');
    }
    if (Atomics.load(words, board.failed) > 0) throw new Error('kernel worker: a call failed');
    return list.map((_, k) => slots[(k + 1) * callDoubles - 1]);
  };
  return { threads, share, close };
};
