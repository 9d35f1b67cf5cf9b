import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, link, mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleDirectory, describeFile, readBundle } from '../../adapters/bundle-directory.js';
import { fileStore } from '../../adapters/ledger/file-ledger.js';
import { readTable } from '../../adapters/table/read-table.js';
import type { Manifest } from '../../src/bundle/manifest.js';
import { manifestText } from '../../src/bundle/manifest-text.js';
import { verifyBundle } from '../../src/bundle/verify-bundle.js';
import { parseAmount } from '../../src/privacy/accounting/amount.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { statementOf } from '../../src/privacy/session/statement.js';
import { seeded } from '../../src/random/seeded.js';
import { mechanisms } from '../../src/release/registry.js';
import { people } from '../support/people.js';
import { folderWith, start, surmise } from '../support/surmise.js';

const tables = { 'public.csv': people(400, 0), 'private.csv': people(500, 2) };
const basics = ['release', 'private.csv', '--public', 'public.csv', '--exclude', 'who'];
const ledgerFile = 'private.csv.ledger.jsonl';

/** What `surmise verify` finds, without a process. */
const faultsOf = async (folder: string, out: string, ledger = ledgerFile): Promise<readonly string[]> => {
  const inspected = await inspectLedger(fileStore(path.join(folder, ledger)));
  return (await verifyBundle(await bundleDirectory(path.join(folder, out)), inspected)).faults;
};

const shown = async (folder: string, ledger = ledgerFile) =>
  JSON.parse((await surmise(folder, 'ledger', 'show', ledger, '--json')).out);

