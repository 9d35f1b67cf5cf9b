import { InputError } from '../domain/input-error.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Model } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import type { Measurement } from '../privacy/measurement.js';
import { readMeasurements } from './codec/measurements-file.js';
import { readModel } from './codec/model-file.js';
import { readReplicates } from './codec/replicates-file.js';
import { type Manifest, manifestName, measurementsName, modelName, replicatesName } from './manifest.js';
import { readManifest } from './manifest-text.js';

/** A release read back: everything needed to ask it more questions or to draw more rows, at no cost in privacy. */
export interface Bundle {
  readonly manifest: Manifest;
  readonly model: Model;
  readonly measurements: readonly Measurement[];
  /** For bounds of answers, where the release has them. */
  readonly replicates?: Replicates | undefined;
}

/** The files of a bundle by name: of all of them, only bundle.json, model.bin and measurements.bin are needed, and replicates.bin for bounds. */
export type BundleFiles = Readonly<Record<string, Uint8Array>>;

/** Restores a release from the bytes of its files, in any runtime. A file that was changed is an `InputError`. */
export const openBundle = (files: BundleFiles): Bundle => {
  const { manifest, intact } = readManifest(fileOf(files, manifestName));
  if (!intact)
    throw new InputError(`${manifestName}: must be as surmise wrote it, got a changed file`, { kind: 'verify-bundle' });
  const checked = (name: string): Uint8Array => {
    const bytes = fileOf(files, name);
    const entry = manifest.files.find((file) => file.name === name);
    if (entry?.bytes !== bytes.length || entry.sha256 !== sha256(bytes))
      throw new InputError(`${name}: must be the file that bundle.json names, got a changed one`, {
        kind: 'verify-bundle',
      });
    return bytes;
  };
  const domain = domainFromSchema(manifest.schema);
  const model = readModel(checked(modelName), domain, modelName);
  return {
    manifest,
    model,
    ...(Object.hasOwn(files, replicatesName) && {
      replicates: readReplicates(checked(replicatesName), model, replicatesName),
    }),
    measurements: readMeasurements(checked(measurementsName), manifest.measurements, domain, measurementsName),
  };
};

const fileOf = (files: BundleFiles, name: string): Uint8Array => {
  if (!Object.hasOwn(files, name)) throw new InputError(`${name}: must be among the files of the bundle, got none`);
  return files[name];
};
