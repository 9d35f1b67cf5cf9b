import { estimateName, openEstimate } from '../src/bundle/estimate-files.js';
import { measurementsName, modelName } from '../src/bundle/file-names.js';
import type { Manifest } from '../src/bundle/manifest.js';
import type { Schema } from '../src/domain/schema/schema.js';
import type { AnyModel } from '../src/model/model.js';
import type { Replicates } from '../src/model/replicates.js';
import type { Measurement } from '../src/privacy/measurement.js';
import { bundleDirectory, readAnyBundle } from './bundle-directory.js';

/** A model to ask, with what bounds are made from. */
export interface Answerable {
  readonly schema: Schema;
  readonly model: AnyModel;
  readonly measurements: readonly Measurement[];
  readonly replicates?: Replicates | undefined;
  /** How it was made; absent for an estimate from outside. */
  readonly manifest?: Manifest | undefined;
}

/** What can be asked in a directory: a release, or an estimate from outside measurements. */
export const readAnswerable = async (directory: string): Promise<Answerable> => {
  const store = await bundleDirectory(directory);
  const described = await store.read(estimateName);
  if (described === undefined) {
    const bundle = await readAnyBundle(directory);
    return { ...bundle, schema: bundle.manifest.schema };
  }
  const files: [string, Uint8Array][] = [[estimateName, described]];
  for (const name of [modelName, measurementsName]) {
    const bytes = await store.read(name);
    if (bytes !== undefined) files.push([name, bytes]);
  }
  return openEstimate(Object.fromEntries(files));
};
