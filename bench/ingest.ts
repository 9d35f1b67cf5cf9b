import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chunksOf, literal, openDuckDB } from '../adapters/duckdb/duckdb.js';
import { fileRelation, valueSql } from '../adapters/duckdb/relation.js';
import { columnsFor } from '../adapters/sql/sql-table.js';
import { readRelation } from '../adapters/table/read-relation.js';
import { tableFile } from '../adapters/table/table-file.js';
import type { AttributeSpec } from '../src/domain/attribute/attribute.js';
import { columnEncoder } from '../src/domain/attribute/column-encoder.js';
import { domainOf } from '../src/domain/domain-of.js';
import { codeColumn } from '../src/domain/table.js';
import { type Bench, larger, smaller } from './figures.js';

const ROWS = 10_000_000;
/** Rows that the peer reads; its rate is then scaled. */
const PEER_ROWS = 500_000;
const MEMORY_LIMIT = 2 ** 30;

/** Twenty columns in turn: text categories, integers with gaps, doubles, dates, booleans. */
const columns = Array.from({ length: 20 }, (_, i): { spec: AttributeSpec; sql: string } => {
  const name = `c${i}`;
  const draw = `hash(row * 20 + ${i})`;
  switch (i % 5) {
    case 0: {
      const size = 4 + 3 * i;
      const values = Array.from({ length: size }, (_, v) => `value ${v}`);
      return { spec: { name, type: 'category', values }, sql: `'value ' || (${draw} % ${size})` };
    }
    case 1:
      return {
        spec: { name, type: 'integer', min: 0, max: 99, null: true },
        sql: `CASE WHEN ${draw} % 50 = 0 THEN NULL ELSE (${draw} % 120)::INTEGER END`,
      };
    case 2:
      return {
        spec: { name, type: 'number', min: 0, max: 1000, bins: 32 },
        sql: `(${draw} % 1000003)::DOUBLE / 1000`,
      };
    case 3:
      return {
        spec: { name, type: 'date', by: 'month', min: '2000-01-01', max: '2019-12-31' },
        sql: `DATE '2000-01-01' + (${draw} % 7300)::INTEGER`,
      };
    default:
      return {
        spec: { name, type: 'number', min: 1, max: 1e6, bins: 24, scale: 'log' },
        sql: `((${draw} % 999) + 1)::DOUBLE * 997`,
      };
  }
});
const domain = domainOf(columns.map(({ spec }) => spec));

/** The same rows every time; made once and kept in the system's temporary folder (about 0.5 GB). */
const generated = async (say: (line: string) => void): Promise<string> => {
  const file = path.join(tmpdir(), `surmise-bench-ingest-${ROWS}-1.parquet`);
  if (existsSync(file)) return file;
  say(`generating ${ROWS.toLocaleString('en')} rows x ${columns.length} columns: ${file}`);
  const part = `${file}.part`;
  const database = await openDuckDB([part]);
  const fields = columns.map(({ spec, sql }) => `${sql} AS ${spec.name}`).join(', ');
  await database.connection.run(
    `COPY (SELECT ${fields} FROM range(${ROWS}) t(row)) TO ${literal(part)} (FORMAT parquet)`,
  );
  await database.close();
  renameSync(part, file);
  return file;
};

/** Rows a second of a row loop: DuckDB's rows as JavaScript values, each put through its encoder. */
const rowLoop = async (file: string): Promise<number> => {
  const database = await openDuckDB([file], { memoryLimit: MEMORY_LIMIT });
  const relation = await fileRelation(database, await tableFile(file));
  const values = columnsFor(relation, domain.attributes).map((column) => valueSql(column));
  const encoders = domain.attributes.map((attribute) => columnEncoder(attribute));
  const codes = domain.attributes.map(({ size }) => codeColumn(size, PEER_ROWS));
  const start = performance.now();
  const result = await database.connection.stream(
    `SELECT ${values.join(', ')} FROM ${relation.sql} LIMIT ${PEER_ROWS}`,
  );
  let row = 0;
  for await (const rows of result.yieldRows()) {
    for (const record of rows) {
      for (let i = 0; i < encoders.length; i++) codes[i][row] = encoders[i](record[i]);
      row++;
    }
  }
  const rate = row / ((performance.now() - start) / 1000);
  await database.close();
  return rate;
};

const MB = 1e6;

/** Encodes a generated Parquet file of ten million rows to code columns: rate and peak memory. */
const ingest: Bench = async ({ say }) => {
  const file = await generated(say);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const database = await openDuckDB([file], { memoryLimit: MEMORY_LIMIT });
  const watcher = await database.connect();
  const peak = { rss: 0, duckdb: 0, buffers: 0, heap: 0 };
  let looking = false;
  const look = async () => {
    const { rss, arrayBuffers, heapUsed } = process.memoryUsage();
    peak.rss = Math.max(peak.rss, rss);
    peak.buffers = Math.max(peak.buffers, arrayBuffers);
    peak.heap = Math.max(peak.heap, heapUsed);
    if (looking) return;
    looking = true;
    for await (const chunk of chunksOf(watcher, 'SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()'))
      peak.duckdb = Math.max(peak.duckdb, Number(chunk.getColumnVector(0).getItem(0)));
    looking = false;
  };
  const relation = await fileRelation(database, await tableFile(file));
  const timer = setInterval(() => void look(), 50);
  const start = performance.now();
  const { table } = await readRelation(database.connection, relation, domain);
  const seconds = (performance.now() - start) / 1000;
  await look();
  clearInterval(timer);
  while (looking) await new Promise((resolve) => setTimeout(resolve, 10));
  watcher.closeSync();
  await database.close();
  const codes = table.columns.reduce((bytes, column) => bytes + column.byteLength, 0);
  say(`${table.length.toLocaleString('en')} rows encoded in ${seconds.toFixed(1)} s`);
  const rate = await rowLoop(file);
  return [
    larger('encode Parquet, against a plain JavaScript row loop', table.length / seconds, rate, 'rows/s'),
    smaller('peak memory of the process beyond its start', (peak.rss - before.rss) / MB, null, 'MB'),
    smaller("of it DuckDB's own (its limit is 1,074 MB)", peak.duckdb / MB, null, 'MB'),
    smaller('of it array buffers (blocks and final codes)', peak.buffers / MB, null, 'MB'),
    smaller('the codes themselves', codes / MB, null, 'MB'),
  ];
};

export default ingest;
