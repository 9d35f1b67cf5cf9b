import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readBundle } from '../../adapters/bundle-directory.js';
import { outsideRules } from '../../src/domain/schema/outside.js';
import { people } from '../support/people.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

// Item 12: a release goes on when a row holds a value outside the schema, says beforehand when it would not, and its bundle
// says which rule was in force.

const schema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 5 },
    { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
    { name: 'vip', type: 'boolean' },
  ],
});
const clean = people(300, 1);
// One row more, in which nothing has a place.
const soiled = `${clean}p1,old,SECRET,maybe,Cove\n`;
const basics = ['--schema', 's.json', '--epsilon', '3', '--mechanism', 'mwem', '--rows', '50', '--bootstrap', '0'];

let folder: string;
const at = (name: string): string => path.join(folder, name);
const release = (table: string, ...words: string[]) => runHere(folder, 'release', table, ...basics, ...words);

beforeEach(async () => {
  folder = await folderWith({ 'clean.csv': clean, 'soiled.csv': soiled, 's.json': schema, 'public.csv': soiled });
});

describe('item 12: surmise release --outside', () => {
  it.each(['other', 'clip'] as const)(
    '%s makes a release of a table with a row that fits nowhere, and tells nobody',
    async (rule) => {
      const words = ['--outside', rule, '--seed', '1', '--dataset', 'd'];
      const said = [];
      for (const name of ['clean', 'soiled']) {
        const { code, out, err } = await release(`${name}.csv`, ...words, '--ledger', `${name}.l`, '-o', name);
        expect({ code, err }).toEqual({ code: 0, err: '' });
        said.push(out.replaceAll(name, 'NAME').replace(/[\d,.\s]+/g, ' '));
        const { manifest, model } = await readBundle(at(name));
        expect(manifest.configuration?.outside).toBe(rule);
        const sizes = model.domain.attributes.map(({ size }) => size);
        expect(sizes).toEqual(rule === 'other' ? [8, 4, 3] : [5, 3, 2]);
        const report = await readFile(at(`${name}/report.html`), 'utf8');
        expect(report).toContain('values that the schema does not name');
        expect(report + out).not.toContain('SECRET');
      }
      // But for noisy numbers, what is said does not depend on whether there was such a row.
      expect(said[1]).toBe(said[0]);
      const verified = await runHere(folder, 'verify', 'soiled', '--ledger', 'soiled.l');
      expect(verified.code).toBe(0);
    },
  );

  it('says, before it opens the table, what a single value would stop, and how to go on', async () => {
    const note =
      /^note: a single value that the schema has no place for, such as an empty one, would stop this run, in age, colour, vip;.*--outside other.*--outside clip/;
    const fine = await release('clean.csv', '-o', 'a');
    expect(fine.code).toBe(0);
    expect(fine.err).toMatch(note);
    const stopped = await release('soiled.csv', '-o', 'b');
    expect(stopped.code).toBe(2);
    expect(stopped.err.split('\n')[0]).toMatch(note);
    expect(stopped.err.split('\n')[1]).toMatch(/^surmise: soiled\.csv: column "age", row 301: not a whole number/);
    expect(stopped.err).not.toContain('SECRET');
    expect((await readBundle(at('a'))).manifest.configuration?.outside).toBe('declared');
  });

  it('stop stops on a number beyond the range as well, and spends nothing', async () => {
    const { code, err } = await release('beyond.csv', '-o', 'a', '--outside', 'stop').catch(() => ({
      code: 0,
      err: '',
    }));
    expect({ code, err }).toMatchObject({ code: 2 });
    folder = await folderWith({ 'beyond.csv': `${clean}p1,120,red,true,Cove\n`, 's.json': schema });
    const stopped = await release('beyond.csv', '-o', 'a', '--outside', 'stop');
    expect(stopped.code).toBe(2);
    expect(stopped.err).toMatch(/column "age", row 301: beyond the declared range/);
    expect(stopped.err).not.toContain('120');
    expect((await release('beyond.csv', '-o', 'a')).code).toBe(0);
  });

  it.each(outsideRules)('%s stands in the dry run, which reads the public table by it', async (rule) => {
    const { code, out, err } = await release(
      'clean.csv',
      '--dry-run',
      '--json',
      '--public',
      'public.csv',
      '--outside',
      rule,
    );
    if (rule === 'other' || rule === 'clip') {
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(out).outside).toBe(rule);
    } else {
      expect(code).toBe(2);
      expect(err).toMatch(/public\.csv: column "age", row 301/);
    }
  });

  it('other lets a public table with an unknown value serve as the prior', async () => {
    const words = ['--public', 'public.csv', '--schema', 's.json', '--epsilon', '3', '--mechanism', 'reweight'];
    for (const rule of ['other', 'clip']) {
      const made = await runHere(
        folder,
        'release',
        'clean.csv',
        ...words,
        '--outside',
        rule,
        '--ledger',
        `${rule}.l`,
        '--another-ledger',
        '-o',
        rule,
      );
      expect(made).toMatchObject({ code: 0, err: '' });
    }
  });

  it('is taken over when a release is made again, and refuses a rule that there is not', async () => {
    expect((await release('soiled.csv', '-o', 'a', '--outside', 'other')).code).toBe(0);
    const again = ['release', 'clean.csv', '--config', 'a', '--ledger', 'clean.l', '-o', 'b'];
    await runHere(folder, 'ledger', 'init', 'clean.l', '--dataset', 'd', '--epsilon', '9', '--delta', '1e-9');
    expect(await runHere(folder, ...again, '--dataset', 'd')).toMatchObject({ code: 0, err: '' });
    expect((await readBundle(at('b'))).manifest.configuration?.outside).toBe('other');
    const wrong = await release('clean.csv', '-o', 'c', '--outside', 'ignore');
    expect(wrong.err).toMatch(/option --outside: must be declared, other, clip, stop, got "ignore"/);
  });
});

it('surmise check-public --outside goes on in the same way', async () => {
  folder = await folderWith({ 'soiled.csv': soiled, 'public.csv': `${people(200, 0)}p1,,,,\n`, 's.json': schema });
  const words = [
    'check-public',
    'soiled.csv',
    '--public',
    'public.csv',
    '--schema',
    's.json',
    '--epsilon',
    '1',
    '--json',
  ];
  expect(await runHere(folder, ...words)).toMatchObject({ code: 2, out: '' });
  expect(await runHere(folder, ...words, '--outside', 'clip')).toMatchObject({ code: 0, err: '' });
});
