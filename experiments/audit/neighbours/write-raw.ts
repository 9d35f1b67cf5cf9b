import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbKind } from '../../../adapters/duckdb/kinds.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import { idColumn, type RawTable, type Value } from './random-tables.js';

/** Parquet is written as texts, or with the types that the schema's attributes suggest. */
export type Format = 'csv' | 'csv.gz' | 'jsonl' | 'parquet' | 'typed.parquet';

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
  if (format === 'csv' || format === 'csv.gz') {
    const text = [names, ...lines].map((line) => `${line.map(field).join(',')}\n`).join('');
    writeFileSync(file, format === 'csv' ? text : gzipSync(text));
  } else if (format === 'jsonl') {
    // A key is left out where its value is empty, and the unit that differs has a key of its own.
    const objects = lines.map((line, row) => {
      const known = line.flatMap((value, i): [string, Value][] =>
        value === null && row % 2 === 0 ? [] : [[names[i], value]],
      );
      const nested = known.map(([name, value]) => [name, value === 'garbage' ? { a: [1] } : value]);
      return Object.fromEntries(rows[row].id === 'q' ? [...nested, ['only here', 'x']] : nested);
    });
    writeFileSync(file, objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  } else {
    instance ??= DuckDBInstance.create(':memory:');
    const connection = await (await instance).connect();
    const literal = (value: Value): string => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
    const columns = names.map((name) => `"${name}" VARCHAR`).join(', ');
    const typed = names.map((name, i) => {
      const spec = attributes[i];
      return format === 'parquet' || spec === undefined
        ? `"${name}"`
        : `TRY_CAST("${name}" AS ${duckdbKind(spec).type}) AS "${name}"`;
    });
    await connection.run(`CREATE OR REPLACE TEMP TABLE raw (${columns})`);
    if (lines.length > 0)
      await connection.run(
        `INSERT INTO raw VALUES ${lines.map((line) => `(${line.map(literal).join(', ')})`).join(', ')}`,
      );
    const draft = `${file}.draft`;
    await connection.run(`COPY (SELECT ${typed.join(', ')} FROM raw) TO '${draft}' (FORMAT parquet)`);
    connection.closeSync();
    // Into the file that is there, if there is one: it stays the same file.
    writeFileSync(file, readFileSync(draft));
    rmSync(draft);
  }
};
