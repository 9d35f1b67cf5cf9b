import type { Schema } from '../../src/domain/schema/schema.js';
import { type Marginal, marginal } from '../../src/query/marginal.js';

/** What every side is asked: all pairs of the attributes of one Parquet file of codes, within a limit of memory. */
export interface BeyondTask {
  readonly file: string;
  readonly sizes: readonly number[];
  /** Bytes that DuckDB may hold. */
  readonly memory: number;
  readonly threads: number;
}

export interface BeyondRun {
  /** Seconds until the first count can be asked for: ours checks every value and keeps a copy of the codes. */
  readonly load: number;
  /** Seconds of counting all pairs. */
  readonly count: number;
  readonly processor: number;
  readonly bytes: number;
  readonly checksum: number;
}

export const names = (sizes: readonly number[]): string[] => sizes.map((_, i) => `x${i}`);

export const schemaOf = (sizes: readonly number[]): Schema => ({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: sizes.map((size, i) => ({ name: `x${i}`, type: 'integer', min: 0, max: size - 1 })),
});

export const pairsOf = (sizes: readonly number[]): Marginal[] =>
  names(sizes).flatMap((a, i) =>
    names(sizes)
      .slice(i + 1)
      .map((b) => marginal(a, b)),
  );

/** Depends on every count and its place; exact in doubles for 10^9 rows, so equal sums mean equal counts. */
export const weightOf = (pair: number, cell: number): number => (cell * 40_503 + pair * 7919) % 8191;

export const checksum = (counts: readonly Float64Array[]): number => {
  let total = 0;
  for (const [pair, table] of counts.entries())
    for (let cell = 0; cell < table.length; cell++) total += table[cell] * weightOf(pair, cell);
  return total;
};
