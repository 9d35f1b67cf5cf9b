import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { domainOf } from '../../src/domain/domain-of.js';
import { encodeTable } from '../../src/domain/encode/encode-table.js';
import { InputError } from '../../src/domain/input-error.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';
import { writeWhole, writeWholeDirectory } from '../write-whole.js';
import { tableColumns } from './read-columns.js';
import { readTable } from './read-table.js';
import { writeTable } from './write-table.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterEach(() => rm(folder, { recursive: true }));
const at = (name: string) => path.join(folder, name);

const domain = domainOf([
  {
    name: 'plain',
    type: 'category',
    values: ['a', 'b, c', 'd "e"', 'f\ng', 'h\r\ni', ' j ', 'é', "k'l"],
    other: 'rest',
  },
  { name: 'yes, or no', type: 'boolean', null: true },
  { name: 'age', type: 'integer', min: -5, max: 94, bins: 10, null: true },
  { name: 'wage', type: 'number', min: 0.01, max: 1e6, bins: 20, scale: 'log' },
  { name: 'born', type: 'date', by: 'month', min: '1950-01-15', max: '2014-03-31', null: true },
]);

const randomTable = (length: number, seed: number): Table => {
  const random = seeded(seed);
  const columns = domain.attributes.map(({ size }) => {
    const column = codeColumn(size, length);
    for (let row = 0; row < length; row++) column[row] = uniformInteger(random, size);
    return column;
  });
  return { domain, length, columns };
};

test.each(['out.csv', 'out.tsv', 'out.parquet'])(
  'cells written to %s and read again are the same cells',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 5000 }), fc.nat(), async (length, seed) => {
        const table = randomTable(length, seed);
        await writeTable(at(name), domain, table, { random: seeded(seed), overwrite: true });
        expect(await readTable(at(name), domain)).toEqual(table);
      }),
      {
        numRuns: 5,
        examples: [
          [0, 1],
          [1, 1],
          [2048, 2],
          [2049, 3],
        ],
      },
    );
  },
);

test('rows that arrive in parts are written as if they had come at once', async () => {
  const parts = [randomTable(3000, 1), randomTable(0, 2), randomTable(5, 3)];
  const whole = {
    domain,
    length: 3005,
    columns: parts[0].columns.map((column, i) => {
      const joined = codeColumn(domain.attributes[i].size, 3005);
      joined.set(column);
      joined.set(parts[2].columns[i], 3000);
      return joined;
    }),
  };
  async function* stream() {
    yield* parts;
  }
  for (const name of ['a.csv', 'a.parquet']) {
    await writeTable(at(name), domain, stream(), { random: seeded(1) });
    expect(await readTable(at(name), domain)).toEqual(whole);
  }
});

test('CSV fields are quoted as RFC 4180 says and empty values are empty fields', async () => {
  const table = encodeTable(domainOf(domain.attributes.slice(0, 2).map(({ spec }) => spec)), {
    plain: ['a', 'b, c', 'd "e"', 'f\ng'],
    'yes, or no': [true, null, false, null],
  });
  await writeTable(at('a.csv'), table.domain, table, { random: seeded(1) });
  expect(await readFile(at('a.csv'), 'utf8')).toBe('plain,"yes, or no"\na,true\n"b, c",\n"d ""e""",false\n"f\ng",\n');
});

test('a single empty column keeps its rows', async () => {
  const one = domainOf([{ name: 'x', type: 'boolean', null: true }]);
  const table = encodeTable(one, { x: [null, true, null] });
  await writeTable(at('a.csv'), one, table, { random: seeded(1) });
  expect((await readTable(at('a.csv'), one)).columns).toEqual(table.columns);
});

test('Parquet columns have the type of their attribute', async () => {
  await writeTable(at('a.parquet'), domain, randomTable(10, 1), { random: seeded(1) });
  expect((await tableColumns(at('a.parquet'))).map(({ type }) => type)).toEqual([
    'VARCHAR',
    'BOOLEAN',
    'BIGINT',
    'DOUBLE',
    'DATE',
  ]);
});

describe.each(['a.csv', 'a.parquet'])('%s', (name) => {
  test('is not there, nor anything else, when the rows fail halfway', async () => {
    async function* broken() {
      yield randomTable(5000, 1);
      throw new Error('no more rows');
    }
    await expect(writeTable(at(name), domain, broken(), { random: seeded(1) })).rejects.toThrow('no more rows');
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not there, nor anything else, after an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    async function* endless() {
      for (;;) yield randomTable(2048, 1);
    }
    const options = { random: seeded(1), signal: controller.signal };
    const written = writeTable(at(name), domain, endless(), {
      ...options,
      onProgress: ({ done }) => {
        if (done > 10_000) controller.abort(reason);
      },
    });
    await expect(written).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });

  test('is left alone when it exists, unless told', async () => {
    await writeFile(at(name), 'mine');
    const table = randomTable(3, 1);
    await expect(writeTable(at(name), domain, table, { random: seeded(1) })).rejects.toThrow(InputError);
    expect(await readFile(at(name), 'utf8')).toBe('mine');
    await writeTable(at(name), domain, table, { random: seeded(1), overwrite: true });
    expect(await readTable(at(name), domain)).toEqual(table);
    expect(await readdir(folder)).toEqual([name]);
  });
});

