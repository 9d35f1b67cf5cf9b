import type { Region } from '../../kernel/arena.js';
import type { KernelCall, KernelName } from '../../kernel/kernels.js';

/** A contiguous part of the things that have weights, worked on by one thread. */
export interface Slice {
  readonly from: number;
  readonly length: number;
  readonly lane: number;
}

/** The cells of one query: so many, from an element of `sums` and `potentials` on. */
export interface CellRange {
  readonly from: number;
  readonly cells: number;
}

/**
 * Things with a weight each (rows, or households), in kernel memory, seen through the cells of a fixed list of queries. Each adds its weight to some cells:
 * that is the linear map A, which `scatter` applies, and `gather` its transpose. All that fitting weights to answers needs.
 */
export interface Weighted {
  /** The weights to start at, one for each, with sum 1. */
  readonly start: Float64Array;
  /** Where each query's cells are. */
  readonly maps: readonly CellRange[];
  /** Sums of weights in each cell of all queries, after `collect`. */
  readonly sums: Region<Float64Array>;
  /** What `gather` adds for each cell: the caller's to fill where a map is. */
  readonly potentials: Region<Float64Array>;
  /** A vector with an element for each thing, uninitialised. */
  vector(): Region<Float64Array>;
  /** Runs kernel calls for each slice on its own thread; the results of each slice's calls. */
  run(calls: (slice: Slice) => KernelCall[]): Promise<number[][]>;
  /** Calls that overwrite `target` with the sum over all maps of the potentials of the cells that each thing adds its weight to. */
  gather(target: Region<Float64Array>, slice: Slice): KernelCall[];
  /** Calls that sum `weights` by cell for all maps, to be completed by `collect`. */
  scatter(weights: Region<Float64Array>, slice: Slice): KernelCall[];
  /** Adds up what the threads have scattered, into `sums`. */
  collect(): void;
  close(): void;
}

/** Ranges of these lengths, one after another. */
export const rangesOf = (lengths: readonly number[]): CellRange[] => {
  let next = 0;
  return lengths.map((cells) => {
    const from = next;
    next += cells;
    return { from, cells };
  });
};

/** Where a slice of a vector begins. */
export const sliceAddress = (vector: Region<Float64Array>, { from }: Slice): number => vector.address + 8 * from;

/** A kernel called on a slice of vectors: these stand for their addresses, and the slice's length is added in the end. */
export const onSlice = (slice: Slice, kernel: KernelName, ...args: (number | Region<Float64Array>)[]): KernelCall => [
  kernel,
  ...args.map((arg) => (typeof arg === 'number' ? arg : sliceAddress(arg, slice))),
  slice.length,
];

/** So many slices of `length` things, which begin at multiples of eight. */
export const slicesOf = (length: number, lanes: number): Slice[] =>
  Array.from({ length: lanes }, (_, lane): Slice => {
    const from = Math.floor((length * lane) / lanes / 8) * 8;
    const to = lane === lanes - 1 ? length : Math.floor((length * (lane + 1)) / lanes / 8) * 8;
    return { from, length: to - from, lane };
  });
