import { adultTables } from './adult-tables.js';
import { type BaselineJob, type BaselineResult, tuneOrRun } from './baselines.js';

/** HDMM and DualQuery on one sample of ADULT. */
export const runJob = async (job: BaselineJob): Promise<BaselineResult> => {
  const { privateTable, workload } = adultTables(job.data, job.seed, job.etas === undefined, 0);
  return tuneOrRun(privateTable, workload, job);
};
