import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../adapters/bundle-directory.js';
import { people } from '../support/people.js';
import { folderWith, surmise } from '../support/surmise.js';

/** One release for all tests of this file: processes are slow. */
let folder = '';
const ledger = 'l.jsonl';
const budget = ['--ledger', ledger, '--dataset', 'survey'];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
  await writeFile(path.join(folder, 'public.csv'), people(400, 0));
  await writeFile(path.join(folder, 'private.csv'), people(500, 2));
  await writeFile(path.join(folder, 'open.csv'), people(300, 1));
  await surmise(folder, 'ledger', 'init', ledger, '--dataset', 'survey', '--epsilon', '9', '--delta', '1e-9');
  const words = ['--public', 'public.csv', '--exclude', 'who', '--epsilon', '2', '--set', 'maxCells=500', '-o', 'out'];
  const made = await surmise(folder, 'release', 'private.csv', ...words, ...budget);
  expect(made).toMatchObject({ code: 0, err: '' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('surmise evaluate', () => {
  it('compares a public table with a release: distances by number of attributes, and the worst cells by their values', async () => {
    const { code, out, err } = await surmise(folder, 'evaluate', 'public.csv', 'out', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const found = JSON.parse(out);
    expect(found).toMatchObject({
      first: { name: 'public.csv', kind: 'table', rows: 400 },
      second: { name: 'out', kind: 'release' },
    });
    expect(found).not.toHaveProperty('nonPrivate');
    expect(found.ways.map(({ way, all, compared }: Record<string, number>) => [way, all, compared])).toEqual([
      [1, 4, 4],
      [2, 6, 6],
      [3, 4, 4],
    ]);
    const { model } = await readBundle(path.join(folder, 'out'));
    const [worst] = found.ways[0].worst;
    expect(worst.second).toBeCloseTo(model.marginal(worst.attributes)[worst.cells[0]] / model.total, 12);
    expect(worst.text).toMatch(/^(age|colour|vip|city) .+/);
  });

  it('finds nothing between a table and itself, and writes a page and a picture that load nothing', async () => {
    const words = ['evaluate', 'public.csv', 'open.csv', '--exclude', 'who'];
    const same = await surmise(folder, 'evaluate', 'open.csv', 'open.csv', '--exclude', 'who');
    expect(same).toMatchObject({ code: 0, err: '' });
    expect(same.out).toMatch(/open\.csv \(300 rows\) against open\.csv \(300 rows\)/);
    expect(same.out).toContain('No cell differs.');
    for (const file of ['e.html', 'e.svg']) {
      expect(await surmise(folder, ...words, '-o', file)).toMatchObject({ code: 0, err: '' });
      const text = await readFile(path.join(folder, file), 'utf8');
      expect(text).toContain('<svg');
      expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg)|NOT PRIVATE/);
      const again = await surmise(folder, ...words, '-o', file);
      expect(again).toMatchObject({ code: 2, out: '' });
      expect(again.err).toMatch(/must not exist yet/);
    }
  });

  it('refuses a table that a ledger or a release knows as private, unless told, and then stamps every form of output', async () => {
    // The ledger is of a name the person gave, so it is the release that gives the table away when its file has that name.
    const other = await folderWith({ 'private.csv': people(500, 2), 'public.csv': people(400, 0) });
    await surmise(other, 'ledger', 'init', 'private.csv.ledger.jsonl', '--dataset', 'x', '--epsilon', '1');
    for (const words of [
      ['private.csv', 'public.csv'],
      ['public.csv', './private.csv'],
    ]) {
      const { code, out, err } = await surmise(other, 'evaluate', ...words, '--exclude', 'who', '-o', 'e.svg');
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/private\.csv: must be public or synthetic, got a table that has a ledger/);
      expect(existsSync(path.join(other, 'e.svg'))).toBe(false);
    }
    const unsafe = ['evaluate', 'public.csv', 'private.csv', '--exclude', 'who', '--unsafe-non-private'];
    const stamp = 'NOT PRIVATE: this compares with a private table exactly';
    const text = await surmise(other, ...unsafe, '-o', 'e.html');
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out.split(stamp).length).toBe(3);
    expect((await readFile(path.join(other, 'e.html'), 'utf8')).split(stamp).length).toBe(3);
    const json = await surmise(other, ...unsafe, '-o', 'e.svg', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ nonPrivate: true, warning: expect.stringContaining(stamp) });
    expect(await readFile(path.join(other, 'e.svg'), 'utf8')).toContain(stamp);
  });

  it.each([
    ['one table', ['public.csv'], /evaluate: needs SECOND, got none/],
    ['a table that is not there', ['public.csv', 'none.csv'], /none\.csv: must be a file that exists/],
    ['a directory that is no release', ['public.csv', '.'], /\.: must be a table or the directory of a release/],
    ['a picture of unknown form', ['public.csv', 'out', '-o', 'e.png'], /option --out: must end in \.html or \.svg/],
    ['a schema beside that of a release', ['public.csv', 'out', '--schema', 's.json'], /--schema: is for two tables/],
  ])('refuses %s', async (_, words, says) => {
    const { code, out, err } = await surmise(folder, 'evaluate', ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});

describe('a release that is made again', () => {
  it('takes options and schema from the earlier bundle, and what is typed in their place', async () => {
    const words = ['release', 'private.csv', '--config', 'out', '--epsilon', '1', '--ledger', ledger, '-o', 'again'];
    const made = await surmise(folder, ...words);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^Options from out\/bundle\.json\.\n/);
    const [first, second] = await Promise.all(
      ['out', 'again'].map(async (name) => (await readBundle(path.join(folder, name))).manifest),
    );
    expect(second.schema).toEqual(first.schema);
    const { why: _, ...before } = first.configuration!;
    expect(second.configuration).toEqual({ ...before, epsilon: '1' });
    expect(second.mechanism.options).toEqual(first.mechanism.options);
    expect(JSON.stringify(first.configuration)).not.toContain('private');
  });

  it('insists on a ledger that exists: a new one would forget what was spent', async () => {
    // A copy of the table has no ledger, and no note that says where it is.
    const copied = async (name: string) => [name, await readFile(path.join(folder, name), 'utf8')];
    const other = await folderWith(Object.fromEntries([await copied('private.csv'), await copied('public.csv')]));
    const { code, out, err } = await surmise(
      other,
      'release',
      'private.csv',
      '--config',
      path.join(folder, 'out'),
      '-o',
      'third',
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/ledger private\.csv\.ledger\.jsonl: must exist when a release is made again/);
    expect((await readdir(other)).sort()).toEqual(['private.csv', 'public.csv']);
  });

  it('is not made from a bundle that was changed', async () => {
    const other = await folderWith({
      'bundle.json': (await readFile(path.join(folder, 'out/bundle.json'), 'utf8')).replace(
        '"epsilon":"2"',
        '"epsilon":"3"',
      ),
    });
    const { code, err } = await surmise(other, 'release', '--dry-run', '--config', 'bundle.json');
    expect(code).toBe(2);
    expect(err).toMatch(/bundle\.json: must be as surmise wrote it, got a changed file/);
  });
});
