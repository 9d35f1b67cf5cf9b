import { indexOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { inTurns } from '../domain/turns.js';
import type { Arena } from '../kernel/arena.js';
import { createEngine } from '../kernel/engine.js';
import { loadingColumns } from '../kernel/load-columns.js';
import { createPool } from '../kernel/pool.js';
import { browserSpawn, type Spawn } from '../kernel/spawn.js';
import type { Counted } from '../query/holding.js';
import { checkMarginals } from './check-marginals.js';
import { type ClosableSource, closable } from './closable.js';
import { type CountWay, planTasks } from './count-tasks.js';
import { prepareRows, type RowOptions } from './prepare-rows.js';
import { runTasks } from './run-tasks.js';
import { wantedSets } from './wanted-sets.js';

/** The rows, whose they are, and how to count them. */
export interface MemorySourceOptions extends RowOptions, Pick<Running, 'signal'> {
  /** A stable name of the private dataset for its ledger; it must not derive from the rows. */
  readonly dataset: string;
  /** Number of threads, 2 by default; one where there are no workers. */
  readonly threads?: number | undefined;
  /** How to start workers: `nodeWorkers` in Node; in a browser the default does. */
  readonly workers?: Spawn | undefined;
  /** Bytes that the results of one `counts` may take, 2 GiB by default. */
  readonly memoryLimit?: number | undefined;
}

/** Closing it ends the workers; idle workers do not keep a process alive. */
export type MemorySource = ClosableSource;

/** Rows and counts share the kernels' memory, so what is needed and what is left both tell how many rows there are: no figures. */
const beyondKernels = (): InputError =>
  new InputError(
    'source: its rows and the counts asked for must fit in 4 GB together, got more; ask for fewer or smaller marginals, or count with DuckDB',
  );

const withoutSizes = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RangeError ? beyondKernels() : error;
  }
};

/**
 * Private rows in memory: code columns in kernel memory, counted on all threads, many marginals at a time. Rows beyond
 * the unit's bound are dropped here, at load. Loading copies the columns once; a count of m marginals over n rows
 * takes well under m n nanoseconds. Where the table's domain declares households, they are counted too (`holding`).
 *
 * @example
 * ```ts
 * const source = await memorySource({ table, dataset: 'survey-2024' });
 * ```
 */
export const memorySource = async (options: MemorySourceOptions): Promise<MemorySource> => {
  const { dataset, workers = browserSpawn(), memoryLimit = 2 ** 31 } = options;
  const { table, unit, units, seeded, ...kept } = prepareRows(options);
  const threads = options.threads ?? 2;
  const domain = structuredClone(table.domain);
  const rows = kept.rows?.length ?? table.length;
  const engine = await createEngine({ shared: workers !== undefined && threads > 1 });
  const columns = await withoutSizes(() => inTurns(loadingColumns(table, kept.rows, engine.arena), options));
  const places =
    kept.places === undefined ? undefined : await withoutSizes(() => loadBytes(kept.places!, engine.arena));
  const pool = createPool(engine, { threads, spawn: workers });
  const sizes = domain.attributes.map(({ size }) => size);

  const count = async (
    queries: readonly Counted[],
    signal: AbortSignal | undefined,
    way: CountWay = {},
  ): Promise<Float64Array[]> => {
    signal?.throwIfAborted();
    checkMarginals(domain, queries, memoryLimit);
    const { sets, take } = wantedSets(domain, queries);
    const tasks = planTasks(sets, sizes, rows, { threads: pool.threads, available: engine.arena.available, ...way });
    if ((tasks[0]?.bytes ?? 0) > engine.arena.available) throw beyondKernels();
    const results = new Array<Float64Array>(queries.length);
    await runTasks({ tasks, engine, pool, columns, rows, places: way.places, signal }, (set, words, start) => {
      for (const { position, counts } of take(set, words, start)) results[position] = counts;
    }).catch((error: unknown) => {
      throw error instanceof RangeError ? beyondKernels() : error;
    });
    return results;
  };

  // Requests take turns: they share the arena.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (...request: Parameters<typeof count>): Promise<Float64Array[]> => {
    const turn = last.then(() => count(...request));
    last = turn.catch(() => {});
    return turn;
  };
  // Households add up over what is said of households and over nothing else: one is in several cells of its persons.
  const shared = new Set(domain.households?.attributes.map((name) => indexOf(domain, name)));
  const family = (set: readonly number[]): string => set.filter((attribute) => !shared.has(attribute)).join();
  return {
    domain,
    unit,
    dataset,
    seeded,
    units: async () => units,
    ...closable(
      (marginals, { signal }) => inTurn(marginals, signal),
      pool.close,
      places === undefined ? undefined : (holdings, { signal }) => inTurn(holdings, signal, { family, places }),
    ),
  };
};

/** Copies bytes into kernel memory; their address. */
const loadBytes = (bytes: Uint8Array, arena: Arena): number => {
  const region = arena.u8(bytes.length);
  region.view.set(bytes);
  return region.address;
};
