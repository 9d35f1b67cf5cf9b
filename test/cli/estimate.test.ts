import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

const schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 2 },
    { name: 'work', type: 'boolean' },
  ],
};
const noise = { kind: 'gaussian', scale: 2 };
/** sex and work depend on each other through age alone. */
const measurements = [
  {
    attributes: ['sex', 'age'],
    values: [
      [600, 300, 100],
      [100, 200, 700],
    ],
    noise,
  },
  { attributes: ['work', 'age'], values: [630, 100, 80, 70, 400, 720], noise: { kind: 'laplace', scale: 1.5 } },
];
const files = {
  's.json': JSON.stringify(schema),
  'm.json': JSON.stringify({ measurements }),
  'bad.json': JSON.stringify({ measurements: [{ attributes: ['sex'], values: [1, 2, 3], noise }] }),
  'text.json': 'no JSON',
};
const words = ['estimate', 'm.json', '--schema', 's.json', '-o', 'out', '--seed', '5'];

describe('surmise estimate', () => {
  it('makes a model and rows of measurements from outside, which can be asked', async () => {
    const folder = await folderWith(files);
    const { code, out, err } = await surmise(folder, ...words, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out).measurements).toBe(2);
    expect((await readdir(path.join(folder, 'out'))).sort()).toEqual([
      'estimate.json',
      'measurements.bin',
      'model.bin',
      'synthetic.csv',
    ]);
    const asked = await surmise(folder, 'query', 'out', "SELECT COUNT(*) FROM data WHERE sex = 'f' AND work", '--json');
    expect(asked.err).toBe('');
    // By conditional independence: sum over age of (sex f, age) times (work, age) / age.
    const expected = (600 * 70) / 700 + (300 * 400) / 500 + (100 * 720) / 800;
    const [answer] = JSON.parse(asked.out).answers;
    expect(Math.abs(answer.rows[0].values[0] - expected)).toBeLessThan(10);
    const rows = (await readFile(path.join(folder, 'out', 'synthetic.csv'), 'utf8')).trim().split('\n');
    expect(rows[0]).toBe('sex,age,work');
    expect(Math.abs(rows.length - 1 - 2000)).toBeLessThan(30);

    // The same seed draws the same rows; a changed file is noticed.
    expect((await surmise(folder, ...words.map((word) => (word === 'out' ? 'again' : word)))).code).toBe(0);
    expect(await readFile(path.join(folder, 'again', 'synthetic.csv'), 'utf8')).toBe(`${rows.join('\n')}\n`);
    const model = path.join(folder, 'again', 'model.bin');
    const bytes = await readFile(model);
    bytes[bytes.length - 1] ^= 1;
    await writeFile(model, bytes);
    const changed = await surmise(folder, 'query', 'again', 'SELECT COUNT(*) FROM data');
    expect(changed.code).toBe(2);
    expect(changed.err).toMatch(/model\.bin: must be the file that estimate\.json names/);
  });

  it.each([
    [
      ['estimate', 'bad.json', '--schema', 's.json', '-o', 'out'],
      /bad\.json measurements\.0 \(sex\): must have 2 values/,
    ],
    [['estimate', 'text.json', '--schema', 's.json', '-o', 'out'], /text\.json: must be JSON/],
    [['estimate', 'none.json', '--schema', 's.json', '-o', 'out'], /none\.json: /],
    [['estimate', 'm.json', '-o', 'out'], /option --schema: must name the schema/],
    [['estimate', 'm.json', '--schema', 's.json'], /option --out: must name the directory/],
    [[...words, '--until', 'soon'], /option --until: must be validated or converged, got "soon"/],
  ])('answers bad input with one sentence and leaves nothing behind: %j', async (given, message) => {
    const folder = await folderWith(files);
    const { code, out, err } = await surmise(folder, ...given);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(existsSync(path.join(folder, 'out'))).toBe(false);
  });
});
