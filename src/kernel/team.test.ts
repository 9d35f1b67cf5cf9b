import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../adapters/node-workers.js';
import { createEngine } from './engine.js';
import type { KernelCall } from './kernels.js';
import { createTeam, type Team } from './team.js';

const open = async (threads: number, spawn = nodeWorkers) => {
  const engine = await createEngine({ shared: true });
  return { engine, team: createTeam(engine, { threads, spawn }) };
};

/** Long enough for a worker to have started; what is asserted holds whether it has or not. */
const started = () => after(150);

const partsOf = (address: number, parts: number, length: number): KernelCall[] =>
  Array.from({ length: parts }, (_, k): KernelCall => ['sum', address + 8 * k * length, length]);

const turns = (team: Team, address: number): number[][] =>
  Array.from({ length: 300 }, () => team.share(partsOf(address, 10, 1000)));

describe('team', () => {
  it('gives the results of each call in its place, whoever carries it out, turn after turn', async () => {
    for (const threads of [1, 2, 3]) {
      const { engine, team } = await open(threads);
      const x = engine.arena.f64(10_000);
      for (let i = 0; i < x.length; i++) x.view[i] = i;
      const expected = Array.from({ length: 10 }, (_, k) => 1000 * (1000 * k) + 499_500);
      for (const given of turns(team, x.address)) expect(given).toEqual(expected);
      await started();
      for (const given of turns(team, x.address)) expect(given).toEqual(expected);
      team.close();
    }
  });

  it('writes each part once', async () => {
    const { engine, team } = await open(2);
    await started();
    const x = engine.arena.f64(64_000);
    x.view.fill(1);
    for (let turn = 1; turn <= 50; turn++) {
      team.share(Array.from({ length: 64 }, (_, k): KernelCall => ['scale', x.address + 8000 * k, 2, 1000]));
      expect(new Set(x.view)).toEqual(new Set([2 ** turn]));
    }
    team.close();
  });

  it('lets workers see memory that grew after they started', async () => {
    const { engine, team } = await open(2);
    await started();
    const x = engine.arena.f64(2_000_000);
    x.view.fill(2);
    for (let turn = 0; turn < 20; turn++)
      expect(team.share(partsOf(x.address, 4, 500_000))).toEqual([1e6, 1e6, 1e6, 1e6]);
    team.close();
  });

  it('works on after it was closed, by the caller, and ends its workers', async () => {
    let ended = 0;
    const counting = (text: string) => {
      const port = nodeWorkers(text);
      const terminate = () => {
        ended++;
        port.terminate();
      };
      return { ...port, terminate };
    };
    for (let i = 0; i < 3; i++) {
      const { engine, team } = await open(2, counting);
      await started();
      const x = engine.arena.f64(4000);
      x.view.fill(i);
      expect(team.share(partsOf(x.address, 4, 1000))).toEqual(Array(4).fill(1000 * i));
      team.close();
      expect(team.share(partsOf(x.address, 4, 1000))).toEqual(Array(4).fill(1000 * i));
      await started();
    }
    expect(ended).toBe(3);
  });

  it('is the caller alone without shared memory, without spawn, and when workers are forbidden', async () => {
    const forbidden = () => {
      throw new Error('blocked by policy');
    };
    const { team } = await open(2, forbidden);
    expect(team.threads).toBe(1);
    expect(createTeam(await createEngine(), { threads: 2, spawn: nodeWorkers }).threads).toBe(1);
    expect(createTeam(await createEngine({ shared: true }), { threads: 2 }).threads).toBe(1);
  });

  it.runIf(existsSync('dist/src/kernel/team.js'))('does not keep a process alive, open or closed', () => {
    const text = `
      import { createTeam } from './dist/src/kernel/team.js';
      import { createEngine } from './dist/src/kernel/engine.js';
      import { nodeWorkers } from './dist/adapters/node-workers.js';
      for (const close of [true, false]) {
        const engine = await createEngine({ shared: true });
        const team = createTeam(engine, { threads: 2, spawn: nodeWorkers });
        await new Promise((resolve) => setTimeout(resolve, 100));
        const x = engine.arena.f64(4);
        x.view.fill(1);
        console.log(team.share([['sum', x.address, 2], ['sum', x.address, 3]]).join());
        if (close) team.close();
      }`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', text], { timeout: 60_000 });
    expect(output.toString()).toBe('2,3\n2,3\n');
  });
});
