import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Estimate } from '../src/bundle/estimate-files.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { type MakeEstimateOptions, makeEstimate } from '../src/flow/make-estimate.js';
import { nodeWorkers } from './node-workers.js';
import { writeRows } from './write-rows.js';

/** Measurements of another system, and what is made of them. */
export interface EstimateFilesOptions extends Omit<MakeEstimateOptions, 'keepRows' | 'threads' | 'workers'> {
  readonly format?: 'csv' | 'parquet' | undefined;
}

/** Fits a model to measurements from outside and writes it, with rows, into an empty directory; see `makeEstimate`. */
export const estimateFiles = async (directory: string, options: EstimateFilesOptions): Promise<Estimate> => {
  const keepRows = writeRows(directory, domainFromSchema(options.schema), options);
  const { estimate, files } = await makeEstimate({ ...options, workers: nodeWorkers, keepRows });
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(directory, name), bytes);
  return estimate;
};
