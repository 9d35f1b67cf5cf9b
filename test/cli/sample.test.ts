import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../adapters/table/read-table.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

const schema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
    { name: 'married', type: 'boolean' },
  ],
  constraints: [{ forbid: 'age < 15 and married' }],
};
const rows = Array.from({ length: 400 }, (_, i) => `${i % 3 === 0 ? 'm' : 'f'},${(i * 7) % 100},${i % 2 === 0}`);
const files = {
  's.json': JSON.stringify(schema),
  'p.csv': `sex,age,married\n${rows.join('\n')}\n`,
  'some.csv': 'age,sex\n12,f\n63,m\n41,f\n',
};

describe('surmise sample', () => {
  it('draws rows that meet a condition, fills given ones, by a seed, and refuses the rest with nothing written', async () => {
    const folder = await folderWith(files);
    const release = ['release', 'p.csv', '--schema', 's.json', '--epsilon', '3', '--mechanism', 'mst', '-o', 'r'];
    expect((await runHere(folder, ...release)).code).toBe(0);
    const where = "sex = 'm' AND age < 25";
    const asked = ['sample', 'r', '--where', where, '--rows', '200', '--seed', '7'];
    const drawn = await runHere(folder, ...asked, '-o', 'men.csv');
    expect({ code: drawn.code, err: drawn.err }).toEqual({ code: 0, err: '' });
    expect(drawn.out).toMatch(/^men\.csv: 200 rows, seed 7; the model expects [\d,]+ such records\n$/);
    const text = await readFile(path.join(folder, 'men.csv'), 'utf8');
    const [header, ...lines] = text.trimEnd().split('\n');
    expect([header, lines.length]).toEqual(['sex,age,married', 200]);
    for (const line of lines) {
      const [sex, age, married] = line.split(',');
      expect([sex, Number(age) < 25, Number(age) < 15 && married === 'true']).toEqual(['m', true, false]);
    }
    await runHere(folder, ...asked, '-o', 'again.csv');
    expect(await readFile(path.join(folder, 'again.csv'), 'utf8')).toBe(text);

    const filled = await runHere(folder, 'sample', 'r', '--given', 'some.csv', '-o', 'filled.parquet', '--json');
    expect(JSON.parse(filled.out)).toMatchObject({ file: 'filled.parquet', rows: 3 });
    const domain = domainFromSchema(parseSchema(schema));
    const { columns } = await readTable(path.join(folder, 'filled.parquet'), domain);
    expect([[...columns[0]], [...columns[1]]]).toEqual([
      [0, 1, 0],
      [1, 6, 4],
    ]);

    for (const [words, message] of [
      [[], /needs --where or --given, got neither/],
      [['--where', 'agee < 3'], /there is no column "agee"; did you mean age\?/],
      [['--where', 'married AND age < 10'], /must be possible under the model/],
      [['--given', 'p.csv'], /must be public, got a table that has a ledger/],
      [['--given', 'some.csv', '--rows', '2'], /rows: are as many as were given/],
    ] as const) {
      const { code, err } = await runHere(folder, 'sample', 'r', ...words, '-o', 'no.csv');
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
    await expect(readFile(path.join(folder, 'no.csv'))).rejects.toThrow('ENOENT');
  });
});
