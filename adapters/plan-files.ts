import path from 'node:path';
import { withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { NamedTable } from '../src/flow/check-public.js';
import { type PlannedRelease, type PlanReleaseOptions, planRelease } from '../src/flow/plan-release.js';
import type { PublicsOptions } from '../src/flow/publics.js';
import { nodeWorkers } from './node-workers.js';
import { checkPublicNames, type PublicFilesOptions, publicNames } from './public-files.js';
import { readTable } from './table/read-table.js';

/** What a release of files would be told. */
export interface PlanFilesOptions
  extends Omit<PlanReleaseOptions, keyof PublicsOptions | 'threads'>,
    PublicFilesOptions {
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
  const names = publicNames(options);
  const tables: NamedTable[] = [];
  for (const file of await checkPublicNames(options))
    tables.push({ name: path.basename(file), table: await readTable(file, domain, reading) });
  return planRelease({
    ...options,
    publicTables: tables.slice(0, names.length).map((table, i) => ({ ...table, weight: options.publicWeights?.[i] })),
    standIn: options.standIn === undefined ? undefined : tables[names.length],
    threads: { workers: nodeWorkers },
  });
};
