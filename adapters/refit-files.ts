import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { keepBoth } from '../src/flow/keep-rows.js';
import type { MadeRelease } from '../src/flow/make-release.js';
import { type RefitReleaseOptions, refitRelease } from '../src/flow/refit-release.js';
import type { AnyModel } from '../src/model/model.js';
import { readAnyBundle } from './bundle-directory.js';
import { nodeFitters } from './node-fitters.js';
import { nodeWorkers } from './node-workers.js';
import { checkPublicNames, type PublicFilesOptions, publicNames } from './public-files.js';
import { readPublic } from './read-public.js';
import { type WriteRowsOptions, writeRows } from './write-rows.js';

/** What is made anew of a release in files. */
export interface RefitFilesOptions
  extends Omit<
      RefitReleaseOptions,
      'publicTables' | 'keepRows' | 'keepHouseholds' | 'configuration' | 'threads' | 'workers' | 'fitters'
    >,
    WriteRowsOptions,
    Pick<PublicFilesOptions, 'public' | 'publicHouseholds'> {
  /** The directory of the release; it stays as it is. */
  readonly release: string;
}

/** Makes the model or the rows of a release anew and puts all into an empty directory; see `refitRelease`. */
export const refitFiles = async (directory: string, options: RefitFilesOptions): Promise<MadeRelease<AnyModel>> => {
  const { format, spreadsheet, publicHouseholds, onProgress, signal } = options;
  const bundle = await readAnyBundle(options.release);
  const { schema } = bundle.manifest;
  await checkPublicNames(options, schema);
  const publicTables = await Promise.all(
    publicNames(options).map((file) =>
      readPublic(file, schema, {
        households: publicHouseholds,
        values: true,
        outside: bundle.manifest.configuration?.outside,
        onProgress,
        signal,
      }),
    ),
  );
  const made = await refitRelease(bundle, {
    ...options,
    publicTables,
    configuration: { format, spreadsheet },
    workers: nodeWorkers,
    fitters: nodeFitters,
    keepRows: writeRows(directory, domainFromSchema(schema), options),
    keepHouseholds: keepBoth((domain, name) => writeRows(directory, domain, options, name)),
  });
  for (const [name, bytes] of Object.entries(made.files)) await writeFile(path.join(directory, name), bytes);
  return made;
};
