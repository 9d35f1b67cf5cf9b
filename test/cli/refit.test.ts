import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

const schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 9 },
  ],
};
const table = (rows: number, men: number): string =>
  ['sex,age', ...Array.from({ length: rows }, (_, i) => `${i % men === 0 ? 'm' : 'f'},${(i * 3) % 10}`), ''].join('\n');
const files = { 's.json': JSON.stringify(schema), 'p.csv': table(500, 3), 'q.csv': table(200, 2) };

describe('surmise refit', () => {
  it('makes another directory of a release from its measurements alone, which verifies with the ledger that nothing was taken from', async () => {
    const folder = await folderWith(files);
    const release = ['release', 'p.csv', '--schema', 's.json', '--epsilon', '1', '--mechanism', 'aim', '-o', 'r'];
    expect((await surmise(folder, ...release)).code).toBe(0);
    const ledger = await readFile(path.join(folder, 'p.csv.ledger.jsonl'), 'utf8');

    const rows = await surmise(folder, 'refit', 'r', '--rows', '40', '--format', 'parquet', '-o', 'more', '--json');
    expect({ code: rows.code, err: rows.err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(rows.out)).toMatchObject({
      directory: 'more',
      sampling: { file: 'synthetic.parquet', rows: 40 },
    });
    const fitted = await surmise(
      folder,
      ...['refit', 'r', '--estimator', 'reweight', '--public', 'q.csv', '--bootstrap', '2', '-o', 'again'],
    );
    expect(fitted.out).toMatch(/^Fitted anew by reweight to what aim measured; nothing was spent:/);
    for (const directory of ['more', 'again']) {
      const verified = await surmise(folder, 'verify', directory, '--ledger', 'p.csv.ledger.jsonl');
      expect(verified.out).toMatch(new RegExp(`^${directory}: whole`));
    }
    expect(await readFile(path.join(folder, 'p.csv.ledger.jsonl'), 'utf8')).toBe(ledger);

    // What cannot be done leaves nothing behind.
    const before = await readdir(folder);
    for (const [words, message] of [
      [['--estimator', 'reweight'], /reweight needs a public table/],
      [['--estimator', 'pgm', '--set', 'epochs=3'], /option --set: pgm has until, iterations/],
      [['--set', 'iterations=3'], /got no --estimator/],
      [['--estimator', 'reweight', '--public', 'p.csv'], /must be public, got a table that has a ledger/],
      [['--estimator', 'pgm', '--bootstrap', '1'], /must be 0 or from 2 on/],
    ] as const) {
      const { code, err } = await surmise(folder, 'refit', 'r', ...words, '-o', 'no');
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
    expect(await readdir(folder)).toEqual(before);
  });
});
