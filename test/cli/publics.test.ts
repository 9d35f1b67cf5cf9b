import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
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
  'near.csv': table(900, 60),
  'diagonal.csv': 'a,b\n0,0\n1,1\n2,2\n',
  'earlier.csv': table(2100, 68),
  's.json': JSON.stringify({ surmise: 1, origin: { kind: 'declared' }, attributes: [cells('a'), cells('b')] }),
};
const names = Object.keys(files).sort();
const publics = ['--public', 'diagonal.csv', '--public', 'near.csv'];
// On public rows alone: a widened support makes up for what the diagonal lacks, and either table would do.
const told = ['--schema', 's.json', '--epsilon', '1', '--mechanism', 'reweight', '--set', 'lambda=0'];
const seeds = ['--unsafe-seed', '1', '--ledger', 'seeds.jsonl'];

describe('several public tables', () => {
  it('are planned, released, verified and released again, each way; what was chosen is in the bundle', async () => {
    const folder = await folderWith(files);
    await surmise(folder, 'ledger', 'init', 'seeds.jsonl', '--unsafe-seeds', '--epsilon', '9', '--delta', '1e-9');
    for (const [way, more, start] of [
      ['together', ['--public-weight', '1', '--public-weight', '3'], 'diagonal.csv + near.csv'],
      ['stand-in', ['--stand-in', 'earlier.csv'], 'near.csv'],
      ['paid', ['--publics', 'paid', '--share', '0.3'], 'near.csv'],
    ] as const) {
      const words = ['release', 'private.csv', ...publics, ...told, ...more];
      const planned = await surmise(folder, ...words, '--dry-run', '--json');
      expect(planned).toMatchObject({ code: 0, err: '' });
      const plan = JSON.parse(planned.out);
      if (way === 'paid')
        expect(plan).toMatchObject({ choosing: { share: 0.3, tables: [{ name: 'diagonal.csv' }, { rows: 900 }] } });
      else expect(plan.among).toMatchObject({ way });
      const released = await surmise(folder, ...words, ...seeds, '--bootstrap', '0', '-o', way);
      expect(released).toMatchObject({ code: 0, err: '' });
      expect(released.out).toMatch(/public tables/);
      const { public: used, configuration } = JSON.parse(await readFile(path.join(folder, way, 'bundle.json'), 'utf8'));
      expect(used).toMatchObject({ file: start, among: { way } });
      expect(configuration).toMatchObject({ public: ['diagonal.csv', 'near.csv'], publics: way });
      expect(await surmise(folder, 'verify', way, '--ledger', 'seeds.jsonl')).toMatchObject({ code: 0 });
      const again = ['release', 'private.csv', '--config', way, ...seeds, '--json', '-o', `${way}-again`];
      const { code, out } = await surmise(folder, ...again);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ public: { file: start, among: { way } } });
    }
  });

  it('are refused in one sentence, with nothing spent or left behind, where they do not go together or look private', async () => {
    const folder = await folderWith({ ...files, 'copy.csv': files['private.csv'], 'kept.csv': table(60, 50) });
    await surmise(folder, 'ledger', 'init', 'kept.csv.ledger.jsonl', '--epsilon', '1');
    const before = (await readdir(folder)).sort();
    const words = ['release', 'private.csv', ...told, '-o', 'out'];
    for (const [more, message] of [
      [['--public', 'near.csv', '--publics', 'paid'], /must be several for "paid"/],
      [['--public', 'near.csv', '--stand-in', 'earlier.csv'], /must be several for a stand-in/],
      [[...publics, '--publics', 'stand-in'], /needs a public table that plays the private one/],
      [[...publics, '--publics', 'some'], /must be together, stand-in, paid/],
      [[...publics, '--share', '0.2'], /is for choosing among public tables for a price/],
      [[...publics, '--public-weight', '2'], /one for each/],
      [[...publics, '--public', './near.csv'], /must be another table than near.csv/],
      [[...publics, '--stand-in', 'near.csv'], /must be another table than near.csv/],
      [[...publics, '--stand-in', 'private.csv'], /is the private table itself/],
      [[...publics, '--stand-in', 'kept.csv'], /has a ledger/],
      [[...publics, '--stand-in', 'copy.csv'], /copy of the private table/],
      [[...publics, '--public', 'kept.csv'], /has a ledger/],
      [[...publics, '--public', 'copy.csv'], /copy of the private table/],
    ] as const) {
      const { code, out, err } = await surmise(folder, ...words, ...more);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(message);
      expect((await readdir(folder)).sort()).toEqual(before);
    }
    expect(existsSync(path.join(folder, 'private.csv.ledger.jsonl'))).toBe(false);
    expect(names.every((name) => before.includes(name))).toBe(true);
  });
});
