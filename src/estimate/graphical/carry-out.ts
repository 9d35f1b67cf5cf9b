import type { FitApart } from './apart.js';
import { foundOf, optionsOf } from './as-job.js';
import { estimateGraphical } from './estimate.js';

/** Carries a fit out in the calling thread, which may be a worker. */
export const carryOut: FitApart = async (job, { signal }) =>
  foundOf(await estimateGraphical(job.domain, job.measurements, { ...optionsOf(job), signal }));
