import type { Arena } from '../kernel/arena.js';
import { type JobColumn, jobBytes, writeJob } from '../kernel/job.js';
import { countScratch, type KernelCall } from '../kernel/kernels.js';
import { type Cover, coverSets } from '../query/joint/cover.js';
import { planSums, type SumPlan } from '../query/joint/sum-out.js';

/** A joint table to count: which columns, among how many histograms its rows take turns, and what follows from it. */
interface Piece {
  readonly cover: Cover;
  readonly copies: number;
  readonly sums: SumPlan;
  /** Byte offset of its tables from the start of the task's memory. */
  readonly offset: number;
}

/** How rows are counted: each of them, or of the persons of a household those whose cell no earlier one has. */
export interface CountWay {
  /** Sets of attributes that may be summed out of one joint table have the same name. */
  readonly family?: ((set: readonly number[]) => string) | undefined;
  /** Address of the places of persons in their households, where households are counted. */
  readonly places?: number | undefined;
}

/** Joint tables that one thread counts together and sums out, in a stretch of memory of its own. */
export interface CountTask {
  readonly pieces: readonly Piece[];
  readonly bytes: number;
  /** Several threads share the rows, each with histograms of its own: then they are added up. */
  readonly parts: number;
}

/** Beyond this many cells the histogram would leave the second-level cache, and a row would cost a few times more. */
const cellLimit = 65536;
/** Histograms that go over the same block of rows together. */
const cachedBytes = 256 * 1024;
/** Memory of a task: small enough to stay in the cache, large enough to outweigh a message to a worker. */
const taskBytes = 2 * 1024 * 1024;

/** Fewer cells collide more often, and their copies cost less to add up. */
const copiesFor = (cells: number): number => (cells <= 4096 ? 4 : cells <= 16384 ? 2 : 1);

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/** Plans the counting of distinct sets of attributes over `rows` rows; the tasks come largest first. */
export const planTasks = (
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  rows: number,
  { threads, available, family, places }: CountWay & { readonly threads: number; readonly available: number },
): CountTask[] => {
  // Summing a cell out costs a fifth of counting a row, and a cell is summed about twice.
  const limit = Math.max(64, Math.min(cellLimit, Math.floor(rows * 0.4)));
  const covers = familiesOf(sets, family).flatMap((members) =>
    coverSets(
      members.map((position) => sets[position]),
      sizes,
      { limit, alone: Math.max(limit, 4 * rows) },
    ).map((cover) => ({ ...cover, wanted: cover.wanted.map((place) => members[place]) })),
  );
  const plan = (parts: number): CountTask[] => {
    const tasks: CountTask[] = [];
    let pieces: Piece[] = [];
    let bytes = 0;
    let tables = 0;
    const close = (): void => {
      if (pieces.length > 0) tasks.push({ pieces, bytes, parts });
      [pieces, bytes] = [[], 0];
    };
    for (const cover of covers) {
      const copies = places === undefined ? copiesFor(cover.cells) : 1;
      const sums = planSums(cover, sets, sizes, cover.cells * 4 * copies * parts);
      const jobs = align(jobBytes(cover.attributes.length)) * parts;
      if (bytes > 0 && bytes + sums.bytes + jobs > taskBytes) close();
      if (bytes === 0) bytes = tables = align(countScratch) * parts;
      pieces.push({ cover, copies, sums, offset: tables });
      tables += sums.bytes;
      bytes += sums.bytes + jobs;
    }
    close();
    return tasks.sort((a, b) => b.bytes - a.bytes);
  };
  const whole = plan(1);
  if (whole.length === 0 || whole.length >= threads || rows < 65536) return whole;
  const split = plan(threads);
  return split[0].bytes <= available ? split : whole;
};

/** Positions of the sets that may share joint tables. */
export const familiesOf = (sets: readonly (readonly number[])[], family: CountWay['family']): number[][] => {
  if (family === undefined) return [[...sets.keys()]];
  const byName = new Map<string, number[]>();
  sets.forEach((set, position) => {
    const members = byName.get(family(set));
    if (members === undefined) byName.set(family(set), [position]);
    else members.push(position);
  });
  return [...byName.values()];
};

/**
 * Writes the jobs of a task at an address and returns its calls: first those that may run side by side, then the rest. With `goesOn` the tables
 * keep what was counted before.
 */
export const compileTask = (
  task: CountTask,
  address: number,
  arena: Arena,
  columns: readonly JobColumn[],
  rows: number,
  places: number | undefined,
  goesOn = false,
): { readonly count: KernelCall[][]; readonly sum: KernelCall[] } => {
  const { pieces, parts } = task;
  const count: KernelCall[][] = [];
  // The jobs lie behind all tables, so that those of one group are neighbours.
  let next = address + align(countScratch) * parts + pieces.reduce((total, { sums }) => total + sums.bytes, 0);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((rows * part) / parts);
    const to = Math.floor((rows * (part + 1)) / parts);
    const calls: KernelCall[] = [];
    let group = { job: next, jobs: 0, bytes: 0 };
    const flush = (): void => {
      const scratch = address + align(countScratch) * part;
      if (group.jobs > 0)
        calls.push(
          places === undefined
            ? ['count', group.job, group.jobs, from, to, scratch]
            : ['countHoldings', group.job, group.jobs, from, to, places, scratch],
        );
      group = { job: next, jobs: 0, bytes: 0 };
    };
    for (const { cover, copies, offset } of pieces) {
      const bytes = cover.cells * 4 * copies;
      const table = address + offset + part * bytes;
      if (group.bytes + bytes > cachedBytes) flush();
      const used = cover.attributes.map((attribute) => columns[attribute]);
      writeJob(new Uint32Array(arena.memory.buffer, next, jobBytes(used.length) / 4), {
        columns: used,
        cells: cover.cells,
        copies,
        table,
      });
      if (!goesOn) calls.push(['clear', table, bytes]);
      next += jobBytes(used.length);
      group.jobs++;
      group.bytes += bytes;
    }
    flush();
    count.push(calls);
  }
  const sum: KernelCall[] = [];
  for (const { cover, copies, sums, offset } of pieces) {
    const base = address + offset;
    if (copies * parts > 1) sum.push(['sumAxis', base, base, 1, copies * parts, cover.cells]);
    for (const { from, to, outer, size, inner } of sums.steps)
      sum.push(['sumAxis', base + from, base + to, outer, size, inner]);
  }
  return { count, sum };
};
