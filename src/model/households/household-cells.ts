import { cellsOf, indexOf } from '../../domain/domain.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import type { Region } from '../../kernel/arena.js';
import type { Engine } from '../../kernel/engine.js';
import { jobBytes, writeJob } from '../../kernel/job.js';
import { loadColumns } from '../../kernel/load-columns.js';
import type { Counted } from '../../query/holding.js';
import { markRepeats } from './mark-repeats.js';

/** The cells of all persons in one query. */
export interface PersonCells {
  /** The cells of the query; in one that counts households there is one more, `cells`, for persons whose household is in their cell already. */
  readonly cells: number;
  /** The cell (u32) of each person. */
  readonly index: Region<Uint32Array>;
}

/** Loads the cells of the persons of all households in each of the queries into kernel memory. */
export const loadPersonCells = (
  table: HouseholdTable,
  queries: readonly Counted[],
  { arena, kernels }: Engine,
): PersonCells[] => {
  const { domain, length } = table;
  const columns = loadColumns(table, undefined, arena);
  return queries.map(({ attributes, kind }) => {
    const cells = cellsOf(domain, attributes);
    const index = arena.u32(length);
    const mark = arena.mark();
    const job = arena.u32(jobBytes(attributes.length) / 4);
    const own = attributes.map((name) => columns[indexOf(domain, name)]);
    writeJob(job.view, { columns: own, cells, copies: 1, table: 0 });
    kernels.cellIndex(job.address, 0, length, index.address);
    arena.release(mark);
    if (kind === 'holding') markRepeats(index.view, table, cells);
    return { cells, index };
  });
};
