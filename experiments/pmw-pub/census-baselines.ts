import { type BaselineJob, type BaselineResult, tuneOrRun } from './baselines.js';
import { type CensusState, censusTables, censusWorkload } from './census-tables.js';

/** HDMM and DualQuery on one state. */
export interface CensusBaselineJob extends BaselineJob {
  readonly state: CensusState;
}

export const runJob = async (job: CensusBaselineJob): Promise<BaselineResult> => {
  const { privateTable, scale } = censusTables(job.data, job.state, job.etas === undefined);
  return tuneOrRun(privateTable, censusWorkload(privateTable.domain), job, scale);
};
