import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { openDuckDB } from '../adapters/duckdb/duckdb.js';
import { duckdbSource } from '../adapters/duckdb/duckdb-source.js';
import { fileRelation } from '../adapters/duckdb/relation.js';
import { nodeWorkers } from '../adapters/node-workers.js';
import { tableFile } from '../adapters/table/table-file.js';
import { domainOf } from '../src/domain/domain-of.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { type Marginal, marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { memorySource } from '../src/source/memory-source.js';
import type { PrivateSource } from '../src/source/source.js';
import { beyondMemory, polarsPython } from './beyond/beyond.js';
import { type Bench, smaller } from './figures.js';

const ROUNDS = 3;
/** Runs of ours in a round: they are short, and the machine is not always quiet. */
const REPEATS = 5;
/** One in this many marginals is counted by DuckDB, spread evenly; its time is scaled. */
const DUCKDB_SHARE = 16;
const LEFT_OUT = new Set(['PUMA', 'YEAR']);

/** The table of integer codes, without the two grouping columns. */
const readCodes = (file: string, sizes: Record<string, number>): Table => {
  const [header, ...lines] = gunzipSync(readFileSync(file)).toString('latin1').trimEnd().split('\n');
  const names = header.split(',').map((name) => name.trim());
  const kept = names.filter((name) => !LEFT_OUT.has(name));
  const domain = domainOf(kept.map((name) => ({ type: 'integer', name, min: 0, max: sizes[name] - 1 })));
  const columns = domain.attributes.map(({ size }) => codeColumn(size, lines.length));
  const places = kept.map((name) => names.indexOf(name));
  lines.forEach((line, row) => {
    const fields = line.split(',');
    places.forEach((place, i) => {
      columns[i][row] = Number(fields[place]);
    });
  });
  return { domain, length: lines.length, columns };
};

const triplesOf = (names: readonly string[]): Marginal[] =>
  names.flatMap((a, i) => names.slice(i + 1).flatMap((b, j) => names.slice(i + j + 2).map((c) => marginal(a, b, c))));

