import type { Domain } from '../domain/domain.js';
import type { Running } from '../domain/running.js';
import { type CodeColumn, codeColumn } from '../domain/table.js';
import type { Engine } from '../kernel/engine.js';
import type { JobColumn } from '../kernel/job.js';
import type { Pool } from '../kernel/pool.js';
import type { Marginal } from '../query/marginal.js';
import { type CountTask, compileTask, planTasks } from './count-tasks.js';
import { allDone } from './run-tasks.js';
import { wantedSets } from './wanted-sets.js';

/** Codes of some rows, a column for each attribute that was asked for; lent until the next ones are asked for. */
export interface CodeRows {
  readonly length: number;
  readonly columns: readonly ArrayLike<number>[];
}

/** Rows that do not fit in memory and are gone through in their order, as often as need be. */
export interface PassingRows {
  /** Number of rows: for the share that has passed, which is all that is told of it. */
  readonly length: number;
  /** Goes through all rows once. The attributes are numbers in the domain. */
  read(attributes: readonly number[], signal: AbortSignal | undefined): AsyncIterable<CodeRows>;
}

export interface PassingOptions extends Running {
  readonly engine: Engine;
  readonly pool: Pool;
  /** Bytes of joint tables that one pass counts at most; what needs more takes several passes. */
  readonly tableBytes: number;
}

/** Bytes of the two blocks that rows are gathered in: one is counted while the other fills. */
const blockBytes = 2 ** 24;
const mostBlockRows = 2 ** 18;
/** Counters have 32 bits: they are read out before so many rows could overflow one. */
const spanRows = 2 ** 31;
/** Joint tables are planned for many rows, whatever their number: the plan must not tell it. */
const manyRows = 2 ** 24;

/**
 * Exact counts of marginals over rows that pass by: joint tables stay in kernel memory, rows are gathered in blocks and counted there by the workers
 * while the next ones arrive. So a pass costs about what reading the rows costs, and memory does not grow with their number. Progress is told
 * in hundredths of all passes, the same hundred events for any number of rows.
 */
export const countBlocks = async (
  rows: PassingRows,
  domain: Domain,
  marginals: readonly Marginal[],
  { engine, pool, tableBytes, onProgress, signal }: PassingOptions,
): Promise<Float64Array[]> => {
  const sizes = domain.attributes.map(({ size }) => size);
  const { sets, take } = wantedSets(domain, marginals);
  const tasks = planTasks(sets, sizes, manyRows, { threads: 1, available: engine.arena.available });
  const passes = passesOf(tasks, tableBytes);
  const results = new Array<Float64Array>(marginals.length);
  const keep = (set: number, words: Uint32Array, start: number): void => {
    for (const { position, counts } of take(set, words, start)) {
      const before = results[position];
      if (before === undefined) results[position] = counts;
      else for (let cell = 0; cell < counts.length; cell++) before[cell] += counts[cell];
    }
  };
  let told = 0;
  const tell = (share: number): void => {
    for (; told < Math.floor(100 * share); told++) onProgress?.({ stage: 'count', done: told + 1, total: 100 });
  };
  for (const [pass, own] of passes.entries()) {
    const { arena } = engine;
    const mark = arena.mark();
    const counter = openCounter(own, sizes, engine, pool, keep);
    let passed = 0;
    try {
      for await (const chunk of rows.read(counter.attributes, signal)) {
        await counter.add(chunk);
        passed += chunk.length;
        tell(Math.min(1, (pass + passed / Math.max(1, rows.length)) / passes.length) * 0.99);
      }
      await counter.finish();
    } finally {
      // Whatever happened, nobody writes to the memory any more.
      await counter.settle();
      arena.release(mark);
    }
  }
  tell(1);
  return results;
};

/** Tasks that have room together, in as few passes as their order allows; one that is too large alone has a pass of its own. */
const passesOf = (tasks: readonly CountTask[], tableBytes: number): CountTask[][] => {
  const passes: CountTask[][] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const task of tasks) {
    if (held + task.bytes > tableBytes) {
      passes.push([]);
      held = 0;
    }
    passes[passes.length - 1].push(task);
    held += task.bytes;
  }
  return passes;
};

interface Block {
  readonly columns: readonly JobColumn[];
  readonly views: () => readonly CodeColumn[];
}

/** Counts the tasks of one pass. */
const openCounter = (
  tasks: readonly CountTask[],
  sizes: readonly number[],
  { arena }: Engine,
  pool: Pool,
  keep: (set: number, words: Uint32Array, start: number) => void,
) => {
  const attributes = [...new Set(tasks.flatMap(({ pieces }) => pieces.flatMap(({ cover }) => cover.attributes)))].sort(
    (a, b) => a - b,
  );
  const addresses = tasks.map(({ bytes }) => arena.allocate(bytes));
  const widths = attributes.map((attribute) => codeColumn(sizes[attribute], 0).BYTES_PER_ELEMENT);
  const rowBytes = widths.reduce((sum, width) => sum + width, 0);
  const capacity = Math.min(mostBlockRows, Math.max(2 ** 12, Math.floor(blockBytes / 2 / Math.max(1, rowBytes))));
  const blocks = [0, 1].map((): Block => {
    const regions = widths.map((width) =>
      width === 1 ? arena.u8(capacity) : width === 2 ? arena.u16(capacity) : arena.u32(capacity),
    );
    const columns: JobColumn[] = sizes.map((size) => ({ address: 0, bytes: 1, size }));
    for (const [i, attribute] of attributes.entries())
      columns[attribute] = { address: regions[i].address, bytes: widths[i], size: sizes[attribute] };
    return { columns, views: () => regions.map(({ view }) => view) };
  });
  let filling = 0;
  let filled = 0;
  /** Rows in the tables since they were last read out. */
  let counted = 0;
  let counting: Promise<void> = Promise.resolve();

  const count = ({ columns }: Block, rows: number, goesOn: boolean): Promise<void> =>
    allDone(
      tasks.map((task, i) =>
        pool.run(compileTask(task, addresses[i], arena, columns, rows, undefined, goesOn).count[0]),
      ),
    );
  const readOut = async (): Promise<void> => {
    await allDone(
      tasks.map((task, i) =>
        pool.run(compileTask(task, addresses[i], arena, blocks[0].columns, 0, undefined, true).sum),
      ),
    );
    const words = new Uint32Array(arena.memory.buffer);
    for (const [i, { pieces }] of tasks.entries())
      for (const { sums, offset } of pieces)
        for (const result of sums.results) keep(result.wanted, words, (addresses[i] + offset + result.offset) / 4);
    counted = 0;
  };
  /** Counts what was gathered, once what was gathered before is counted, and goes on with the other block. */
  const turn = async (): Promise<void> => {
    await counting;
    if (counted + filled > spanRows) await readOut();
    counting = count(blocks[filling], filled, counted > 0);
    // Waited for in the next turn; a failure must not end the process before.
    counting.catch(() => {});
    counted += filled;
    filling = 1 - filling;
    filled = 0;
  };

  return {
    attributes,
    add: async ({ length, columns }: CodeRows): Promise<void> => {
      if (length > capacity) throw new Error(`rows: must come at most ${capacity} at a time, got ${length}`);
      if (filled + length > capacity) await turn();
      for (const [i, view] of blocks[filling].views().entries()) view.set(columns[i], filled);
      filled += length;
    },
    finish: async (): Promise<void> => {
      // Also where there are no rows: the tables have to be cleared.
      if (filled > 0 || counted === 0) await turn();
      await counting;
      await readOut();
    },
    settle: () => counting.catch(() => {}),
  };
};
