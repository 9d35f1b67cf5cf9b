import { InputError } from '../domain/input-error.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import { atOnce, type Turns } from '../domain/turns.js';
import { type AnyModel, type HouseholdModel, type Model, modelsHouseholds } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import { type BundleFiles, bytesOf, checkedBytes } from './checked-files.js';
import { readMeasurements } from './codec/measurements-file.js';
import { readModel } from './codec/model-file.js';
import { readingReplicates } from './codec/replicates-file.js';
import { manifestName, measurementsName, modelName, replicatesName } from './file-names.js';
import type { Manifest } from './manifest.js';
import { readManifest } from './manifest-text.js';

/** A release read back: everything needed to ask it more questions or to draw more rows, at no cost in privacy. */
export interface Bundle<M extends AnyModel = Model> {
  readonly manifest: Manifest;
  readonly model: M;
  readonly measurements: readonly Measurement[];
  /** For bounds of answers, where the release has them. */
  readonly replicates?: Replicates | undefined;
}

/** A release of rows or of households, read back. */
export type AnyBundle = Bundle | Bundle<HouseholdModel>;

/**
 * Restores a release from the bytes of its files, in any runtime. Of all of them, only bundle.json, model.bin and measurements.bin are
 * needed, and replicates.bin for bounds. A file that was changed is an `InputError`, and so is a release of households.
 */
export const openBundle = (files: BundleFiles): Bundle => {
  const bundle = openAnyBundle(files);
  if (ofHouseholds(bundle))
    throw new InputError('bundle: must be a release of one table, got one of households; open it as such');
  return bundle;
};

/** The same of a release of households, whose model draws whole ones. */
export const openHouseholdBundle = (files: BundleFiles): Bundle<HouseholdModel> => {
  const bundle = openAnyBundle(files);
  if (!ofHouseholds(bundle))
    throw new InputError('bundle: must be a release of households, got one of a plain table; open it as such');
  return bundle;
};

/** Whether a bundle is a release of households. */
const ofHouseholds = (bundle: AnyBundle): bundle is Bundle<HouseholdModel> => modelsHouseholds(bundle.model);

/** The same of either kind. */
export const openAnyBundle = (files: BundleFiles): AnyBundle => atOnce(openingBundle(files));

/** The same in turns. */
export function* openingBundle(files: BundleFiles): Turns<AnyBundle> {
  const { manifest, intact } = readManifest(bytesOf(files, manifestName, 'bundle'));
  if (!intact)
    throw new InputError(`${manifestName}: must be as surmise wrote it, got a changed file`, { kind: 'verify-bundle' });
  const described = { entries: manifest.files, describedBy: manifestName };
  const checked = (name: string): Uint8Array => checkedBytes(files, name, 'bundle', described);
  const domain = domainFromSchema(manifest.schema);
  const model = readModel(checked(modelName), domain, modelName);
  yield;
  const bundle: Bundle<AnyModel> = {
    manifest,
    model,
    replicates: Object.hasOwn(files, replicatesName)
      ? yield* readingReplicates(checked(replicatesName), model, replicatesName)
      : undefined,
    measurements: readMeasurements(checked(measurementsName), manifest.measurements, domain, measurementsName),
  };
  // A bundle of either model is a bundle of one of them.
  return bundle as AnyBundle;
}
