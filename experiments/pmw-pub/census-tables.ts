import type { Domain } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import { sampleMarginals } from '../../src/query/workload/sample-marginals.js';
import type { Workload } from '../../src/query/workload/workload.js';
import { seeded } from '../../src/random/seeded.js';
import { loadCodes } from '../data/load-codes.js';
import { rowsWhere, without } from '../data/pick-rows.js';

export const censusMarginals = 1024;
export const censusMaxCells = 5000;
/** Illinois has the PUMA codes below this one, Ohio the others. */
const firstOfOhio = 88;
export const censusStates = ['Illinois', 'Ohio'] as const;
export type CensusState = (typeof censusStates)[number];

export interface CensusTables {
  /** A state in 2015-2018, or in 2014, which stands for it when parameters are tuned. */
  readonly privateTable: Table;
  /** How many times the records of the private table that of 2015-2018 has: budgets are multiplied by it to have the same precision. */
  readonly scale: number;
  /** The years of the private table, counted from 0 for 2012. */
  readonly first: number;
  readonly last: number;
  /** The rows of a state in some years. */
  rowsOf(state: CensusState, first: number, last: number): Table;
}

export const censusTables = (data: string, state: CensusState, tuning: boolean): CensusTables => {
  const table = loadCodes(data, 'nist-sprint2');
  const [puma, year] = table.columns;
  const rowsOf: CensusTables['rowsOf'] = (which, first, last) =>
    without(
      rowsWhere(
        table,
        (row) => puma[row] < firstOfOhio === (which === 'Illinois') && year[row] >= first && year[row] <= last,
      ),
      ['PUMA', 'YEAR'],
    );
  const final = rowsOf(state, 3, 6);
  const [first, last] = tuning ? [2, 2] : [3, 6];
  const privateTable = tuning ? rowsOf(state, first, last) : final;
  return { privateTable, scale: final.length / privateTable.length, first, last, rowsOf };
};

/** Three-way marginals of what can be asked for, the same in every run. */
export const censusWorkload = (domain: Domain): Workload =>
  sampleMarginals(domain, 3, censusMarginals, seeded(censusMarginals), { maxCells: censusMaxCells });