/** Depends on every count and its place; exact in doubles (below 2^53), so equal sums mean equal counts. */
const checksum = (counts: readonly Float64Array[], part: number, parts: number): number => {
  let total = 0;
  for (let i = part; i < counts.length; i += parts)
    for (let cell = 0; cell < counts[i].length; cell++)
      if (counts[i][cell] !== 0) total += counts[i][cell] * ((cell * 40_503 + i * 7919) % 65_521);
  return total;
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

const timed = async (source: PrivateSource, marginals: readonly Marginal[]) => {
  const start = performance.now();
  const counts = await source.counts(marginals);
  return { seconds: (performance.now() - start) / 1000, counts };
};

interface Peer {
  /** Seconds of mbi's `project(...).datavector()`, and of bare NumPy, for one part of the marginals. */
  readonly mbi: number;
  readonly numpy: number;
  readonly checksum: number;
}

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const runPeer = (python: string, input: object): Peer =>
  JSON.parse(
    execFileSync(python, ['-W', 'ignore', path.join(root, 'bench', 'peers', 'count.py')], {
      input: JSON.stringify(input),
      stdio: ['pipe', 'pipe', 'ignore'],
    }).toString(),
  ) as Peer;

/**
 * All three-way marginals of a census extract. In each round ours counts all of them on one thread and on two, and the
 * peer a third of them, so that both meet the same machine; the peer's times add up to one whole run.
 */
const triples: Bench = async ({ data, python, say }) => {
  if (!data) throw new Error('bench count: needs the folder of tables, give --data DIR');
  const file = path.join(data, 'nist-sprint2', 'acs-il-oh.csv.gz');
  const sizes = JSON.parse(readFileSync(path.join(data, 'nist-sprint2', 'acs-il-oh-domain.json'), 'utf8'));
  const table = readCodes(file, sizes);
  const names = table.domain.attributes.map(({ name }) => name);
  const marginals = triplesOf(names);
  say(`${marginals.length} three-way marginals of ${names.length} attributes, ${table.length} rows`);

  const one = await memorySource({ table, dataset: 'bench', threads: 1 });
  const two = await memorySource({ table, dataset: 'bench', threads: 2, workers: nodeWorkers });
  // The first run of each compiles its code and grows its memory.
  await one.counts(marginals);
  await two.counts(marginals);

  const seconds = { one: [] as number[], two: [] as number[], mbi: 0, numpy: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, source] of [
      ['one', one],
      ['two', two],
    ] as const) {
      let result = await timed(source, marginals);
      const times = [result.seconds];
      while (times.length < REPEATS) {
        result = await timed(source, marginals);
        times.push(result.seconds);
      }
      seconds[name].push(...times);
      say(`round ${round + 1}, ${name === 'one' ? 'one thread' : 'two threads'}: ${median(times).toFixed(3)} s`);
      if (!python || name === 'one') continue;
      const input = {
        file: path.resolve(file),
        names,
        sizes: names.map((each) => sizes[each]),
        part: round,
        parts: ROUNDS,
      };
      const peer = runPeer(python, input);
      seconds.mbi += peer.mbi;
      seconds.numpy += peer.numpy;
      say(
        `round ${round + 1}, a third of the marginals: mbi ${peer.mbi.toFixed(2)} s, NumPy ${peer.numpy.toFixed(2)} s`,
      );
      if (peer.checksum !== checksum(result.counts, round, ROUNDS))
        throw new Error('bench count: the counts differ from the peer');
    }
  }

  const sample = marginals.filter((_, i) => i % DUCKDB_SHARE === 0);
  const database = await openDuckDB([path.resolve(file)]);
  const relation = await fileRelation(database, await tableFile(path.resolve(file)));
  const unit = { kind: 'row', maxRecords: 1 } as const;
  const sql = await duckdbSource(database, relation, table.domain, { dataset: 'bench', unit, random: seeded(1) });
  const fromSql = await timed(sql, sample);
  await sql.close();
  const { counts: same } = await timed(two, sample);
  if (checksum(fromSql.counts, 0, 1) !== checksum(same, 0, 1))
    throw new Error('bench count: the counts differ between our sources');
  one.close();
  two.close();

  const peer = (total: number) => (python ? total : null);
  const perCell = (total: number) => (total * 1e9) / (table.length * marginals.length);
  const [oneThread, twoThreads] = [median(seconds.one), median(seconds.two)];
  return [
    smaller(`${marginals.length} three-way marginals, two threads, against mbi`, twoThreads, peer(seconds.mbi), 's'),
    smaller('the same, one thread, against mbi', oneThread, peer(seconds.mbi), 's'),
    smaller('the same, one thread, against NumPy ravel_multi_index and bincount', oneThread, peer(seconds.numpy), 's'),
    smaller('per row and marginal, one thread, against mbi', perCell(oneThread), peer(perCell(seconds.mbi)), 'ns'),
    smaller('per row and marginal, two threads, against mbi', perCell(twoThreads), peer(perCell(seconds.mbi)), 'ns'),
    smaller(
      `DuckDB source, ${sample.length} of them, scaled to all, against mbi`,
      (fromSql.seconds * marginals.length) / sample.length,
      peer(seconds.mbi),
      's',
    ),
  ];
};

/** Rows of the out-of-core case, by what `--only` calls it. */
const BEYOND: Readonly<Record<string, number>> = {
  'beyond-2e5': 2e5,
  'beyond-2e6': 2e6,
  'beyond-2e7': 2e7,
  'beyond-1e8': 1e8,
};

/** Counting in memory, and (`--only beyond-2e6`, `beyond-2e7`, `beyond-1e8`; `beyond-2e5` to try it) out of core. */
const count: Bench = async (options) => {
  const { only, say } = options;
  if (only === undefined) return triples(options);
  if (!(only in BEYOND)) throw new Error(`bench count: --only takes ${Object.keys(BEYOND).join(', ')}, got ${only}`);
  return beyondMemory(BEYOND[only], polarsPython(), say);
};

export default count;
