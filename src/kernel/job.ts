/** A code column in kernel memory. */
export interface JobColumn {
  readonly address: number;
  /** Bytes a code: 1, 2 or 4. */
  readonly bytes: number;
  /** Number of codes; every code in the column is below it. */
  readonly size: number;
}

/** A marginal over code columns: cells are numbered row-major, the last column fastest. */
export interface Job {
  readonly columns: readonly JobColumn[];
  /** Number of cells: the product of the sizes, below 2^30. */
  readonly cells: number;
  /** Histograms among which the rows take turns: 1, 2 or 4 of them one after another, to be added up afterwards. */
  readonly copies: number;
  /** Address of the u32 histograms. */
  readonly table: number;
}

/** Bytes of a job in memory. */
export const jobBytes = (columns: number): number => 16 + 12 * columns;

/** Writes a job as the kernels read it: columns, cells, copies, table, then address, bytes and size of each column. */
export const writeJob = (words: Uint32Array, job: Job): void => {
  words.set([job.columns.length, job.cells, job.copies, job.table]);
  job.columns.forEach(({ address, bytes, size }, index) => {
    words.set([address, bytes, size], 4 + 3 * index);
  });
};
