import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { people } from '../support/people.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

// Whatever is renamed or moved: nobody gets a second budget by accident, and the message names the way out.

const ledgerFile = 'private.csv.ledger.jsonl';
let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
const release = (where: string, table: string, ...words: string[]) =>
  runHere(
    where,
    'release',
    table,
    '--public',
    path.join(folder, 'public.csv'),
    '--exclude',
    'who',
    '--mechanism',
    'mwem',
    '--set',
    'rounds=2',
    '--epsilon',
    '1',
    ...words,
  );
/** The budget was spent by the first release: whoever finds its ledger is told so. */
const spent =
  /budget: must cover what is asked, got epsilon 1 at delta 1e-9 .* asked and epsilon [\d.e-]+ at delta 1e-9 .* remaining; ask for less, or see surmise ledger show; a total can be raised, with a reason, by surmise ledger raise/;

beforeEach(async () => {
  folder = await folderWith({ 'public.csv': people(60, 0) });
  await mkdir(at('home'));
  await writeFile(at('home', 'private.csv'), people(80, 1));
});

const refused = async (said: Promise<{ code: unknown; err: string }>, sentence: RegExp) => {
  const { code, err } = await said;
  expect(err).toMatch(sentence);
  expect(code).toBe(2);
};

describe('with its ledger beside it', () => {
  beforeEach(async () => {
    expect((await release(at('home'), 'private.csv', '-o', 'first')).code).toBe(0);
  });

  it('a table keeps its budget when their folder is renamed', async () => {
    await rename(at('home'), at('moved'));
    await refused(release(at('moved'), 'private.csv', '-o', 'two'), spent);
    expect((await readdir(at('moved'))).sort()).toEqual(['first', 'private.csv', ledgerFile]);
  });

  it('a table that is renamed is told where its ledger is, and a new one is refused', async () => {
    await rename(at('home', 'private.csv'), at('home', 'other.csv'));
    await refused(
      release(at('home'), 'other.csv', '-o', 'two'),
      /other\.csv: has its ledger under another name, private\.csv\.ledger\.jsonl, since one of them was linked, renamed or moved; add --ledger private\.csv\.ledger\.jsonl, or, for another table, --ledger FILE --another-ledger/,
    );
    await refused(
      release(at('home'), 'other.csv', '-o', 'two', '--ledger', 'new.jsonl'),
      /ledger new\.jsonl: would be a second budget of other\.csv, whose ledger is private\.csv\.ledger\.jsonl/,
    );
    await refused(release(at('home'), 'other.csv', '-o', 'two', '--ledger', ledgerFile), spent);
    expect((await readdir(at('home'))).sort()).toEqual(['first', 'other.csv', ledgerFile]);
  });

  it('so is the table of a ledger that is renamed; bound, it is found again', async () => {
    await rename(at('home', ledgerFile), at('home', 'budget.jsonl'));
    await refused(release(at('home'), 'private.csv', '-o', 'two'), /has its ledger under another name, budget\.jsonl/);
    expect((await runHere(at('home'), 'ledger', 'bind', 'budget.jsonl', 'private.csv')).code).toBe(0);
    await refused(release(at('home'), 'private.csv', '-o', 'two'), spent);
  });

  it('copies of both on another disk are bound by the command that the message names', async () => {
    await mkdir(at('disk'));
    for (const name of ['private.csv', ledgerFile]) await copyFile(at('home', name), at('disk', name));
    await refused(
      release(at('disk'), 'private.csv', '-o', 'two'),
      /must be the one of private\.csv, got that of another table, or of this one at another place; name the right ledger, or say that the table moved with surmise ledger bind private\.csv\.ledger\.jsonl private\.csv/,
    );
    expect((await runHere(at('disk'), 'ledger', 'bind', ledgerFile, 'private.csv')).code).toBe(0);
    await refused(release(at('disk'), 'private.csv', '-o', 'two'), spent);
  });

  it('a raised total lets the next release through', async () => {
    const words = ['--epsilon', '2', '--reason', 'a second wave'];
    expect((await runHere(at('home'), 'ledger', 'raise', ledgerFile, ...words)).code).toBe(0);
    // In rho, twice an epsilon costs less than twice: two releases at epsilon 1 fit into a total of epsilon 2.
    expect((await release(at('home'), 'private.csv', '-o', 'two')).code).toBe(0);
    const verified = await runHere(at('home'), 'verify', 'two', '--ledger', ledgerFile);
    expect(verified.code).toBe(0);
    expect(verified.out).toMatch(
      /holds the charges of this release, and no others of it; its total was raised once, for the reasons it keeps/,
    );
    expect((await runHere(at('home'), 'verify', 'first', '--ledger', ledgerFile)).code).toBe(0);
  });
});

it('a ledger in a folder of its own that is renamed is found again by bind, as the message says', async () => {
  await mkdir(at('budgets'));
  const ledger = path.join('..', 'budgets', 'l.jsonl');
  expect((await release(at('home'), 'private.csv', '-o', 'first', '--ledger', ledger)).code).toBe(0);
  await rename(at('budgets'), at('ledgers'));
  await refused(
    release(at('home'), 'private.csv', '-o', 'two'),
    /private\.csv\.ledger-place\.json: must name the table's ledger, got a place where there is none; put the ledger back, or say where it is now with surmise ledger bind FILE TABLE/,
  );
  const moved = path.join('..', 'ledgers', 'l.jsonl');
  expect((await runHere(at('home'), 'ledger', 'bind', moved, 'private.csv')).code).toBe(0);
  expect(JSON.parse(await readFile(at('home', 'private.csv.ledger-place.json'), 'utf8')).ledger).toBe(
    '../ledgers/l.jsonl',
  );
  await refused(release(at('home'), 'private.csv', '-o', 'two'), spent);
});

it('a ledger for pure epsilon tells a release with a delta what to add', async () => {
  expect((await runHere(at('home'), 'ledger', 'init', ledgerFile, '--epsilon', '1', '--pure')).code).toBe(0);
  await refused(
    release(at('home'), 'private.csv', '-o', 'one'),
    /the ledger was opened for pure epsilon and has no delta to spend, got a budget with a delta or in rho; add --pure/,
  );
});