test.each(['a.jsonl', 'a.csv.gz', 'a.txt'])('%s is refused before anything is written', async (name) => {
  await expect(writeTable(at(name), domain, randomTable(3, 1), { random: seeded(1) })).rejects.toThrow(InputError);
  expect(await readdir(folder)).toEqual([]);
});

test('a name taken while the file was being written is not replaced', async () => {
  const written = writeWhole(at('a.txt'), async (temporary) => {
    await writeFile(temporary, 'ours');
    await writeFile(at('a.txt'), 'theirs');
  });
  await expect(written).rejects.toThrow(InputError);
  expect(await readFile(at('a.txt'), 'utf8')).toBe('theirs');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

test('a file is refused in a missing directory and in the place of a directory', async () => {
  await mkdir(at('d'));
  const nothing = async () => expect.fail('must not be reached');
  await expect(writeWhole(at('none/a.txt'), nothing)).rejects.toThrow(/exists/);
  await expect(writeWhole(at('d'), nothing, { overwrite: true })).rejects.toThrow(/directory/);
});

const fill = (text: string) => async (temporary: string) => {
  await mkdir(path.join(temporary, 'inside'));
  await writeFile(path.join(temporary, 'inside', 'a.txt'), text);
};

test('a directory appears whole, and is replaced whole when told', async () => {
  await writeWholeDirectory(at('release'), fill('one'));
  expect(await readFile(at('release/inside/a.txt'), 'utf8')).toBe('one');
  await expect(writeWholeDirectory(at('release'), fill('two'))).rejects.toThrow(InputError);
  await writeFile(at('release/extra.txt'), 'old');
  await writeWholeDirectory(at('release'), fill('two'), { overwrite: true });
  expect(await readFile(at('release/inside/a.txt'), 'utf8')).toBe('two');
  expect(await readdir(at('release'))).toEqual(['inside']);
  expect(await readdir(folder)).toEqual(['release']);
});

test('a directory that fails halfway leaves the old one as it was and nothing else', async () => {
  await writeWholeDirectory(at('release'), fill('one'));
  const broken = async (temporary: string) => {
    await fill('two')(temporary);
    throw new Error('disk full');
  };
  await expect(writeWholeDirectory(at('release'), broken, { overwrite: true })).rejects.toThrow('disk full');
  await expect(writeWholeDirectory(at('other'), broken)).rejects.toThrow('disk full');
  expect(await readFile(at('release/inside/a.txt'), 'utf8')).toBe('one');
  expect(await readdir(folder)).toEqual(['release']);
});

describe('a file for a spreadsheet (issue 12, item 11)', () => {
  const risky = domainOf([
    {
      name: '=name',
      type: 'category',
      values: ['=1+1', '+a', '-b', '@c', '\td', '\re', "'f", 'g=h', '＝i'],
      other: '-5',
    },
    { name: 'n', type: 'integer', min: -5, max: -5 },
  ]);
  const table = encodeTable(risky, {
    '=name': ['=1+1', '+a', '-b', '@c', '\td', '\re', "'f", 'g=h', '＝i', 'else'],
    n: Array.from({ length: 10 }, () => -5),
  });

  test('has an apostrophe before texts and names that would be formulas, and before no number', async () => {
    await writeTable(at('sheet.csv'), risky, table, { random: seeded(1), spreadsheet: true });
    expect((await readFile(at('sheet.csv'), 'utf8')).split('\n')).toEqual([
      "'=name,n",
      "'=1+1,-5",
      "'+a,-5",
      "'-b,-5",
      "'@c,-5",
      "'\td,-5",
      `"'\re",-5`,
      "'f,-5",
      'g=h,-5',
      "'＝i,-5",
      "'-5,-5",
      '',
    ]);
  });

  test('is made only when told: without, rows are read back exactly', async () => {
    await writeTable(at('exact.csv'), risky, table, { random: seeded(1) });
    expect((await readTable(at('exact.csv'), risky)).columns).toEqual(table.columns);
  });

  test('is not Parquet', async () => {
    const written = writeTable(at('sheet.parquet'), risky, table, { random: seeded(1), spreadsheet: true });
    await expect(written).rejects.toThrow(/must end in \.csv or \.tsv to be written for a spreadsheet/);
  });
});
