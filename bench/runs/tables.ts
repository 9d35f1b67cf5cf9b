import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { demoHomesCsv, demoHomesSchema } from '../../src/demo/demo-homes.js';
import { type MadeShape, madeTable } from '../wide/made-table.js';

/** A made-up table of one population, and a neighbouring one of another. */
interface Population {
  readonly shape: Omit<MadeShape, 'rows'>;
  readonly seed: number;
}

/** Codes of places that nearly determine each other. */
const places: Population = {
  shape: {
    sizes: [2, 2, 5, 8, 8, 9, 10, 11, 11, 12, 15, 28, 31, 42, 46],
    spots: [300, 80],
    loose: [0.002, 0.08],
  },
  seed: 1,
};

/** Twice as many: codes of stations, days and kinds beside them. */
const stations: Population = {
  ...places,
  shape: { ...places.shape, sizes: [...places.shape.sizes, 2, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12, 16, 20, 24, 30] },
};

/** So many attributes of 2 to 12 codes that go together more loosely. */
export const answers = (count: number, seed: number): Population => ({
  shape: {
    sizes: Array.from({ length: count }, (_, i) => 2 + ((i * i + 3 * i) % 11)),
    spots: Array.from({ length: Math.ceil(count / 10) }, (_, i) => 20 + 7 * i),
    loose: [0.1, 0.8],
  },
  seed,
});

/** By the name that runs have in their words: NAME.csv, NAME-public.csv and NAME.json, the schema. */
const populations = {
  places,
  stations,
  six: answers(6, 11),
  eight: answers(8, 7),
  fifteen: answers(15, 9),
  twenty: answers(20, 5),
  hundred: answers(100, 2),
  wide: answers(300, 3),
} as const;

export type PopulationName = keyof typeof populations;

/** Rows that are written at a time. */
const part = 4096;

const writeTable = (file: string, { shape, seed }: Population, rows: number, isPublic: boolean): void => {
  const { domain, columns, length } = madeTable({ ...shape, rows }, seed, isPublic ? 2 : 1, isPublic ? 0.02 : 0);
  const handle = openSync(file, 'w');
  try {
    writeSync(handle, `${domain.attributes.map(({ name }) => name).join(',')}\n`);
    for (let from = 0; from < length; from += part) {
      const lines: string[] = [];
      for (let row = from; row < Math.min(length, from + part); row++)
        lines.push(columns.map((column) => column[row]).join(','));
      writeSync(handle, `${lines.join('\n')}\n`);
    }
  } finally {
    closeSync(handle);
  }
};

/** Writes the private table of a population, its schema, and a public one where it is to have rows. */
export const writeTables = (folder: string, name: PopulationName, rows: number, publicRows = 0): void =>
  writePopulation(folder, name, populations[name], rows, publicRows);

/** The same for a population that has no name of its own here. */
export const writePopulation = (
  folder: string,
  name: string,
  population: Population,
  rows: number,
  publicRows: number,
): void => {
  const attributes = population.shape.sizes.map((size, i) => ({
    name: `a${i}`,
    type: 'integer',
    min: 0,
    max: size - 1,
  }));
  writeFileSync(
    path.join(folder, `${name}.json`),
    JSON.stringify({ surmise: 1, origin: { kind: 'declared' }, attributes }),
  );
  writeTable(path.join(folder, `${name}.csv`), population, rows, false);
  if (publicRows > 0) writeTable(path.join(folder, `${name}-public.csv`), population, publicRows, true);
};

/** Writes households of the fictional country, of both years, and their schema: persons.csv, households.csv, open-persons.csv, open-households.csv, homes.json. */
export const writeHomes = (folder: string, rows: number, publicRows: number): void => {
  writeFileSync(path.join(folder, 'homes.json'), JSON.stringify(demoHomesSchema));
  for (const [prefix, year, count] of [
    ['', 2023, rows],
    ['open-', 2018, publicRows],
  ] as const) {
    const parts = [...demoHomesCsv({ rows: count, seed: 1, year })];
    writeFileSync(path.join(folder, `${prefix}persons.csv`), parts.map(({ persons }) => persons).join(''));
    writeFileSync(path.join(folder, `${prefix}households.csv`), parts.map(({ households }) => households).join(''));
  }
};
