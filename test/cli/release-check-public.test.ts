import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

/** Rows of two correlated columns: `same` in a hundred have equal values in both, 0 to 2. */
const table = (rows: number, same: number): string =>
  `a,b\n${Array.from({ length: rows }, (_, i) => {
    const a = i % 3;
    return `${a},${(Math.floor(i / 3) * 37) % 100 < same ? a : (a + 1 + (i % 2)) % 3}`;
  }).join('\n')}\n`;

const cells = (name: string) => ({ name, type: 'integer', min: 0, max: 2 });
const files = {
  'private.csv': table(3000, 70),
  'drifted.csv': table(900, 40),
  'same.csv': table(900, 70),
  'diagonal.csv': 'a,b\n0,0\n1,1\n2,2\n',
  's.json': JSON.stringify({ surmise: 1, origin: { kind: 'declared' }, attributes: [cells('a'), cells('b')] }),
};
const ledgerFile = 'private.csv.ledger.jsonl';
const names = Object.keys(files).sort();
const shared = ['--schema', 's.json', '--json'];

describe('surmise check-public', () => {
  it('tells tables apart that fit as they are, that can be weighted to fit, and that never fit; for the share it was given', async () => {
    const folder = await folderWith(files);
    const publics = ['drifted.csv', 'same.csv', 'diagonal.csv'].flatMap((name) => ['--public', name]);
    // Seeded, so that the noise is always the same. Most goes to the check, so that its margins are narrower than what the
    // little that is left would measure directly.
    const ledger = ['--ledger', 'seeds.jsonl'];
    const words = ['--epsilon', '4', '--share', '0.97', '--unsafe-seed', '1', ...ledger];
    const { code, out, err } = await surmise(folder, 'check-public', 'private.csv', ...publics, ...shared, ...words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { tables, recommended, privacy, remaining } = JSON.parse(out);
    expect(tables.map(({ verdict }: { verdict: { advice: string } }) => verdict.advice)).toEqual([
      'reweight',
      'as-is',
      'unsuitable',
    ]);
    // Off the diagonal lie 30% of the private and 60% of the drifted rows, in six cells each.
    expect(tables[0].asIs.value).toBeCloseTo(0.1, 1);
    expect(tables[2].mixture).toMatchObject({ kind: 'exact' });
    expect(tables[2].mixture.value).toBeGreaterThan(0.03);
    expect(recommended).not.toBe('diagonal.csv');
    expect(privacy.seeded).toBe(true);
    const status = JSON.parse((await surmise(folder, 'ledger', 'show', 'seeds.jsonl', '--json')).out);
    expect(Number(status.spent)).toBeLessThanOrEqual(0.97 * Number(status.total));
    expect(status.remaining).toBe(remaining.rho);
    // What it says remains for a release can be had.
    const release = ['release', 'private.csv', '--public', 'same.csv', '--schema', 's.json', '-o', 'out'];
    const rest = ['--epsilon', remaining.epsilon, '--unsafe-seed', '1', ...ledger];
    expect(await surmise(folder, ...release, ...rest)).toMatchObject({ code: 0, err: '' });
  });

  it('recommends in words, and refuses when the ledger cannot cover the plan', async () => {
    const folder = await folderWith(files);
    // Noise that nobody seeded: so little that it decides nothing.
    const words = ['check-public', 'private.csv', '--public', 'same.csv', '--schema', 's.json', '--epsilon', '60'];
    const first = await surmise(folder, ...words);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/same\.csv\. A release may use --epsilon [\d.]+ of what remains\.\n/);
    expect(first.out).toMatch(/-zCDP, hence \([\d.]+, 1e-9\)-differentially private for one row/);
    const second = await surmise(folder, ...words);
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toMatch(
      /budget: must cover what is asked, got epsilon [\d.e-]+ at delta \S+ \(rho [\d.]+\) asked and epsilon [\d.e-]+ at delta \S+ \(rho [\d.]+\) remaining/,
    );
  });

  it('compares with a public table for free: exact errors, no ledger', async () => {
    const folder = await folderWith(files);
    const words = ['--public', 'drifted.csv', '--public', 'diagonal.csv', '--against', 'same.csv'];
    const { code, out, err } = await surmise(folder, 'check-public', ...words, ...shared);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [drifted, diagonal] = JSON.parse(out).tables;
    expect(drifted).toMatchObject({ file: 'drifted.csv', rows: 900 });
    expect(drifted.asIs).toBeCloseTo(0.1, 1);
    expect(drifted.mixture).toBeLessThan(1e-6);
    // The 30% off the diagonal must go somewhere among three cells: one of them gets at least 10% too much.
    expect(diagonal.mixture).toBeGreaterThan(0.09);
    expect(diagonal.bound).toBeLessThanOrEqual(diagonal.mixture);
    const text = await surmise(folder, 'check-public', ...words, '--schema', 's.json');
    expect(text.out).toMatch(/nothing was spent\.\nClosest: drifted\.csv;/);
    expect((await readdir(folder)).sort()).toEqual(names);
  });

  it.each([
    ['neither table', ['--public', 'same.csv'], /needs either the private table or a public one/],
    ['both tables', ['private.csv', '--public', 'same.csv', '--against', 'drifted.csv'], /needs either the private/],
    ['no public table', ['private.csv', '--epsilon', '1'], /option --public: must name a public table/],
    ['no budget', ['private.csv', '--public', 'same.csv'], /option --epsilon: must say what may be spent/],
    [
      'the private table as public',
      ['private.csv', '--public', 'private.csv', '--epsilon', '1'],
      /must be public, got a table that is the private table itself/,
    ],
    [
      'a share of everything',
      ['private.csv', '--public', 'same.csv', '--epsilon', '1', '--share', '1'],
      /option --share: must be above 0 and below 1/,
    ],
    [
      'a budget for what is free',
      ['--public', 'same.csv', '--against', 'drifted.csv', '--epsilon', '1'],
      /option --epsilon: is for a private table/,
    ],
  ] as [string, string[], RegExp][])('refuses %s and spends nothing', async (_, words, says) => {
    const folder = await folderWith(files);
    const { code, out, err } = await surmise(folder, 'check-public', ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(existsSync(path.join(folder, ledgerFile))).toBe(false);
  });
});
