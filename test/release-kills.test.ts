import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../adapters/ledger/file-ledger.js';
import { openUnfinished } from '../adapters/unfinished.js';
import { killedFiles, killedReleases } from '../experiments/audit/killed-releases.js';
import { judgeRelease, releaseKills } from '../experiments/audit/release-kills.js';
import { inspectLedger } from '../src/privacy/ledger/inspect-ledger.js';
import { householdMechanisms, mechanisms } from '../src/release/registry.js';
import { folderWith, main, surmise } from './support/surmise.js';

describe('kills of releases', () => {
  it('are of every mechanism, and of a discovery', () => {
    const all = [...mechanisms, ...householdMechanisms].map(({ name }) => name);
    expect(killedReleases.map(({ name }) => name).sort()).toEqual([...all, 'discovery'].sort());
  });

  it('find nothing wrong with one that went on', async () => {
    const { kills, releases, givenUp, faults } = await releaseKills(1, undefined, { cli: main, only: 'aim', width: 1 });
    expect(faults).toEqual([]);
    expect([kills > 0, releases + givenUp > 0]).toEqual([true, true]);
  });

  it('would find other rows, another price, a changed file and a ledger that was not closed', async () => {
    const folder = await folderWith(killedFiles());
    const { words } = killedReleases.find(({ name }) => name === 'reweight')!;
    const ledger = 'kept.ledger.jsonl';
    const released = await surmise(folder, 'release', ...words, '--epsilon', '3', '-o', 'out', '--ledger', ledger);
    expect(released.code).toBe(0);
    const synthetic = path.join(folder, 'out', 'synthetic.csv');
    const rows = await readFile(synthetic);
    const { spent } = (await inspectLedger(fileStore(path.join(folder, ledger)))).status;
    const reference = { spent: spent as bigint, files: new Map([['synthetic.csv', rows]]) };
    expect(await judgeRelease(folder, reference)).toEqual({ faults: [], lost: 0 });

    // Killed between the directory and the end of the journal: nothing is left to be done but to take that away.
    const { release } = JSON.parse(await readFile(path.join(folder, 'out', 'bundle.json'), 'utf8')) as {
      release: string;
    };
    const left = await openUnfinished(path.join(folder, 'out'), { resume: false, how: '' });
    await left.begin({ release, seed: 1, request: 'a'.repeat(64), how: '' });
    await left.close();
    const asked = ['release', ...words, '--epsilon', '3', '-o', 'out', '--ledger', ledger, '--resume'];
    expect(await surmise(folder, ...asked)).toEqual({ code: 0, out: 'out: the release is whole already.\n', err: '' });
    expect(await judgeRelease(folder, reference)).toEqual({ faults: [], lost: 0 });
    // That of another release is no such thing.
    const others = await openUnfinished(path.join(folder, 'out'), { resume: false, how: '' });
    await others.begin({ release: 'f'.repeat(32), seed: 1, request: 'a'.repeat(64), how: '' });
    await others.close();
    expect(await surmise(folder, ...asked)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must not exist yet/),
    });
    await (await openUnfinished(path.join(folder, 'out'), { resume: true, how: '' })).remove();

    const other = { ...reference, files: new Map([['synthetic.csv', Buffer.from('town,sex\n')]]) };
    expect((await judgeRelease(folder, other)).faults).toEqual([
      'synthetic.csv is not what it is without interruptions',
    ]);
    const cheaper = { ...reference, spent: reference.spent - 1n };
    expect((await judgeRelease(folder, cheaper)).faults).toEqual([expect.stringMatching(/where \d+ were planned/)]);
    await writeFile(synthetic, Buffer.concat([rows, rows.subarray(-20)]));
    expect((await judgeRelease(folder, reference)).faults.length).toBeGreaterThan(1);
    await writeFile(synthetic, rows);
    // Without its last record the ledger holds a run that never ended.
    const lines = (await readFile(path.join(folder, ledger), 'utf8')).trimEnd().split('\n');
    await writeFile(path.join(folder, ledger), `${lines.slice(0, -1).join('\n')}\n`);
    expect((await judgeRelease(folder, reference)).faults).not.toEqual([]);
  });
});
