import { withOutside } from '../src/domain/schema/outside.js';
import { type PlannedRelease, type PlanReleaseOptions, planRelease } from '../src/flow/plan-release.js';
import type { PublicTable } from '../src/flow/public-table.js';
import type { PublicsOptions } from '../src/flow/publics.js';
import { nodeFitters } from './node-fitters.js';
import { nodeWorkers } from './node-workers.js';
import { checkPublicNames, type PublicFilesOptions, publicNames } from './public-files.js';
import { readPublic } from './read-public.js';
import { syncSeconds } from './sync-seconds.js';

/** What a release of files would be told. */
export interface PlanFilesOptions
  extends Omit<PlanReleaseOptions, keyof PublicsOptions | 'threads'>,
    PublicFilesOptions {
  /** Threads that the release would have; 2 by default. */
  readonly threads?: number | undefined;
  /** Where the private table is, or tables are, if anybody knows, so that none is taken for public under another name. None is opened. */
  readonly private?: string | readonly string[] | undefined;
}

/** Plans a release of files: reads the public table and nothing else; see `planRelease`. */
export const planFiles = async (options: PlanFilesOptions): Promise<PlannedRelease> => {
  const { onProgress, signal, outside, publicHouseholds } = options;
  const schema = withOutside(options.schema, outside);
  const reading = { private: options.private, outside, onProgress, signal, households: publicHouseholds };
  const names = publicNames(options);
  const files = await checkPublicNames(options, schema);
  const tables: PublicTable[] = [];
  for (const file of files.slice(0, names.length + (options.standIn === undefined ? 0 : 1)))
    tables.push(await readPublic(file, schema, reading));
  return planRelease({
    ...options,
    publicTables: tables.slice(0, names.length).map((table, i) => ({ ...table, weight: options.publicWeights?.[i] })),
    standIn: options.standIn === undefined ? undefined : tables[names.length],
    threads: { threads: options.threads, workers: nodeWorkers },
    fitters: nodeFitters,
    syncSeconds: options.syncSeconds ?? (await syncSeconds()),
  });
};
