import type { DuckDBConnection } from '@duckdb/node-api';
import { stridesOf } from '../../src/domain/cell-index.js';
import { cellsOf, type Domain, indexOf, sizesOf } from '../../src/domain/domain.js';
import type { Marginal } from '../../src/query/marginal.js';
import { chunksOf } from './duckdb.js';

/** Grouping sets in one query; more of them cost DuckDB memory for their hash tables. */
const SETS = 64;
/** Attributes in one query: its GROUPING number, one bit for each, stays an exact double. */
const ATTRIBUTES = 48;

/**
 * Exact counts of marginals over a table whose columns a0, a1, ... hold the codes of the domain's attributes, none NULL:
 * GROUPING SETS, one pass for each batch of marginals. Marginals over the same attributes are counted once.
 */
export const groupingCounts = async (
  connection: DuckDBConnection,
  table: string,
  domain: Domain,
  marginals: readonly Marginal[],
  signal?: AbortSignal,
): Promise<Float64Array[]> => {
  const targets = marginals.map(({ attributes }) => layout(domain, attributes));
  for (const batch of batches(targets)) await countWithin(connection, table, batch, signal);
  return targets.map(({ counts }) => counts);
};

/** Where the counts of one marginal go. */
interface Target {
  readonly counts: Float64Array;
  /** Positions of its attributes in the domain, as the marginal orders them. */
  readonly attributes: readonly number[];
  /** Distance in `counts` between neighbouring cells of each attribute. */
  readonly strides: readonly number[];
  /** The same for marginals over the same attributes. */
  readonly key: string;
}

const layout = (domain: Domain, names: readonly string[]): Target => {
  const attributes = names.map((name) => indexOf(domain, name));
  const key = [...attributes].sort((a, b) => a - b).join();
  return {
    counts: new Float64Array(cellsOf(domain, names)),
    attributes,
    strides: stridesOf(sizesOf(domain, names)),
    key,
  };
};

const batches = (targets: readonly Target[]): Target[][] => {
  const bySet = new Map<string, Target[]>();
  for (const target of targets) bySet.set(target.key, [...(bySet.get(target.key) ?? []), target]);
  const result: Target[][] = [];
  let sets = 0;
  let attributes = new Set<number>();
  for (const same of bySet.values()) {
    const wider = new Set([...attributes, ...same[0].attributes]);
    const full = sets % SETS === 0 || wider.size > ATTRIBUTES;
    if (full) result.push([]);
    sets = full ? 1 : sets + 1;
    attributes = full ? new Set(same[0].attributes) : wider;
    result[result.length - 1].push(...same);
  }
  return result;
};

// The hash tables of a batch may need more memory than DuckDB may use: then half a batch at a time, down to one set.
const countWithin = async (
  connection: DuckDBConnection,
  table: string,
  batch: readonly Target[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  const keys = [...new Set(batch.map(({ key }) => key))];
  try {
    await countBatch(connection, table, batch, signal);
  } catch (error) {
    if (keys.length === 1 || !(error instanceof Error && /Out of Memory/i.test(error.message))) throw error;
    const first = new Set(keys.slice(0, keys.length >> 1));
    for (const half of [true, false]) {
      const part = batch.filter(({ key }) => first.has(key) === half);
      await countWithin(connection, table, part, signal);
    }
  }
};

const countBatch = async (
  connection: DuckDBConnection,
  table: string,
  batch: readonly Target[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  const attributes = [...new Set(batch.flatMap((target) => target.attributes))];
  const names = attributes.map((index) => `a${index}`);
  const sets = new Map(batch.map((target) => [target.key, `(${target.attributes.map((i) => `a${i}`).join(', ')})`]));
  const mask = names.length === 0 ? '0' : `GROUPING(${names.join(', ')})`;
  const sql = `SELECT ${mask}::DOUBLE, count(*)::DOUBLE${names.map((name) => `, ${name}`).join('')} FROM ${table} GROUP BY GROUPING SETS (${[...sets.values()].join(', ')})`;
  // GROUPING has a 1 for every attribute that is summed out, the first attribute's bit highest.
  const byMask = new Map<number, Writer[]>();
  for (const target of batch) {
    const kept = new Set(target.attributes);
    const key = attributes.reduce((bits, index) => bits * 2 + (kept.has(index) ? 0 : 1), 0);
    const columns = target.attributes.map((index) => attributes.indexOf(index) + 2);
    byMask.set(key, [...(byMask.get(key) ?? []), { ...target, columns }]);
  }
  for await (const chunk of chunksOf(connection, sql, signal)) {
    const vectors = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnVector(i));
    for (let row = 0; row < chunk.rowCount; row++) {
      const count = vectors[1].getItem(row) as number;
      for (const { counts, columns, strides } of byMask.get(vectors[0].getItem(row) as number)!) {
        let cell = 0;
        for (let i = 0; i < columns.length; i++) cell += strides[i] * (vectors[columns[i]].getItem(row) as number);
        counts[cell] = count;
      }
    }
  }
};

interface Writer extends Target {
  /** Columns of the result that hold the target's codes. */
  readonly columns: readonly number[];
}
