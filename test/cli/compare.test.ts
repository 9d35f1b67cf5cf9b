import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { people } from '../support/people.js';
import { folderWith, surmise } from '../support/surmise.js';

const schema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
    { name: 'city', type: 'category', values: ['Aldern', 'Brook'], other: 'elsewhere' },
    { name: 'vip', type: 'boolean' },
  ],
});
const tables = { 'earlier.csv': people(400, 0), 'later.csv': people(600, 2), 's.json': schema };

describe('surmise compare', () => {
  it('runs mechanisms over budgets beside the two lines, as a table, JSON and a page, and touches no ledger', async () => {
    const folder = await folderWith(tables);
    const words = ['compare', 'later.csv', '--public', 'earlier.csv', '--schema', 's.json', '--epsilon', '0.5,50'];
    const few = ['--mechanisms', 'reweight,mwem', '--runs', '2', '-o', 'c.html', '--json'];
    const { code, out, err } = await surmise(folder, ...words, ...few);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const found = JSON.parse(out);
    expect(found).toMatchObject({ treatedAsPublic: 'later.csv', rows: 600, public: 'earlier.csv', pairs: 3, runs: 2 });
    expect(found.contestants.map((one: { mechanism: string; budget: object }) => [one.mechanism, one.budget])).toEqual(
      ['reweight', 'mwem'].flatMap((name) => ['0.5', '50'].map((epsilon) => [name, { epsilon, delta: '1e-9' }])),
    );
    expect(found.contestants[3].error.mean).toBeLessThan(found.contestants[2].error.mean);
    expect(found.contestants[3].error.mean).toBeLessThan(found.asIs.error.mean);
    expect(found.sample.error.runs).toBe(2);
    const page = await readFile(path.join(folder, 'c.html'), 'utf8');
    expect(page).toContain('treated as public');
    expect(page).toContain('<svg');
    expect((await readdir(folder)).sort()).toEqual(['c.html', ...Object.keys(tables)].sort());
  });

  it('says which mechanisms cannot run and why, in words', async () => {
    const folder = await folderWith(tables);
    const words = [
      'compare',
      'later.csv',
      '--schema',
      's.json',
      '--epsilon',
      '5',
      '--mechanisms',
      'ide,mwem',
      '--runs',
      '1',
    ];
    const { code, out, err } = await surmise(folder, ...words, '-o', 'c.svg');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^later\.csv plays the private table \(600 rows\)\. It is treated as public/);
    expect(out).toMatch(/\nmwem +5 +[\d.]+%/);
    expect(out).toMatch(/\nanother sample of the same size +[\d.]+%/);
    expect(out).toContain('ide could not run: it needs a public table, and there is none\n');
    expect(await readFile(path.join(folder, 'c.svg'), 'utf8')).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/,
    );
  });

  it('refuses a table that has a ledger', async () => {
    const folder = await folderWith(tables);
    await surmise(folder, 'ledger', 'init', 'later.csv.ledger.jsonl', '--dataset', 'x', '--epsilon', '1');
    const { code, out, err } = await surmise(folder, 'compare', 'later.csv', '--schema', 's.json');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/later\.csv: must be public to stand in for the private table, got a table that has a ledger/);
  });

  it.each([
    ['an epsilon that is none', ['later.csv', '--epsilon', '1,much'], /epsilon: must be a non-negative decimal/],
    ['an unknown mechanism', ['later.csv', '--mechanisms', 'mwen'], /did you mean mwem\?/],
    ['a mechanism twice', ['later.csv', '--mechanisms', 'mwem,mwem'], /names must differ, got mwem twice/],
    ['no runs', ['later.csv', '--runs', '0'], /option --runs: must be a whole number from 1/],
    ['the stand-in as its own public table', ['later.csv', '--public', 'later.csv'], /must be another table than/],
  ] as [string, string[], RegExp][])('refuses %s', async (_, words, says) => {
    const folder = await folderWith(tables);
    const { code, out, err } = await surmise(folder, 'compare', ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});
