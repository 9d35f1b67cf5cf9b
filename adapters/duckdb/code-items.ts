import type { DuckDBVector } from '@duckdb/node-api';

/** How DuckDB's vectors of numbers hold their items, which they show one by one only. */
interface Held {
  readonly items?: unknown;
  readonly validity?: { readonly data?: unknown };
}

/**
 * The first `rows` codes of a vector of unsigned integers of 1, 2 or 4 bytes, or null where one of them is missing. Asked one by one they take ten times
 * as long; should a version of DuckDB keep them otherwise, that is done.
 */
export const codeItems = (vector: DuckDBVector, rows: number): ArrayLike<number> | null => {
  const { items, validity } = vector as Held;
  if (
    validity?.data === null &&
    (items instanceof Uint8Array || items instanceof Uint16Array || items instanceof Uint32Array)
  )
    return items.length === rows ? items : items.subarray(0, rows);
  const codes = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const code = vector.getItem(row) as number | null;
    if (code === null) return null;
    codes[row] = code;
  }
  return codes;
};