describe('surmise release', () => {
  it('writes rows, model and bundle that verify, and keeps the budget in the ledger', async () => {
    const folder = await folderWith(tables);
    const made = await surmise(folder, ...basics, '--epsilon', '2', '--seed', '7', '-o', 'out');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/1e-9\)-differentially private, counted in gdp .* for one row:/);
    expect((await readdir(path.join(folder, 'out'))).sort()).toEqual([
      'bundle.json',
      'measurements.bin',
      'model.bin',
      'replicates.bin',
      'report.html',
      'synthetic.csv',
    ]);
    expect((await readdir(folder)).sort()).toEqual(['out', 'private.csv', ledgerFile, 'public.csv']);

    const verified = await surmise(folder, 'verify', 'out', '--ledger', ledgerFile);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toMatch(/^out: whole\n/);
    const status = await shown(folder);
    expect(Number(status.reserved)).toBe(0);
    expect(Number(status.remaining)).toBeGreaterThanOrEqual(0);
    expect(Number(status.spent)).toBeGreaterThan(0.9 * Number(status.total));

    const { manifest, model } = await readBundle(path.join(folder, 'out'));
    expect(manifest.privacy).toMatchObject({
      relation: 'add-remove',
      unit: { kind: 'row' },
      seeded: false,
      delta: '1e-9',
    });
    expect(Number(manifest.privacy.epsilon)).toBeLessThanOrEqual(2);
    expect(manifest.public).toEqual({ file: 'public.csv', rows: 400 });
    expect(manifest.schema.origin).toMatchObject({ kind: 'public-table', file: 'public.csv', rows: 400 });
    expect(manifest.schema.attributes.map(({ name }) => name)).toEqual(['age', 'colour', 'vip', 'city']);
    // As many rows as the model estimates, drawn from the model with the seed that the bundle names.
    expect(manifest.sampling).toMatchObject({ file: 'synthetic.csv', rows: Math.round(model.total), seed: 7 });
    const synthetic = await readTable(path.join(folder, 'out/synthetic.csv'), model.domain);
    expect(synthetic).toEqual(model.sample(manifest.sampling!.rows, seeded(7)));
  });

  it.each(mechanisms.map(({ name }) => name))('makes a release that verifies with %s', async (name) => {
    const folder = await folderWith({
      ...tables,
      's.json': JSON.stringify({
        surmise: 1,
        origin: { kind: 'declared' },
        attributes: [
          { name: 'age', type: 'integer', min: 10, max: 89, bins: 8 },
          { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
          { name: 'city', type: 'category', values: ['Aldern', 'Brook'], other: 'elsewhere' },
        ],
      }),
    });
    const { needs, required } = mechanisms.find((mechanism) => mechanism.name === name)!;
    const prior = needs === 'public-table' ? ['--public', 'public.csv'] : [];
    const set = required === undefined ? [] : ['--set', 'keys=colour,city', '--set', 'region=city'];
    // Residuals have Gaussian noise or none.
    const [currency, budget] = name === 'residual-planner' ? ['zcdp', ['--delta', '1e-9']] : ['pure', ['--pure']];
    const words = ['--schema', 's.json', '--epsilon', '5', ...budget, '--relation', 'replace-one', '--mechanism', name];
    const made = await surmise(folder, 'release', 'private.csv', ...prior, ...words, ...set, '-o', 'out', '--json');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({ mechanism: { name }, privacy: { currency } });
    expect(await faultsOf(folder, 'out')).toEqual([]);
  });

  it('refuses a second release when the budget is used up, says what remains, and leaves the ledger as it was', async () => {
    const folder = await folderWith(tables);
    expect((await surmise(folder, ...basics, '--epsilon', '1', '-o', 'one')).code).toBe(0);
    const before = await readFile(path.join(folder, ledgerFile));
    const second = await surmise(folder, ...basics, '--epsilon', '1', '-o', 'two');
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toMatch(
      /^surmise: budget: must cover what is asked, got epsilon [\d.]+ at delta 1e-9 \(gdp [\d.]+\) asked and epsilon [\d.]+ at delta 1e-9 \(gdp [\d.]+\) remaining; /,
    );
    expect(await readFile(path.join(folder, ledgerFile))).toEqual(before);
    expect((await readdir(folder)).sort()).toEqual(['one', 'private.csv', ledgerFile, 'public.csv']);
  });

  it('spends from a ledger that was made beforehand, release after release, and each bundle finds its charges there', async () => {
    const folder = await folderWith(tables);
    const init = ['ledger', 'init', 'l.jsonl', '--dataset', 'survey', '--epsilon', '4', '--delta', '1e-9'];
    expect((await surmise(folder, ...init)).code).toBe(0);
    for (const out of ['one', 'two']) {
      const words = ['--epsilon', '1', '--ledger', 'l.jsonl', '--dataset', 'survey', '-o', out];
      expect(await surmise(folder, ...basics, ...words)).toMatchObject({ code: 0, err: '' });
    }
    const status = await shown(folder, 'l.jsonl');
    const spent = await Promise.all(
      ['one', 'two'].map(async (out) => {
        expect(await faultsOf(folder, out, 'l.jsonl')).toEqual([]);
        return Number((await readBundle(path.join(folder, out))).manifest.privacy.spent);
      }),
    );
    expect(Number(status.spent)).toBeCloseTo(spent[0] + spent[1], 12);
    // A pure budget on the same ledger costs epsilon^2/2 of its rho.
    const pure = ['--epsilon', '0.1', '--pure', '--ledger', 'l.jsonl', '--dataset', 'survey', '-o', 'three'];
    expect(await surmise(folder, ...basics, ...pure)).toMatchObject({ code: 0, err: '' });
    expect(await faultsOf(folder, 'three', 'l.jsonl')).toEqual([]);
    expect(Number((await shown(folder, 'l.jsonl')).spent) - Number(status.spent)).toBeLessThanOrEqual(0.005);
  });

  it('protects all rows of an id, and keeps the id out of the learned schema', async () => {
    const folder = await folderWith(tables);
    const words = ['release', 'private.csv', '--public', 'public.csv', '--unit-id', 'who', '--max-records', '2'];
    const made = await surmise(
      folder,
      ...words,
      '--epsilon',
      '2',
      '--format',
      'parquet',
      '--rows',
      '40',
      '-o',
      'out',
      '--json',
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({
      privacy: { unit: { kind: 'id', column: 'who', maxRecords: 2 } },
      sampling: { file: 'synthetic.parquet', rows: 40 },
    });
    expect(await faultsOf(folder, 'out')).toEqual([]);
    const { model } = await readBundle(path.join(folder, 'out'));
    expect(model.domain.attributes.map(({ name }) => name)).not.toContain('who');
    expect((await readTable(path.join(folder, 'out/synthetic.parquet'), model.domain)).length).toBe(40);
  });

  it('marks what was made with a seed, the same for the same seed', async () => {
    const folder = await folderWith(tables);
    const words = ['--epsilon', '1', '--unsafe-seed', '3', '--seed', '4'];
    for (const out of ['one', 'two']) {
      const made = await surmise(folder, ...basics, ...words, '--ledger', `${out}.ledger`, '-o', out);
      expect(made).toMatchObject({ code: 0, err: '' });
      expect(made.out).toContain('PROTECTS NOBODY');
    }
    for (const file of ['synthetic.csv', 'model.bin', 'measurements.bin']) {
      const [one, two] = await Promise.all(['one', 'two'].map((out) => readFile(path.join(folder, out, file))));
      expect(one.equals(two), file).toBe(true);
    }
  });

  it('refuses the ledger of another dataset, of another table and of another meaning, and touches nothing', async () => {
    const folder = await folderWith({ ...tables, 'other.csv': people(50, 1) });
    const budget = ['--epsilon', '1', '--delta', '1e-9'];
    await surmise(folder, 'ledger', 'init', ledgerFile, '--dataset', 'other', ...budget);
    await surmise(folder, 'ledger', 'init', 'foreign.jsonl', ...budget);
    expect(await surmise(folder, 'ledger', 'bind', 'foreign.jsonl', 'other.csv')).toMatchObject({ code: 0 });
    const before = await readFile(path.join(folder, ledgerFile));
    const refused = async (says: RegExp, ...words: string[]) => {
      const { code, out, err } = await surmise(folder, ...basics, '--epsilon', '1', '-o', 'out', ...words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(says);
    };
    await refused(
      /ledger private\.csv\.ledger\.jsonl: must be that of dataset "mine", got "other"/,
      '--dataset',
      'mine',
    );
    await refused(
      /ledger foreign\.jsonl: must be the one of private\.csv, got that of another table/,
      '--ledger',
      'foreign.jsonl',
    );
    // Item 4: one ledger, one relation and one unit.
    await refused(/counts losses under add-remove, got a release under replace-one/, '--relation', 'replace-one');
    await refused(
      /protects a row, got a release that protects values of "who"/,
      '--unit-id',
      'who',
      '--max-records',
      '2',
    );
    await refused(/needs a ledger of its own/, '--unsafe-seed', '1');
    await refused(/noise from a seed, which protects nobody/, '--unsafe-seed', '1', '--ledger', ledgerFile);
    expect(await readFile(path.join(folder, ledgerFile))).toEqual(before);
    expect(existsSync(path.join(folder, 'out'))).toBe(false);
  });

  it('item 5: a table has one budget under all of its names, wherever its ledger is', async () => {
    const folder = await folderWith(tables);
    const words = ['--public', 'public.csv', '--exclude', 'who', '--mechanism', 'ide', '--epsilon', '1'];
    const release = (name: string, ...more: string[]) =>
      surmise(folder, 'release', name, ...words, '-o', 'out', ...more);
    await mkdir(path.join(folder, 'elsewhere'));
    await symlink('../private.csv', path.join(folder, 'elsewhere/linked.csv'));
    expect(await release('private.csv')).toMatchObject({ code: 0, err: '' });
    await rm(path.join(folder, 'out'), { recursive: true });
    const spent = await readFile(path.join(folder, ledgerFile));
    // A symlink, a hard link, a path through another folder, and a ledger of one's own.
    await link(path.join(folder, 'private.csv'), path.join(folder, 'elsewhere/hard.csv'));
    for (const [name, says, ...more] of [
      ['elsewhere/linked.csv', /budget: must cover/],
      ['elsewhere/../private.csv', /budget: must cover/],
      ['elsewhere/hard.csv', /has its ledger under another name, private\.csv\.ledger\.jsonl.*add --ledger/],
      [
        'private.csv',
        /second budget of private\.csv, whose ledger is private\.csv\.ledger\.jsonl/,
        '--ledger',
        'new.jsonl',
      ],
      ['elsewhere/linked.csv', /second budget/, '--ledger', 'new.jsonl'],
    ] as const) {
      const { code, err } = await release(name, ...more);
      expect([name, code]).toEqual([name, 2]);
      expect(err).toMatch(says);
    }
    // From where nothing leads to the ledger.
    const far = ['--public', '../public.csv', ...words.slice(2), '-o', 'out'];
    const hard = await surmise(path.join(folder, 'elsewhere'), 'release', 'hard.csv', ...far);
    expect(hard.err).toMatch(/has 2 names \(hard links\)/);
    expect(await readFile(path.join(folder, ledgerFile))).toEqual(spent);
    expect((await readdir(path.join(folder, 'elsewhere'))).sort()).toEqual(['hard.csv', 'linked.csv']);
    // Told so, it starts another one; a ledger elsewhere is found again by a note beside the table.
    expect(await release('private.csv', '--ledger', 'elsewhere/new.jsonl', '--another-ledger')).toMatchObject({
      code: 0,
    });
    await rm(path.join(folder, ledgerFile));
    const again = await surmise(folder, 'release', 'private.csv', ...words, '-o', 'again');
    expect(again.err).toMatch(/budget: must cover/);
    expect(existsSync(path.join(folder, ledgerFile))).toBe(false);
    // The table at another place of the same disk keeps its ledger: it is the same file.
    await rename(path.join(folder, 'private.csv'), path.join(folder, 'moved.csv'));
    const moved = await surmise(
      folder,
      'release',
      'moved.csv',
      ...words,
      '-o',
      'again',
      '--ledger',
      'elsewhere/new.jsonl',
    );
    expect(moved.err).toMatch(/budget: must cover/);
  });

  it("item 8: neither the table's name nor its place is in what leaves", async () => {
    const folder = await folderWith({
      'public.csv': tables['public.csv'],
      'patients-of-dr-quirk.csv': tables['private.csv'],
    });
    const words = ['--public', 'public.csv', '--exclude', 'who', '--mechanism', 'ide', '--epsilon', '1', '-o', 'out'];
    const made = await surmise(folder, 'release', 'patients-of-dr-quirk.csv', ...words);
    expect(made).toMatchObject({ code: 0, err: '' });
    const real = await realpath(folder);
    const hash = createHash('sha256').update(path.join(real, 'patients-of-dr-quirk.csv')).digest('hex');
    for (const name of await readdir(path.join(folder, 'out'))) {
      const text = await readFile(path.join(folder, 'out', name), 'latin1');
      for (const trace of ['quirk', real, hash.slice(0, 16)])
        expect([name, text.includes(trace)]).toEqual([name, false]);
    }
    const { manifest } = await readBundle(path.join(folder, 'out'));
    expect(manifest.privacy.dataset).toMatch(/^dataset-[0-9a-f]{16}$/);
  });

  it('item 7: a forged bundle does not pass', async () => {
    const folder = await folderWith(tables);
    const words = ['--set', 'rounds=3', '--epsilon', '1', '--rows', '300', '-o', 'out'];
    expect(await surmise(folder, ...basics, '--mechanism', 'pmw-pub', ...words)).toMatchObject({ code: 0, err: '' });
    expect(await faultsOf(folder, 'out')).toEqual([]);
    const { manifest } = await readBundle(path.join(folder, 'out'));
    const forge = async (change: Partial<Manifest>, files: Record<string, string> = {}): Promise<readonly string[]> => {
      const name = `forged-${Math.random()}`;
      await cp(path.join(folder, 'out'), path.join(folder, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, name, file), text);
      const listed = await Promise.all(
        manifest.files.map(({ name: file }) => describeFile(path.join(folder, name, file))),
      );
      await writeFile(path.join(folder, name, 'bundle.json'), manifestText({ ...manifest, ...change, files: listed }));
      return faultsOf(folder, name);
    };
    // Honest but for the seal made anew: nothing to find.
    expect(await forge({})).toEqual([]);
    // An act left out, with its measurement, and a statement that follows from what is left.
    const charges = manifest.charges.slice(0, -1);
    const { privacy, budget } = manifest;
    const facts = {
      ...privacy,
      budget: { currency: privacy.currency, total: parseAmount(budget.total), delta: '1e-9' },
    };
    const cheaper = statementOf({ ...facts, charges: charges.flatMap((act) => act.charges) });
    const left = await forge({ charges, privacy: cheaper, measurements: manifest.measurements.slice(0, -1) });
    expect(left.join()).toMatch(/must hold every act of the release, got none for reservation/);
    // Another unit, another relation, another release.
    const unit = { kind: 'id', column: 'who', maxRecords: 1 } as const;
    const all = manifest.charges.flatMap((act) => act.charges);
    const other = await forge({ privacy: statementOf({ ...facts, unit, charges: all }) });
    expect(other.join()).toMatch(/its relation and unit must be those of the ledger/);
    expect((await forge({ release: 'ab'.repeat(16) })).join()).toMatch(/no run of its name/);
    // Rows replaced by other rows, and by fewer.
    const rows = await readFile(path.join(folder, 'out/synthetic.csv'), 'utf8');
    const [head, first, second, ...rest] = rows.trimEnd().split('\n');
    const swapped = [head, ...rest, first, second].join('\n');
    expect((await forge({}, { 'synthetic.csv': `${swapped}\n` })).join()).toMatch(
      /synthetic\.csv: must hold the rows that the model gives with seed \d+, got another value of/,
    );
    const fewer = await forge({}, { 'synthetic.csv': `${[head, first, second].join('\n')}\n` });
    expect(fewer.join()).toMatch(/must have 300 rows, got 2/);
  });

  it('stops on Ctrl-C in the middle: nothing half-written, and it says how to go on, which spends nothing more', async () => {
    const folder = await folderWith(tables);
    const words = [...basics, '--epsilon', '1', '-o', 'out'];
    const { child, outcome } = start(folder, ...words, '--rows', '20000000');
    while (!existsSync(path.join(folder, ledgerFile))) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    expect(await outcome).toEqual({
      code: 130,
      out: '',
      err: `surmise: what was paid for is kept in out.unfinished; go on with:\n  surmise ${words.join(' ')} --rows 20000000 --resume\nsurmise: stopped before it was done\n`,
    });
    expect((await readdir(folder)).sort()).toEqual(['out.unfinished', 'private.csv', ledgerFile, 'public.csv']);
    const { spent } = await shown(folder);
    expect(Number(spent)).toBeGreaterThan(0);
    expect((await surmise(folder, 'ledger', 'verify', ledgerFile)).code).toBe(0);
    // The same command does not throw away what was paid for, and another cannot take it over.
    expect((await surmise(folder, ...words)).err).toMatch(
      /^surmise: out\.unfinished: must not be there for a new release, got one that was interrupted; add --resume to go/,
    );
    const other = await surmise(folder, ...basics, '--epsilon', '0.5', '-o', 'out', '--resume');
    expect(other.err).toMatch(/release: must be the one that was interrupted to go on, got other options/);
    // What is made of the answers may be another: fewer rows.
    expect(await surmise(folder, ...words, '--rows', '50', '--resume')).toMatchObject({ code: 0, err: '' });
    expect((await readdir(folder)).sort()).toEqual(['out', 'private.csv', ledgerFile, 'public.csv']);
    expect(Number((await shown(folder)).spent)).toBeLessThanOrEqual(Number(spent));
    expect(await faultsOf(folder, 'out')).toEqual([]);
  });
});

describe('surmise release, stopped or shut out', () => {
  it('goes on after kills, between rounds and anywhere, with the budget that was planned and nothing measured twice', async () => {
    const folder = await folderWith(tables);
    const words = [...basics, '--mechanism', 'pmw-pub', '--set', 'rounds=60', '--epsilon', '1', '-o', 'out'];
    const journal = path.join(folder, 'out.unfinished', 'journal.jsonl');
    const lines = async () => (await readFile(journal, 'utf8').catch(() => '')).split('\n').length;
    for (let kill = 0; kill < 3; kill++) {
      const { child, outcome } = start(folder, ...words, ...(kill === 0 ? [] : ['--resume']));
      const enough = (await lines()) + 40;
      while ((await lines()) < enough && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 2));
      child.kill('SIGKILL');
      expect((await outcome).code).toBe('SIGKILL');
    }
    const done = await surmise(folder, ...words, '--resume');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(await faultsOf(folder, 'out')).toEqual([]);
    const { status, open, entries } = await inspectLedger(fileStore(path.join(folder, ledgerFile)));
    expect(open).toEqual([]);
    const runs = entries.filter((entry) => entry.verdict === 'accepted' && entry.record.kind === 'run');
    expect(runs).toHaveLength(1);
    expect(status.spent <= status.total && Number(status.spent) > 0.999 * Number(status.total)).toBe(true);
    expect(existsSync(path.join(folder, 'out.unfinished'))).toBe(false);
  });

  it('leaves a sound ledger when Ctrl-C comes between two rounds: what was measured is committed, and no directory appears', async () => {
    const folder = await folderWith(tables);
    const words = ['--mechanism', 'pmw-pub', '--set', 'rounds=20000', '--epsilon', '1', '-o', 'out'];
    const { child, outcome } = start(folder, ...basics, ...words);
    const length = async () => (await readFile(path.join(folder, ledgerFile)).catch(() => Buffer.alloc(0))).length;
    while ((await length()) < 20_000 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill('SIGINT');
    const { code, out, err } = await outcome;
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toMatch(
      /what was paid for is kept in out\.unfinished; go on with:\n.*\n.*stopped before it was done\n$/,
    );
    expect((await readdir(folder)).sort()).toEqual(['out.unfinished', 'private.csv', ledgerFile, 'public.csv']);
    const { damage, entries, open, status } = await inspectLedger(fileStore(path.join(folder, ledgerFile)));
    expect(damage).toBeUndefined();
    const commits = entries.filter((entry) => entry.verdict === 'accepted' && entry.record.kind === 'commit');
    expect(commits.length).toBeGreaterThan(10);
    // At most the act that was under way is left open, and it counts as spent.
    expect(open.length).toBeLessThanOrEqual(1);
    // All of it is set aside to go on with.
    expect(status.spent).toBe(status.total);
    // Given up, the rest of the budget can still be had.
    const rest = await surmise(folder, ...basics, '--epsilon', '0.5', '-o', 'out', '--discard');
    expect(rest).toMatchObject({ code: 0, err: '' });
    expect(await faultsOf(folder, 'out')).toEqual([]);
  });

  it('refuses an output directory in a closed place with one sentence, and spends nothing', async () => {
    const folder = await folderWith(tables);
    const closed = path.join(folder, 'closed');
    await mkdir(closed, { mode: 0o555 });
    // For root every directory is open but those that the kernel makes up.
    const place = process.getuid?.() === 0 ? '/sys' : 'closed';
    const { code, out, err } = await surmise(folder, ...basics, '--epsilon', '1', '-o', `${place}/out`);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^surmise: (closed|\/sys)\/out: must be (open to you, got permission denied|writable, got a read-only file system); [^\n]+\n$/,
    );
    expect((await readdir(folder)).sort()).toEqual(['closed', 'private.csv', 'public.csv']);
    expect(await readdir(closed)).toEqual([]);
  });

  it('refuses a ledger that cannot be written, and reads nothing', async () => {
    const folder = await folderWith(tables);
    const { code, out, err } = await surmise(
      folder,
      ...basics,
      '--epsilon',
      '1',
      '-o',
      'out',
      '--ledger',
      'none/l.jsonl',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^surmise: ledger none\/l\.jsonl: must be in a directory that is open to you; [^\n]+\n$/);
    expect((await readdir(folder)).sort()).toEqual(['private.csv', 'public.csv']);
  });
});

