import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Schema } from '../../../src/domain/schema.js';
import { idColumn, type RawTable, type Value } from './random-tables.js';

export type Format = 'csv' | 'jsonl' | 'parquet';

const field = (value: Value): string =>
  value === null ? '' : /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

let instance: Promise<DuckDBInstance> | undefined;

/** Writes a raw table as a file of a format, with an id column where `ids` says so. */
export const writeRaw = async (
  file: string,
  format: Format,
  { attributes }: Schema,
  rows: RawTable,
  ids: boolean,
): Promise<void> => {
  const names = [...attributes.map(({ name }) => name), ...(ids ? [idColumn] : [])];
  const lines = rows.map(({ id, values }): Value[] => [...values, ...(ids ? [id] : [])]);
  if (format === 'csv') {
    writeFileSync(file, [names, ...lines].map((line) => `${line.map(field).join(',')}\n`).join(''));
  } else if (format === 'jsonl') {
    const objects = lines.map((line) => Object.fromEntries(line.map((value, i) => [names[i], value])));
    writeFileSync(file, objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  } else {
    instance ??= DuckDBInstance.create(':memory:');
    const connection = await (await instance).connect();
    const literal = (value: Value): string => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
    const columns = names.map((name) => `"${name}" VARCHAR`).join(', ');
    await connection.run(`CREATE OR REPLACE TEMP TABLE raw (${columns})`);
    if (lines.length > 0)
      await connection.run(
        `INSERT INTO raw VALUES ${lines.map((line) => `(${line.map(literal).join(', ')})`).join(', ')}`,
      );
    const draft = `${file}.draft`;
    await connection.run(`COPY raw TO '${draft}' (FORMAT parquet)`);
    connection.closeSync();
    // Into the file that is there, if there is one: it stays the same file.
    writeFileSync(file, readFileSync(draft));
    rmSync(draft);
  }
};
