import { eventYielder } from '../domain/turns.js';
import type { Engine } from '../kernel/engine.js';
import type { JobColumn } from '../kernel/job.js';
import type { Pool } from '../kernel/pool.js';
import { type CountTask, compileTask } from './count-tasks.js';

export interface CountRun {
  readonly tasks: readonly CountTask[];
  readonly engine: Engine;
  readonly pool: Pool;
  readonly columns: readonly JobColumn[];
  readonly rows: number;
  /** Address of the places of persons in their households, where households are counted. */
  readonly places?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Runs the tasks on all threads and hands each counted set over: its number, and where in memory its u32 counts are. */
export const runTasks = async (
  { tasks, engine, pool, columns, rows, places, signal }: CountRun,
  take: (set: number, words: Uint32Array, start: number) => void,
): Promise<void> => {
  const { arena } = engine;
  const mark = arena.mark();
  let next = 0;
  let failed = false;
  const yieldToEvents = eventYielder(signal);
  const lane = async (): Promise<void> => {
    // The tasks come largest first, so the memory of the first one serves the others.
    let address: number | undefined;
    while (!failed) {
      await yieldToEvents();
      // Others have gone on meanwhile.
      const task = tasks.at(next++);
      if (task === undefined) return;
      address ??= arena.allocate(task.bytes);
      const { count, sum } = compileTask(task, address, arena, columns, rows, places);
      if (count.length === 1) await pool.run([...count[0], ...sum]);
      else {
        await allDone(count.map((calls) => pool.run(calls)));
        await pool.run(sum);
      }
      const words = new Uint32Array(arena.memory.buffer);
      for (const { sums, offset } of task.pieces)
        for (const result of sums.results) take(result.wanted, words, (address + offset + result.offset) / 4);
    }
  };
  try {
    await allDone(
      Array.from({ length: lanesFor(tasks, pool.threads, arena.available) }, () =>
        lane().catch((error: unknown) => {
          failed = true;
          throw error;
        }),
      ),
    );
  } finally {
    // Nobody writes to the memory any more.
    arena.release(mark);
  }
};

/** Two lanes for each worker, so that one is counted while the other is copied out, if there is memory for them. */
const lanesFor = (tasks: readonly CountTask[], threads: number, available: number): number => {
  let lanes = threads === 1 ? 1 : Math.min(2 * threads, tasks.length);
  const need = () => tasks.slice(0, lanes).reduce((bytes, task) => bytes + task.bytes, 0);
  while (lanes > 1 && need() > available) lanes--;
  return lanes;
};

/** Waits for all of them, and then throws the first failure if there is one. */
export const allDone = async (promises: readonly Promise<unknown>[]): Promise<void> => {
  for (const end of await Promise.allSettled(promises)) if (end.status === 'rejected') throw end.reason;
};
