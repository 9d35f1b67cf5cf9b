import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { folderWith, surmise } from '../support/surmise.js';

// Twelve households: two of each size from 1 to 5, one of 7, one of nobody.
const sizes = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 7, 0];
const homes = `hh,region,rooms\n${sizes.map((_, home) => `h${home},${['north', 'south'][home % 2]},${1 + (home % 4)}\n`).join('')}`;
const persons = `hh,age,sex,region\n${sizes
  .flatMap((size, home) =>
    Array.from({ length: size }, (_, i) => `h${home},${20 + i},${['f', 'm'][i % 2]},${['north', 'south'][home % 2]}\n`),
  )
  .join('')}`;
const files = { 'persons.csv': persons, 'homes.csv': homes };
const learn = ['schema', 'persons.csv', '--households', 'homes.csv', '--key', 'hh'];

describe('surmise schema and inspect on households', () => {
  it('learn from both tables what is said of households and of persons, and show the sizes', async () => {
    const folder = await folderWith(files);
    const learned = await surmise(folder, ...learn, '-o', 's.json');
    expect(learned).toMatchObject({ code: 0, err: '' });
    expect(learned.out).toContain('surmise inspect persons.csv --households homes.csv --schema s.json');
    const schema = parseSchema(JSON.parse(await readFile(`${folder}/s.json`, 'utf8')));
    expect(schema.twoLevel).toEqual({ key: 'hh', household: ['region', 'rooms'], maxSize: 5 });
    expect(schema.attributes.map(({ name }) => name)).toEqual(['region', 'rooms', 'age', 'sex']);
    const inspect = ['inspect', 'persons.csv', '--schema', 's.json', '--households', 'homes.csv'];
    const shown = await surmise(folder, ...inspect);
    expect(shown).toMatchObject({ code: 0, err: '' });
    expect(shown.out).toMatch(
      /^homes\.csv: 12 rows.*\n[\s\S]*\npersons\.csv: 37 rows[\s\S]*\npersons in a household\n/,
    );
    const { households, rows, attributes } = JSON.parse((await surmise(folder, ...inspect, '--json')).out);
    expect({ households, rows }).toEqual({ households: { sizes: [2, 2, 2, 2, 2], larger: 1, empty: 1 }, rows: 37 });
    expect(attributes.map(({ name }: { name: string }) => name)).toEqual(['region', 'rooms', 'age', 'sex']);
  });

  it.each<[string, string[], RegExp]>([
    [
      'a key without households',
      ['schema', 'persons.csv', '--key', 'hh'],
      /option --households: must be given with --key/,
    ],
    [
      'a key that is not in both',
      [...learn.slice(0, -1), 'rooms'],
      /key: must name a column of both tables, got "rooms"/,
    ],
    [
      'a column to exclude that neither has',
      [...learn, '--exclude', 'Hh'],
      /exclude: must name a column of either table/,
    ],
    [
      'households by a plain schema',
      ['inspect', 'persons.csv', '--schema', 'flat.json', '--households', 'homes.csv'],
      /option --households: is for a schema with twoLevel/,
    ],
    [
      'a person without a household',
      ['inspect', 'stray.csv', '--schema', 'two.json', '--households', 'homes.csv'],
      /stray\.csv, row 2: must have a key of the homes\.csv/,
    ],
  ])('refuse %s in one sentence', async (_, words, message) => {
    const attributes = [
      { name: 'region', type: 'category', values: ['north', 'south'] },
      { name: 'sex', type: 'category', values: ['f', 'm'] },
    ];
    const flat = { surmise: 1, origin: { kind: 'declared' }, attributes };
    const folder = await folderWith({
      ...files,
      'stray.csv': 'hh,sex\nh1,f\nnobody,m\n',
      'flat.json': JSON.stringify(flat),
      'two.json': JSON.stringify({ ...flat, twoLevel: { key: 'hh', household: ['region'], maxSize: 3 } }),
    });
    const { code, err } = await surmise(folder, ...words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
