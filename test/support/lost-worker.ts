import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { workersOf } from '../../bench/engines/servers.js';
import type { StartedEngine } from './started-engine.js';
import { folderWith, start, surmise } from './surmise.js';

/**
 * Kills one worker of an engine while a release counts. The release goes on, or ends with what it paid for and goes on when it is told to; either way it is whole,
 * verifies, and its ledger, which has room for one release, has paid for one. `rows` makes columns a and b of the numbers 0 to 6, in some seconds.
 */
export const expectSurvival = async (server: StartedEngine, address: string, rows: string): Promise<void> => {
  const attributes = ['a', 'b'].map((name) => ({ name, type: 'integer', min: 0, max: 6 }));
  const folder = await folderWith({
    'rows.sql': rows,
    's.json': JSON.stringify({ surmise: 1, origin: { kind: 'declared' }, attributes }),
  });
  const words = [
    'release',
    address,
    '--query',
    'rows.sql',
    '--unit',
    'row',
    '--schema',
    's.json',
    '--mechanism',
    'mst',
  ];
  const release = [...words, '--epsilon', '3', '--bootstrap', '0', '--ledger', 'l.jsonl', '-o', 'out'];
  const ledger = path.join(folder, 'l.jsonl');
  const { child, outcome } = start(folder, ...release);
  // An act is written down before its query is sent: its line comes after that of the ledger itself.
  const isCounting = (): boolean => existsSync(ledger) && readFileSync(ledger, 'utf8').trim().split('\n').length >= 2;
  while (child.exitCode === null && !isCounting()) await sleep(20);
  await sleep(500);
  expect(child.exitCode, 'the release must still count').toBe(null);
  const workers = workersOf(server);
  expect(workers.length).toBe(2);
  process.kill(workers[0], 'SIGKILL');
  const { code, err } = await outcome;
  if (code !== 0) {
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/go on with:\n.*--resume/) });
    expect(await surmise(folder, ...release, '--resume')).toMatchObject({ code: 0 });
  }
  expect(await surmise(folder, 'verify', 'out', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });
  const again = await surmise(folder, ...release.slice(0, -1), 'more');
  expect(again).toMatchObject({ code: 2, err: expect.stringMatching(/budget: must cover what is asked/) });
};
