import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

// Item 11: CSV for spreadsheets, as an option of release, estimate and query, which the bundle and the closing text tell.

const schema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: '@grade', type: 'category', values: ['+', '-'], other: '=other' },
    { name: 'n', type: 'integer', min: -2, max: -1, null: true },
  ],
});
const rows = `@grade,n\n${Array.from({ length: 200 }, (_, i) => `${i % 3 === 0 ? '+' : '-'},${-1 - (i % 2)}`).join('\n')}\n`;
const marginals = JSON.stringify({
  measurements: [{ attributes: ['@grade'], values: [50, 40, 10], noise: { kind: 'gaussian', scale: 1 } }],
});

it('item 11: release, estimate and query --csv write texts that no spreadsheet takes for a formula, when told', async () => {
  const folder = await folderWith({ 't.csv': rows, 's.json': schema, 'm.json': marginals });
  const run = (...words: string[]) => runHere(folder, ...words);
  const read = (name: string) => readFile(path.join(folder, name), 'utf8');
  const release = ['release', 't.csv', '--schema', 's.json', '--epsilon', '2', '--mechanism', 'mwem', '--rows', '40'];
  const plain = await run(...release, '--ledger', 'a.l', '-o', 'plain');
  expect(plain.out).toMatch(
    /begin with =, \+, - or @, which a spreadsheet takes for formulas: for one, release with --spreadsheet/,
  );
  expect(await read('plain/synthetic.csv')).toMatch(/^@grade,n\n[+=-]/);
  const again = await run(...release, '--ledger', 'b.l', '--another-ledger', '-o', 'sheet', '--spreadsheet');
  expect(again.out).toMatch(/synthetic\.csv is for spreadsheets/);
  const { configuration, sampling } = JSON.parse(await read('sheet/bundle.json'));
  expect(configuration.spreadsheet).toBe(true);
  for (const name of ['plain', 'sheet'])
    expect((await run('verify', name)).out).toMatch(/the rows are those that the model gives/);
  expect(sampling.values).toContain('apostrophe');
  expect(
    (await run('estimate', 'm.json', '--schema', 's.json', '-o', 'made', '--rows', '40', '--spreadsheet')).code,
  ).toBe(0);
  expect(JSON.parse(await read('made/estimate.json')).sampling.spreadsheet).toBe(true);
  for (const name of ['sheet', 'made']) {
    const [head, ...lines] = (await read(`${name}/synthetic.csv`)).trim().split('\n');
    expect(head).toBe("'@grade,n");
    expect(lines).toHaveLength(40);
    for (const line of lines) expect(line).toMatch(/^'[-+=](other)?,(-[12])?$/);
  }
  const sql = 'SELECT "@grade", COUNT(*) FROM data GROUP BY "@grade"';
  const answer = await run('query', 'made', sql, '--csv', '--spreadsheet');
  expect(answer.out).toMatch(/^'@grade,.*\n'\+,\d/);
  expect((await run('query', 'made', sql, '--csv')).out).toMatch(/^@grade,.*\n\+,\d/);
  for (const words of [
    [...release, '-o', 'x', '--spreadsheet', '--format', 'parquet'],
    ['estimate', 'm.json', '--schema', 's.json', '-o', 'x', '--spreadsheet', '--format', 'parquet'],
    ['query', 'made', sql, '--spreadsheet'],
  ])
    expect((await run(...words)).err).toMatch(/option --spreadsheet: is for/i);
});
