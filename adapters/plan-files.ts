import { withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { type PlannedRelease, type PlanReleaseOptions, planRelease } from '../src/flow/plan-release.js';
import { nodeWorkers } from './node-workers.js';
import { readTable } from './table/read-table.js';

/** What a release of files would be told. */
export interface PlanFilesOptions extends Omit<PlanReleaseOptions, 'publicTable' | 'threads'> {
  /** A public table of the same columns, if there is one. */
  readonly public?: string | undefined;
  /** Where the private table is, if anybody knows, so that it is not taken for public under another name. It is not opened. */
  readonly private?: string | undefined;
}

/** Plans a release of files: reads the public table and nothing else; see `planRelease`. */
export const planFiles = async (options: PlanFilesOptions): Promise<PlannedRelease> => {
  const { onProgress, signal, outside } = options;
  const domain = domainFromSchema(withOutside(options.schema, outside));
  const reading = {
    private: options.private,
    outside,
    onProgress,
    signal,
  };
  const publicTable = options.public === undefined ? undefined : await readTable(options.public, domain, reading);
  return planRelease({ ...options, publicTable, threads: { workers: nodeWorkers } });
};
