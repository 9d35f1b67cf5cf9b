import { readFileSync } from 'node:fs';
import { chunksOf, literal, openDuckDB } from '../../adapters/duckdb/duckdb.js';
import { type BeyondTask, names, pairsOf, weightOf } from './task.js';

// Plain DuckDB beside ours: with `reading` the columns are read chunk by chunk and nothing is done with them; else all pairs by GROUPING SETS.
const { file, sizes, memory, threads, reading } = JSON.parse(readFileSync(0, 'utf8')) as BeyondTask & {
  reading: boolean;
};
/** Grouping sets of one query: with all 190 of them the hash tables of 20 attributes need more memory than there is. */
const SETS = 64;
const database = await openDuckDB([file], { memoryLimit: memory, threads });
const { connection } = database;
const columns = names(sizes);
const from = performance.now();
let sum = 0;
if (reading)
  for await (const chunk of chunksOf(connection, `SELECT ${columns.join(', ')} FROM read_parquet(${literal(file)})`))
    sum += chunk.rowCount;
else {
  const pairs = pairsOf(sizes).map(({ attributes }) => attributes);
  for (let first = 0; first < pairs.length; first += SETS) {
    const sets = pairs.slice(first, first + SETS);
    const used = columns.map((_, i) => i).filter((i) => sets.some((pair) => pair.includes(columns[i])));
    const sql = `SELECT count(*)::DOUBLE, ${used.map((i) => columns[i]).join(', ')} FROM read_parquet(${literal(file)}) GROUP BY GROUPING SETS (${sets
      .map((pair) => `(${pair.join(', ')})`)
      .join(', ')})`;
    const places = new Map(pairs.map((pair, i) => [pair.join(), i]));
    for await (const chunk of chunksOf(connection, sql)) {
      const vectors = new Map(used.map((i, at) => [i, chunk.getColumnVector(at + 1)]));
      const counts = chunk.getColumnVector(0);
      for (let row = 0; row < chunk.rowCount; row++) {
        // The file has no NULL, so what is none was grouped by.
        const own = used.filter((i) => vectors.get(i)!.getItem(row) !== null);
        const cell = own.reduce((at, i) => at * sizes[i] + Number(vectors.get(i)!.getItem(row)), 0);
        sum += Number(counts.getItem(row)) * weightOf(places.get(own.map((i) => columns[i]).join())!, cell);
      }
    }
  }
}
const count = (performance.now() - from) / 1000;
const { user, system } = process.cpuUsage();
const { maxRSS } = process.resourceUsage();
await database.close();
process.stdout.write(
  JSON.stringify({ load: 0, count, processor: (user + system) / 1e6, bytes: maxRSS * 1024, checksum: sum }),
);
process.exit(0);
