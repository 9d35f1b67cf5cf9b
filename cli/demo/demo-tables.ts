import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { csvText } from '../../src/demo/csv-text.js';
import { demoCountry, flatDemo } from '../../src/demo/demo-country.js';
import type { Running } from '../../src/domain/running.js';

/** The year everybody may see, and the year that must be protected. */
export const publicYear = 2018;
export const privateYear = 2023;

export interface DemoTable {
  readonly file: string;
  /** Number of persons, one a row. */
  readonly rows: number;
}

export interface DemoTables {
  readonly public: DemoTable;
  readonly private: DemoTable;
}

export interface DemoTablesOptions extends Running {
  /** Each table has whole households with at least this many persons together. */
  readonly rows: number;
  readonly seed: number;
}

/** Households made at a time: a few milliseconds of work, so that Ctrl-C is heard. */
const slice = 1000;

/** Writes the demo's flat person tables of both years into a directory, which is made if need be. */
export const writeDemoTables = async (directory: string, options: DemoTablesOptions): Promise<DemoTables> => {
  await mkdir(directory, { recursive: true });
  return {
    public: await writeYear(path.join(directory, `public-${publicYear}.csv`), publicYear, options),
    private: await writeYear(path.join(directory, `private-${privateYear}.csv`), privateYear, options),
  };
};

const writeYear = async (
  file: string,
  year: number,
  { rows, seed, onProgress, signal }: DemoTablesOptions,
): Promise<DemoTable> => {
  const handle = await open(file, 'wx');
  try {
    let done = 0;
    for (let first = 0; done < rows; first += slice) {
      signal?.throwIfAborted();
      const made = flatDemo(demoCountry({ seed, year, first, households: slice }));
      const end = endOfHousehold(made.household_id, rows - done);
      const kept = Object.entries(made).map(([name, column]) => [name, column.slice(0, end)]);
      await handle.appendFile(csvText(Object.fromEntries(kept), { header: first === 0 }));
      done += end;
      onProgress?.({ stage: `make ${year}`, done: Math.min(done, rows), total: rows });
    }
    return { file, rows: done };
  } finally {
    await handle.close();
  }
};

/** The number of rows to keep for at least `wanted` of them and no household cut in two. */
const endOfHousehold = (households: readonly unknown[], wanted: number): number => {
  let end = Math.min(wanted, households.length);
  while (end < households.length && households[end] === households[end - 1]) end++;
  return end;
};
