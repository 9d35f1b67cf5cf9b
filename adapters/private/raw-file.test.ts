import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import type { RawSource, SharedValues } from '../../src/source/raw-source.js';
import { openDuckDB } from '../duckdb/duckdb.js';
import { tableFile } from '../table/table-file.js';
import { openRawFile } from './raw-file.js';

/** Quotes, signs that are words of SQL, and empty cells. */
const rows = [
  ['p', "it's", '1.5', 'x'],
  ['p', 'plain', '', 'x'],
  ['q', "it's", '1.5', ''],
  ['q', "it's", '2', 'y; DROP'],
  ['r', 'plain', '-0', 'x'],
  ['s', '', '1e21', 'x'],
] as const;
const names = ['a', 'b', 'c'];
const units: readonly Unit[] = [
  { kind: 'row', maxRecords: 1 },
  { kind: 'id', column: 'who', maxRecords: 2 },
];
const asked: SharedValues = {
  columns: [
    { name: 'a', known: ["it's"] },
    { name: 'b', known: ['1.5', ''] },
    { name: 'c', known: [] },
  ],
  weights: [256, 181, 147, 128, 114, 104],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'raw-'));
  const text = rows.map(([who, a, b, c]) => [who, `"${a}"`, b, `"${c}"`].join(',')).join('\n');
  await writeFile(path.join(folder, 'raw.csv'), `who,a,b,c\n${text}\n`);
  const { connection, close } = await openDuckDB([path.join(folder, 'raw.csv'), path.join(folder, 'raw.parquet')]);
  const list = rows
    .map(([who, a, b, c]) => `('${who}', '${a.replace("'", "''")}', ${b === '' ? 'NULL' : `${b}::DOUBLE`}, '${c}')`)
    .join(', ');
  await connection.run(
    `COPY (SELECT * FROM (VALUES ${list}) AS t(who, a, b, c)) TO '${path.join(folder, 'raw.parquet')}' (FORMAT parquet)`,
  );
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const heard = async (source: RawSource) => {
  const found: unknown[] = [];
  for (const name of names) await source.values(name, (text, count) => found.push([name, text, count]));
  await source.shared(asked, (column, text, weight) => found.push([column, text, weight]));
  await source.together(['c', 'a'], (texts, count) => found.push([...texts, count]));
  await source.together(names, (texts, count) => found.push([...texts, count]));
  found.push(await source.rows());
  await source.close();
  return found.map((one) => JSON.stringify(one)).sort();
};

describe('raw columns of a file', () => {
  it.each(units.flatMap((unit) => ['csv', 'parquet'].map((ending) => [unit.kind, ending, unit] as const)))(
    'are those that memory would hold, for a unit that is a %s: %s',
    async (_, ending, unit) => {
      const isParquet = ending === 'parquet';
      // Doubles are told as JavaScript writes them; a text stays as it is.
      const texts = (value: string): string => (isParquet && value !== '' ? String(Number(value) + 0) : value);
      const columns = Object.fromEntries(
        names.map((name, i) => [name, rows.map((row) => (name === 'b' ? texts(row[i + 1]) : row[i + 1]))]),
      );
      const ids = unit.kind === 'id' ? rows.map(([who]) => who) : undefined;
      const memory = rawMemorySource({ columns, dataset: 'd', unit, ids, random: ids && seeded(1) });
      const file = await openRawFile(await tableFile(path.join(folder, `raw.${ending}`)), {
        columns: names.map((name) => ({ name, type: 'discover' })),
        unit,
        dataset: 'd',
        random: seeded(1),
      });
      expect(await heard(file)).toEqual(await heard(memory));
    },
  );

  it('hold no more rows of a unit than its bound', async () => {
    const open = async (maxRecords: number) =>
      openRawFile(await tableFile(path.join(folder, 'raw.csv')), {
        columns: [{ name: 'c', type: 'discover' }],
        unit: { kind: 'id', column: 'who', maxRecords },
        dataset: 'd',
        random: seeded(1),
      });
    for (const [most, count] of [
      [1, 4],
      [2, 6],
    ]) {
      const source = await open(most);
      expect(await source.rows()).toBe(count);
      await source.close();
    }
  });
});
