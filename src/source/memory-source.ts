import { type Domain, indexOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Table } from '../domain/table.js';
import { createEngine } from '../kernel/engine.js';
import { loadColumns } from '../kernel/load-columns.js';
import { createPool } from '../kernel/pool.js';
import { browserSpawn, type Spawn } from '../kernel/spawn.js';
import type { Marginal } from '../query/marginal.js';
import { checkUnit, type Unit } from '../query/unit.js';
import { isCryptographic } from '../random/cryptographic.js';
import type { Random } from '../random/random.js';
import { arrange } from './arrange.js';
import { boundContributions, type Ids } from './bound-contributions.js';
import { checkMarginals } from './check-marginals.js';
import { type ClosableSource, closable } from './closable.js';
import { planTasks } from './count-tasks.js';
import { runTasks } from './run-tasks.js';

/** The rows, whose they are, and how to count them. */
export interface MemorySourceOptions {
  /** The private rows. They are copied; the source keeps no reference to the table. */
  readonly table: Table;
  /** A stable name of the private dataset for its ledger; it must not derive from the rows. */
  readonly dataset: string;
  /** Whom the guarantee protects; one row by default. */
  readonly unit?: Unit | undefined;
  /** Whose each row is, when the unit is an id. */
  readonly ids?: Ids | undefined;
  /** Chooses the rows to keep of an id with too many: `webEntropy()`; any other marks what is released as made from a seed. */
  readonly random?: Random | undefined;
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

const withoutSizes = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw error instanceof RangeError ? beyondKernels() : error;
  }
};

/** A marginal as numbers: its attributes in ascending order, and where each one asked for is among them. */
interface Wanted {
  readonly set: readonly number[];
  readonly order: readonly number[];
}

const resolve = (domain: Domain, { attributes }: Marginal): Wanted => {
  const asked = attributes.map((name) => indexOf(domain, name));
  const set = asked.toSorted((a, b) => a - b);
  return { set, order: asked.map((attribute) => set.indexOf(attribute)) };
};

/**
 * Private rows in memory: code columns in kernel memory, counted on all threads, many marginals at a time. Rows beyond
 * the unit's bound are dropped here, at load. Loading copies the columns once; a count of m marginals over n rows
 * takes well under m n nanoseconds.
 *
 * @example
 * ```ts
 * const source = await memorySource({ table, dataset: 'survey-2024' });
 * ```
 */
export const memorySource = async (options: MemorySourceOptions): Promise<MemorySource> => {
  const { table, dataset, ids, random, workers = browserSpawn(), memoryLimit = 2 ** 31 } = options;
  const unit: Unit = options.unit ?? { kind: 'row', maxRecords: 1 };
  checkUnit(unit);
  const threads = options.threads ?? 2;
  const domain = structuredClone(table.domain);
  const kept = keptRows(table, unit, ids, random);
  const units = kept.units;
  const rows = kept.rows?.length ?? table.length;
  const engine = await createEngine({ shared: workers !== undefined && threads > 1 });
  const columns = withoutSizes(() => loadColumns(table, kept.rows, engine.arena));
  const pool = createPool(engine, { threads, spawn: workers });
  const sizes = domain.attributes.map(({ size }) => size);

  const count = async (marginals: readonly Marginal[], signal: AbortSignal | undefined): Promise<Float64Array[]> => {
    signal?.throwIfAborted();
    checkMarginals(domain, marginals, memoryLimit);
    const wanted = marginals.map((marginal) => resolve(domain, marginal));
    const keys = new Map<string, number[]>();
    wanted.forEach(({ set }, position) => {
      const key = set.join();
      if (keys.has(key)) keys.get(key)!.push(position);
      else keys.set(key, [position]);
    });
    const users = [...keys.values()];
    const sets = users.map(([first]) => wanted[first].set);
    const tasks = planTasks(sets, sizes, rows, { threads: pool.threads, available: engine.arena.available });
    if ((tasks[0]?.bytes ?? 0) > engine.arena.available) throw beyondKernels();
    const results = new Array<Float64Array>(marginals.length);
    await runTasks({ tasks, engine, pool, columns, rows, signal }, (set, words, start) => {
      const shape = sets[set].map((attribute) => sizes[attribute]);
      for (const position of users[set]) results[position] = arrange(words, start, shape, wanted[position].order);
    }).catch((error: unknown) => {
      throw error instanceof RangeError ? beyondKernels() : error;
    });
    return results;
  };

  // Requests take turns: they share the arena.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: typeof count = (marginals, signal) => {
    const turn = last.then(() => count(marginals, signal));
    last = turn.catch(() => {});
    return turn;
  };
  return {
    domain,
    unit,
    dataset,
    seeded: unit.kind === 'id' && !(random !== undefined && isCryptographic(random)),
    units: async () => units,
    ...closable(inTurn, pool.close),
  };
};

/** The rows to keep, all when undefined, and the number of units they come from. */
const keptRows = (
  table: Table,
  unit: Unit,
  ids: Ids | undefined,
  random: Random | undefined,
): { readonly rows?: Uint32Array | undefined; readonly units: number } => {
  if (unit.kind === 'row') {
    if (ids)
      throw new InputError('unit: must be an id when ids are given, got a row; name the id column and maxRecords');
    return { units: table.length };
  }
  if (!ids || !random)
    throw new InputError(
      `unit: needs ids and random to bound the rows of each id, got ${ids ? 'ids' : 'neither'} only`,
    );
  if (ids.length !== table.length)
    throw new InputError(`ids: must be one for each of the ${table.length} rows, got ${ids.length}`);
  return boundContributions(ids, unit.maxRecords, random);
};
