import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/domain/schema/outside.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { seededEntropy, webEntropy } from '../../src/privacy/entropy.js';
import { holding } from '../../src/query/holding.js';
import { marginal, total } from '../../src/query/marginal.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { folderWith } from '../../test/support/surmise.js';
import { readHouseholds } from '../table/read-households.js';
import { openPrivateFile } from './private-file.js';
import type { PrivateFileOptions } from './private-file-options.js';

const schemaWith = (rule?: 'trim') =>
  parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'region', type: 'category', values: ['north', 'south'] },
      { name: 'sex', type: 'category', values: ['f', 'm'] },
    ],
    twoLevel: { key: 'hh', household: ['region'], maxSize: 2, size: 'persons', ...(rule && { rule }) },
  });

// North: f and m; f alone. South: m; four persons, which are too many; nobody.
const homes = 'hh,region\na,north\nb,north\nc,south\nd,south\ne,south\n';
const persons = 'sex,hh\nf,a\nm,c\nm,a\nf,b\nf,d\nf,d\nm,d\nf,d\n';
const joined =
  'sex,hh,region\nf,a,north\nm,c,south\nm,a,north\nf,b,north\nf,d,south\nf,d,south\nm,d,south\nf,d,south\n';
const jsonLines = (csv: string): string => {
  const [header, ...rows] = csv.trim().split('\n');
  const names = header.split(',');
  return rows
    .map((row) => `${JSON.stringify(Object.fromEntries(row.split(',').map((value, i) => [names[i], value])))}\n`)
    .join('');
};

const open = async (
  files: Readonly<Record<string, string>>,
  options: Partial<PrivateFileOptions> & { rule?: 'trim' } = {},
): Promise<ClosableSource> => {
  const folder = await folderWith(files);
  const [file, other] = Object.keys(files).map((name) => `${folder}/${name}`);
  const { rule, ...rest } = options;
  return openPrivateFile(file, schemaWith(rule), { random: webEntropy(), threads: 1, households: other, ...rest });
};

const countsOf = async (source: ClosableSource): Promise<number[][]> => {
  const holdings = await source.holdings!([holding('region', 'sex'), holding('region'), holding('persons'), holding()]);
  const counts = await source.counts([marginal('region', 'sex'), marginal('persons'), total()]);
  await source.close();
  return [...holdings, ...counts].map((answers) => [...answers]);
};
const expected = [[2, 1, 0, 1], [2, 1], [2, 1], [3], [2, 1, 0, 1], [2, 2], [4]];

describe('a private file of households', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['one CSV file', { 'all.csv': joined }],
    ['two CSV files', { 'persons.csv': persons, 'homes.csv': homes }],
    ['persons as JSON lines beside households as CSV', { 'persons.jsonl': jsonLines(persons), 'homes.csv': homes }],
  ])('counts households and persons of %s alike', async (_, files) => {
    const source = await open(files);
    expect(source.unit).toEqual({ kind: 'household', column: 'hh', maxRecords: 2 });
    expect(source.seeded).toBe(false);
    expect(await countsOf(source)).toEqual(expected);
  });

  it('protects a person when told, and trims by the schema’s rule with the randomness it is given', async () => {
    const source = await open(
      { 'persons.csv': persons, 'homes.csv': homes },
      { rule: 'trim', unit: { kind: 'person', maxRecords: 1 }, random: seededEntropy(1) },
    );
    expect(source.unit.kind).toBe('person');
    expect(source.seeded).toBe(true);
    const [, regions, sizes, [households], , , [people]] = await countsOf(source);
    expect([regions, sizes, households, people]).toEqual([[2, 2], [2, 2], 4, 6]);
  });

  const wrong: [string, Readonly<Record<string, string>>, RegExp, number[] | undefined][] = [
    [
      'a household that differs within',
      { 'all.csv': 'hh,region,sex\nq1,north,f\nq1,south,m\n' },
      /all\.csv: column "region", row 2: must be the same for all persons of a household/,
      [1, 1, 0, 0],
    ],
    [
      'a person without a household',
      { 'p.csv': 'hh,sex\nq1,f\nq2,m\n', 'h.csv': 'hh,region\nq1,north\n' },
      /p\.csv, row 2: must have a key of the .*h\.csv/,
      [1, 0, 0, 0],
    ],
    [
      'a household twice',
      { 'p.csv': 'hh,sex\nq1,f\n', 'h.csv': 'hh,region\nq1,north\nq1,south\n' },
      /h\.csv, row 2: must have a key that no row above has/,
      [1, 0, 0, 0],
    ],
    ['a row without a key', { 'all.csv': 'hh,region,sex\n,north,f\n' }, /column "hh", row 1: empty/, undefined],
    ['a file without the key', { 'all.csv': 'region,sex\nnorth,f\n' }, /must have the column "hh"/, undefined],
  ];
  it.each(wrong)(
    'refuses %s, or settles it under a rule by which no row stops a run',
    async (_, files, message, settled) => {
      const error = await open(files).catch((reason: Error) => reason);
      expect((error as Error).name).toBe('InputError');
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).not.toMatch(/q1|q2|south/);
      for (const outside of ['other', 'clip'] as Outside[]) {
        const opened = open(files, { outside });
        if (settled === undefined) await expect(opened).rejects.toThrow(message);
        else {
          const source = await opened;
          const cells = source.domain.attributes[1].size;
          const [answers] = await source.holdings!([holding('region', 'sex')]);
          // With `other` every attribute has one more cell, which stays empty here.
          expect([...answers.slice(0, 2), ...answers.slice(cells, cells + 2)]).toEqual(settled);
          await source.close();
        }
      }
    },
  );

  it('refuses DuckDB, one file twice, and households without a schema for them', async () => {
    await expect(open({ 'all.csv': joined }, { engine: 'duckdb' })).rejects.toThrow('households are counted in memory');
    await expect(open({ 'all.csv': joined }, { codeLimit: 3 })).rejects.toThrow('must fit in 3 bytes');
    const folder = await folderWith({ 'all.csv': joined });
    const file = `${folder}/all.csv`;
    const options = { random: webEntropy(), households: file, threads: 1 };
    await expect(openPrivateFile(file, schemaWith(), options)).rejects.toThrow('must be another table');
    const { twoLevel: _, ...flat } = schemaWith();
    await expect(openPrivateFile(file, flat, options)).rejects.toThrow('households need `twoLevel`');
  });
});

describe('public households', () => {
  it('are read as one table whose offsets say where each starts', async () => {
    const folder = await folderWith({ 'persons.csv': persons, 'homes.csv': homes, 'all.csv': joined });
    const two = await readHouseholds(`${folder}/persons.csv`, schemaWith(), { households: `${folder}/homes.csv` });
    expect([...two.offsets]).toEqual([0, 2, 3, 4]);
    expect(two.columns.map((column) => [...column])).toEqual([
      [0, 0, 1, 0],
      [0, 1, 1, 0],
      [1, 1, 0, 0],
    ]);
    expect(await readHouseholds(`${folder}/all.csv`, schemaWith())).toEqual(two);
  });
});
