import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { demoCsv } from '../../src/advanced.js';
import type { Running } from '../../src/index.js';

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
    for (const part of demoCsv({ rows, seed, year })) {
      signal?.throwIfAborted();
      await handle.appendFile(part.text);
      done += part.rows;
      onProgress?.({ stage: `make ${year}`, done: Math.min(done, rows), total: rows });
    }
    return { file, rows: done };
  } finally {
    await handle.close();
  }
};
