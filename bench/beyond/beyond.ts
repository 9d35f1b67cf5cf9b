import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { literal, openDuckDB } from '../../adapters/duckdb/duckdb.js';
import { type Figure, smaller } from '../figures.js';
import { askPeer, askSide, environment } from '../graphical/side.js';
import { type BeyondRun, type BeyondTask, names } from './task.js';

/** Attributes of 2 to 21 cells: 190 pairs. */
const sizes = Array.from({ length: 20 }, (_, i) => 2 + i);
const memory = 2 ** 30;
const threads = 2;
/** Seconds that a side may take. */
const LIMIT = 1200;
/** Beyond so many rows GROUPING SETS are left out: they take a quarter of an hour for each hundred million. */
const MOST_SQL = 2e7;

/** Rows whose codes fall off towards the last cell and go together in pairs of neighbours, as a Parquet file. */
const makeFile = async (file: string, rows: number): Promise<void> => {
  const database = await openDuckDB([file], { memoryLimit: memory, threads });
  try {
    const shares = sizes.map((_, i) => `(hash(i * 40 + ${i - (i % 2)}) % 1000003) / 1000003.0`);
    const codes = names(sizes).map(
      (name, i) =>
        `least(${sizes[i] - 1}, floor(${sizes[i]} * pow(${shares[i]}, ${1 + (i % 3)})))::UTINYINT AS ${name}`,
    );
    await database.connection.run(
      `COPY (SELECT ${codes.join(', ')} FROM range(${rows}) t(i)) TO ${literal(file)} (FORMAT parquet)`,
    );
  } finally {
    await database.close();
  }
};

/**
 * All pairs of 20 attributes of a Parquet file that DuckDB may hold 1 GiB of, each side in a process of its own: ours (opened as a private file, so that every
 * value is checked and the codes are kept apart first), DuckDB's GROUPING SETS, DuckDB reading the same columns and doing nothing with them, and Polars
 * (lazily, streaming).
 */
export const beyondMemory = async (rows: number, python: string | undefined, say: (line: string) => void) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'surmise-beyond-'));
  const figures: Figure[] = [];
  try {
    const file = path.join(folder, 'codes.parquet');
    await makeFile(file, rows);
    const task: BeyondTask = { file, sizes, memory, threads };
    const ask = (name: string, request: object) => askSide<BeyondRun>('beyond', name, request, LIMIT);
    const tell = (who: string, run: BeyondRun | undefined): void =>
      say(
        run === undefined
          ? `${rows} rows, ${who}: did not end within ${LIMIT} s`
          : `${rows} rows, ${who}: ${run.count.toFixed(1)} s, ${run.processor.toFixed(1)} of processors, ${(run.bytes / 1e6).toFixed(0)} MB`,
      );
    const ours = ask('our-beyond', task);
    tell('ours', ours);
    const reading = ask('sql-beyond', { ...task, reading: true });
    tell('reading', reading);
    const sql = rows > MOST_SQL ? undefined : ask('sql-beyond', { ...task, reading: false });
    if (rows <= MOST_SQL) tell('GROUPING SETS', sql);
    const polars = python === undefined ? undefined : askPeer<BeyondRun>(python, 'count-beyond', task, LIMIT);
    if (python !== undefined) tell('Polars', polars);
    if (ours === undefined) return figures;
    for (const other of [sql, polars])
      if (other !== undefined && other.checksum !== ours.checksum)
        throw new Error('bench count: the counts differ from the peer');
    const what = `190 pairs of 20 attributes, ${rows.toExponential(0)} rows out of core`;
    figures.push(
      smaller(`${what}: against DuckDB reading the columns`, ours.count, reading?.count ?? null, 's'),
      smaller(`${what}: against DuckDB's GROUPING SETS`, ours.count, sql?.count ?? null, 's'),
      smaller(`${what}: against Polars`, ours.count, polars?.count ?? null, 's'),
      smaller(
        `${what}: opening the file and counting, against GROUPING SETS`,
        ours.load + ours.count,
        sql?.count ?? null,
        's',
      ),
      smaller(`${what}: processor time of all, against GROUPING SETS`, ours.processor, sql?.processor ?? null, 's'),
      smaller(
        `${what}: peak memory, against GROUPING SETS`,
        ours.bytes / 1e6,
        sql === undefined ? null : sql.bytes / 1e6,
        'MB',
      ),
      smaller(
        `${what}: peak memory, against Polars`,
        ours.bytes / 1e6,
        polars === undefined ? null : polars.bytes / 1e6,
        'MB',
      ),
    );
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Python of the environment with Polars. */
export const polarsPython = (): string | undefined => environment('.venv-polars');