describe('surmise release, given something that cannot be used', () => {
  const secret = 'mrs-hidden';
  const twoLevel = JSON.stringify({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'colour', type: 'category', values: ['red'] },
      { name: 'vip', type: 'boolean' },
    ],
    twoLevel: { key: 'who', household: ['colour'], maxSize: 3 },
  });
  const strict = JSON.stringify({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [{ name: 'colour', type: 'category', values: ['red', 'green', 'blue'] }],
  });
  const all = ['--epsilon', '1', '-o', 'out'];
  const cases: [string, readonly string[], RegExp][] = [
    ['no budget', ['-o', 'out'], /option --epsilon: must say what may be spent/],
    ['a budget that is no number', ['--epsilon', 'much', '-o', 'out'], /epsilon: must be a non-negative decimal/],
    ['a budget of nothing', ['--epsilon', '0', '-o', 'out'], /epsilon: must grant at least/],
    ['a delta above 1', [...all, '--delta', '2'], /delta: must be above 0 and below 1/],
    ['no directory', ['--epsilon', '1'], /option --out: must name the directory/],
    ['a directory that exists', ['--epsilon', '1', '-o', 'taken'], /taken: must not exist yet/],
    [
      'a directory in a directory that does not',
      ['--epsilon', '1', '-o', 'a/b'],
      /a\/b: must be in a directory that exists/,
    ],
    ['an unknown mechanism', [...all, '--mechanism', 'reweigh'], /mechanism: must be one of .*did you mean reweight\?/],
    ['an unknown setting', [...all, '--set', 'speed=9'], /option --set: reweight has .*, got "speed"/],
    ['a relation that is none', [...all, '--relation', 'swap'], /option --relation: must be add-remove or replace-one/],
    ['an id without a bound', [...all, '--unit-id', 'who'], /option --max-records: must be given with --unit-id/],
    ['pure and a delta', [...all, '--pure', '--delta', '1e-9'], /option --pure: has no delta/],
    ['rows beyond all memory', [...all, '--rows', '1e10'], /rows: their codes must fit in 4 GiB/],
    ['a format nobody writes', [...all, '--format', 'xls'], /option --format: must be csv or parquet/],
    [
      'a two-level schema for a flat mechanism',
      [...all, '--schema', 'two.json', '--mechanism', 'aim'],
      /aim models the rows of one table, got a schema with twoLevel/,
    ],
    [
      'an id that is an attribute',
      [...all, '--schema', 'strict.json', '--unit-id', 'colour', '--max-records', '1'],
      /unit: an id .* cannot be an attribute/,
    ],
    ['a private value without a cell', [...all, '--schema', 'strict.json'], /private\.csv: column "colour", row 3: /],
    ['a ledger that is none', [...all, '--ledger', 'public.csv'], /ledger public\.csv: must be a surmise ledger/],
  ];

  it.each(cases)('refuses %s with one sentence, and neither spends nor writes', async (_, words, says) => {
    const files = {
      'public.csv': tables['public.csv'],
      'private.csv': `who,age,colour,vip,city\n${secret},20,red,true,Dale\n${secret},20,red,true,Dale\n${secret},20,${secret},true,Dale\n`,
      'two.json': twoLevel,
      'strict.json': strict,
      taken: '',
    };
    const folder = await folderWith(files);
    const learned = words.includes('--schema') ? [] : ['--exclude', 'who'];
    const { code, out, err } = await surmise(
      folder,
      'release',
      'private.csv',
      '--public',
      'public.csv',
      ...learned,
      ...words,
    );
    expect(err).toMatch(says);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^surmise: [^\n]+\n$/);
    expect(err).not.toContain(secret);
    expect((await readdir(folder)).sort()).toEqual(Object.keys(files).sort());
  });

  it('does not take the private table for a public one, under whatever name', async () => {
    const folder = await folderWith(tables);
    await symlink('private.csv', path.join(folder, 'open.csv'));
    for (const name of ['private.csv', './private.csv', 'open.csv']) {
      const { code, err } = await surmise(folder, 'release', 'private.csv', '--public', name, ...all);
      expect(code).toBe(2);
      expect(err).toMatch(/must be public, got a table that is the private table itself/);
    }
    expect((await readdir(folder)).sort()).toEqual(['open.csv', 'private.csv', 'public.csv']);
  });

  it('asks for a public table where the mechanism needs one, and for a schema where there is no table to learn one from', async () => {
    const folder = await folderWith(tables);
    const needing = await surmise(folder, 'release', 'private.csv', ...all, '--mechanism', 'ide');
    expect(needing.err).toMatch(/option --public: ide needs a public table as its prior, got none; /);
    const { code, err } = await surmise(folder, 'release', 'private.csv', ...all);
    expect([needing.code, code]).toEqual([2, 2]);
    expect(err).toMatch(/option --schema: needs a schema file when there is no public table to learn one from/);
  });
});

