import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../adapters/node-workers.js';
import { createEngine } from './engine.js';
import { createPool } from './pool.js';

const total = async (threads: number, spawn = nodeWorkers) => {
  const engine = await createEngine({ shared: true });
  const pool = createPool(engine, { threads, spawn });
  const x = engine.arena.f64(100_000);
  for (let i = 0; i < x.length; i++) x.view[i] = i;
  const parts = await Promise.all(
    Array.from({ length: 10 }, (_, part) => pool.run([['sum', x.address + part * 80_000, 10_000]])),
  );
  pool.close();
  return { threads: pool.threads, total: parts.flat().reduce((a, b) => a + b, 0) };
};

describe('pool', () => {
  it('gives the same results on one thread and on several', async () => {
    expect(await total(1)).toEqual({ threads: 1, total: 4_999_950_000 });
    expect(await total(3)).toEqual({ threads: 3, total: 4_999_950_000 });
  });

  it('lets workers see memory that grew after they started', async () => {
    const engine = await createEngine({ shared: true });
    const pool = createPool(engine, { threads: 2, spawn: nodeWorkers });
    await pool.run([]);
    const x = engine.arena.f64(1_000_000);
    x.view.fill(2);
    expect(
      await pool.run([
        ['scale', x.address, 0.25, x.length],
        ['sum', x.address, x.length],
      ]),
    ).toEqual([0, 500_000]);
    expect(x.view[999_999]).toBe(0.5);
    pool.close();
  });

  it('falls back to the calling thread without shared memory, without spawn, and when workers are forbidden', async () => {
    const forbidden = () => {
      throw new Error('blocked by policy');
    };
    expect(await total(2, forbidden)).toEqual({ threads: 1, total: 4_999_950_000 });
    expect(createPool(await createEngine(), { threads: 2, spawn: nodeWorkers }).threads).toBe(1);
    expect(createPool(await createEngine({ shared: true }), { threads: 2 }).threads).toBe(1);
  });

  it('rejects after it was closed, and rejects what was under way', async () => {
    const engine = await createEngine({ shared: true });
    for (const threads of [1, 2]) {
      const pool = createPool(engine, { threads, spawn: nodeWorkers });
      if (threads === 2) {
        const waiting = pool.run([['sum', 0, 10]]);
        pool.close();
        await expect(waiting).rejects.toThrow('pool: is closed');
      }
      pool.close();
      await expect(pool.run([])).rejects.toThrow('pool: is closed');
    }
  });

  it('hands a trap in a kernel to the caller and goes on', async () => {
    const engine = await createEngine({ shared: true });
    const pool = createPool(engine, { threads: 2, spawn: nodeWorkers });
    await expect(pool.run([['sum', 0x70000000, 10]])).rejects.toThrow(/kernel worker: .*out of bounds/);
    expect(await pool.run([['sum', 0, 0]])).toEqual([0]);
    pool.close();
  });

  it.runIf(existsSync('dist/src/kernel/pool.js') && existsSync('dist/adapters/node-workers.js'))(
    'lets the process end while workers are idle, and finishes work before that',
    () => {
      const program = `
        import { createEngine } from './dist/src/kernel/engine.js';
        import { createPool } from './dist/src/kernel/pool.js';
        import { nodeWorkers } from './dist/adapters/node-workers.js';
        const pool = createPool(await createEngine({ shared: true }), { threads: 2, spawn: nodeWorkers });
        console.log((await pool.run([['sum', 0, 0]])).length);`;
      const args = ['--input-type=module', '-e', program];
      expect(execFileSync(process.execPath, args, { timeout: 20_000 }).toString()).toBe('1\n');
    },
  );
});
