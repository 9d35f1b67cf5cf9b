import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { discardUnfinished, openUnfinished } from './unfinished.js';

const header = { release: 'f'.repeat(32), seed: 3, request: 'a'.repeat(64), how: 'again' };
const entry = { kind: 'partition', at: 4, what: 'partition by a', most: '0.1' } as const;

const place = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'surmise-unfinished-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return path.join(folder, 'out');
};

it('keeps entries for whoever goes on, without a line that was not finished, and goes when the release is whole', async () => {
  const out = await place();
  const first = await openUnfinished(out, { resume: false, how: 'again' });
  expect(first.found).toBeUndefined();
  await first.begin(header);
  await first.append(entry);
  await first.close();
  const journal = path.join(`${out}.unfinished`, 'journal.jsonl');
  await writeFile(journal, `${await readFile(journal, 'utf8')}{"kind":"beg`);
  await expect(openUnfinished(out, { resume: false, how: 'again' })).rejects.toThrow('got one that was interrupted');
  const second = await openUnfinished(out, { resume: true, how: 'again' });
  expect(second.found).toMatchObject({ header, entries: [entry] });
  await second.append({ ...entry, at: 9 });
  await second.close();
  const third = await openUnfinished(out, { resume: true, how: 'again' });
  expect(third.found?.entries).toEqual([entry, { ...entry, at: 9 }]);
  await third.remove();
  expect(await readdir(path.dirname(out))).toEqual([]);
  await expect(openUnfinished(out, { resume: true, how: 'again' })).rejects.toThrow('must be there to go on with');
});

it('lets one process at a time in, and takes the place of one that is no more', async () => {
  const out = await place();
  await mkdir(`${out}.unfinished`);
  const lock = path.join(`${out}.unfinished`, 'lock');
  await writeFile(lock, '1');
  await expect(openUnfinished(out, { resume: false, how: '' })).rejects.toThrow('is being worked on by process 1');
  await writeFile(lock, '99999999 another-machine');
  await expect(openUnfinished(out, { resume: false, how: '' })).rejects.toThrow('process 99999999 of another-machine');
  // No process has such a number.
  await writeFile(lock, '99999999');
  await (await openUnfinished(out, { resume: false, how: '' })).remove();
});

it('is not gone on with from a copy, beside which the first might go on too', async () => {
  const out = await place();
  const first = await openUnfinished(out, { resume: false, how: '' });
  await first.begin(header);
  await first.close();
  await cp(`${out}.unfinished`, `${out}-2.unfinished`, { recursive: true });
  await expect(openUnfinished(`${out}-2`, { resume: true, how: '' })).rejects.toThrow(
    'must be where the release was begun',
  );
  const ledger = await memoryLedger(budgetOf({ epsilon: 1 }), 'x');
  await expect(discardUnfinished(`${out}-2`, ledger)).rejects.toThrow('must be where the release was begun');
  await (await openUnfinished(out, { resume: true, how: '' })).close();
});

it('takes nothing away that is not its own', async () => {
  const out = await place();
  await mkdir(`${out}.unfinished`);
  await writeFile(path.join(`${out}.unfinished`, 'notes.txt'), 'mine');
  const opened = await openUnfinished(out, { resume: false, how: '' });
  await opened.begin(header);
  await opened.remove();
  expect(await readdir(`${out}.unfinished`)).toEqual(['notes.txt']);
});

it('is given up also where the ledger knows nothing of it, and only where it is', async () => {
  const out = await place();
  const ledger = await memoryLedger(budgetOf({ epsilon: 1 }), 'x');
  await expect(discardUnfinished(out, ledger)).rejects.toThrow('must be there to be given up');
  const opened = await openUnfinished(out, { resume: false, how: '' });
  await opened.begin(header);
  await opened.close();
  await discardUnfinished(out, ledger);
  expect(await readdir(path.dirname(out))).toEqual([]);
});