describe('surmise verify', () => {
  it('ends with code 1 and names what was changed, and with 2 where there is nothing to verify', async () => {
    const folder = await folderWith(tables);
    expect((await surmise(folder, ...basics, '--epsilon', '1', '-o', 'out')).code).toBe(0);
    const bundle = path.join(folder, 'out/bundle.json');
    const text = await readFile(bundle, 'utf8');
    const verify = async (...words: string[]) => surmise(folder, 'verify', 'out', ...words);
    const attempt = async (file: string, content: string | Uint8Array, says: RegExp) => {
      const whole = await readFile(path.join(folder, 'out', file));
      await writeFile(path.join(folder, 'out', file), content);
      const { code, out, err } = await verify();
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toMatch(says);
      await writeFile(path.join(folder, 'out', file), whole);
    };
    const flipped = async (file: string) => {
      const bytes = await readFile(path.join(folder, 'out', file));
      bytes[bytes.length >> 1] ^= 4;
      return bytes;
    };
    for (const file of ['synthetic.csv', 'model.bin', 'measurements.bin'])
      await attempt(file, await flipped(file), new RegExp(`NOT WHOLE\\n(.*\\n)*  ${file}: must have SHA-256`));
    await attempt(
      'bundle.json',
      text.replace(/"scale":(\d)/, '"scale":1$1'),
      /bundle\.json: must be as[\s\S]*measurement \d+ \(.*\): must have a charge/,
    );
    await attempt(
      'bundle.json',
      text.replace(/"sigmaSquared":"/, '"sigmaSquared":"9'),
      /privacy statement: its spent must follow from the charges/,
    );
    await attempt('bundle.json', text.slice(0, 200), /bundle\.json: must be JSON/);
    expect((await verify('--ledger', ledgerFile)).code).toBe(0);

    const broken = (await readFile(path.join(folder, ledgerFile), 'utf8')).replace('"what":"', '"what":"x');
    await writeFile(path.join(folder, 'broken.jsonl'), broken);
    const damaged = await verify('--ledger', 'broken.jsonl', '--json');
    expect(damaged.code).toBe(1);
    expect(JSON.parse(damaged.out)).toMatchObject({
      whole: false,
      faults: [expect.stringMatching(/^ledger: must be as surmise wrote it/)],
    });
    await surmise(folder, 'ledger', 'init', 'other.jsonl', '--dataset', 'other', '--epsilon', '1');
    expect((await verify('--ledger', 'other.jsonl')).out).toMatch(/ledger: must be that of dataset/);

    for (const words of [['nowhere'], ['private.csv'], ['.'], ['out', '--ledger', 'nowhere']]) {
      const { code, out, err } = await surmise(folder, 'verify', ...words);
      expect({ code, out }, words.join(' ')).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^surmise: [^\n]+\n$/);
    }
  });
});
