import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Unit } from '../../src/query/unit.js';
import type { Random } from '../../src/random/random.js';
import type { DuckDBLimits } from '../duckdb/duckdb.js';

/** How a private file is opened, and whom it protects. */
export interface PrivateFileOptions extends Running, DuckDBLimits {
  /** Chooses the rows to drop beyond a unit's bound: cryptographic for private data. */
  readonly random: Random;
  /** Whom the guarantee protects; what the schema says, or a row, unless told. */
  readonly unit?: Unit | undefined;
  /** Name of the dataset, as its ledger has it (`tableLedger`); "private table" unless told. */
  readonly dataset?: string | undefined;
  /** What becomes of values that the schema does not name; `declared` unless told. How many there are is told nobody. */
  readonly outside?: Outside | undefined;
  /** The table of households, where the schema has them and the file does not say what they are. */
  readonly households?: string | undefined;
  /** Who counts: code columns in memory, DuckDB, or memory as long as the codes fit (`auto`). */
  readonly engine?: 'memory' | 'duckdb' | 'auto' | undefined;
  /** Bytes of codes that `auto` and `memory` hold in memory; 1 GiB unless told. */
  readonly codeLimit?: number | undefined;
}
