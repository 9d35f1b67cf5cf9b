import { expect, it } from 'vitest';
import { createEngine } from '../kernel/engine.js';
import type { Pool } from '../kernel/pool.js';
import { runTasks } from './run-tasks.js';

it('lanes that wait for events at the same time do not run out of tasks', async () => {
  let ran = 0;
  // Long enough that every lane lets events through before it takes its next task.
  const pool: Pool = {
    threads: 2,
    run: async () => {
      ran++;
      await new Promise((resolve) => setTimeout(resolve, 60));
      return [];
    },
    close: () => {},
  };
  const tasks = Array.from({ length: 5 }, () => ({ pieces: [], bytes: 16, parts: 1 }));
  const engine = await createEngine();
  await runTasks({ tasks, engine, pool, columns: [], rows: 0, signal: undefined }, () => {});
  expect(ran).toBe(tasks.length);
});
