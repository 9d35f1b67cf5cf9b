import * as v from 'valibot';
import { InputError } from '../domain/input-error.js';
import { domainFromSchema, parseSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Model } from '../model/model.js';
import type { Measurement } from '../privacy/measurement.js';
import { parseShape } from '../query/parse-query.js';
import { type BundleFiles, bytesOf, checkedBytes } from './checked-files.js';
import { readMeasurements, writeMeasurements } from './codec/measurements-file.js';
import { readRowModel, writeModel } from './codec/model-file.js';
import { measurementsName, modelName } from './file-names.js';
import { entryOf } from './make-bundle.js';
import type { FileEntry } from './manifest.js';
import { sealJson, unsealJson } from './sealed-json.js';
import { measuredShape, whole } from './shapes.js';

/** The only format there is. */
const format = 'surmise-estimate/1';

/** What an estimate from outside measurements calls the file that describes it. */
export const estimateName = 'estimate.json';

/** What estimate.json says, but for the measurements and the schema. Surmise did not measure, so it states no privacy. */
export interface EstimateFacts {
  /** The program that made it. */
  readonly software: string;
  /** How the fit went: plain JSON. */
  readonly fit: Readonly<Record<string, unknown>>;
  readonly sampling?:
    | {
        readonly file: string;
        readonly rows: number;
        readonly seed: number;
        /** Texts that a spreadsheet would take for a formula begin with an apostrophe. */
        readonly spreadsheet?: true | undefined;
      }
    | undefined;
}

/** A model that was estimated from measurements of another system. */
export interface Estimate {
  readonly facts: EstimateFacts;
  readonly schema: Schema;
  readonly model: Model;
  readonly measurements: readonly Measurement[];
}

/** The files of an estimate by name; `rows` is the file of synthetic rows, written already. */
export const makeEstimateFiles = (
  { facts, schema, model, measurements }: Estimate,
  rows?: FileEntry,
): Record<string, Uint8Array<ArrayBuffer>> => {
  const files = { [modelName]: writeModel(model), [measurementsName]: writeMeasurements(measurements) };
  const entries = Object.entries(files).map(([name, bytes]) => entryOf(name, bytes));
  const text = sealJson({
    format,
    ...facts,
    files: rows === undefined ? entries : [rows, ...entries],
    measurements: measurements.map(({ query, noise }) => ({ query, noise })),
    schema,
  });
  return { ...files, [estimateName]: new TextEncoder().encode(text) };
};

const shape = v.strictObject({
  format: v.literal(format),
  software: v.string(),
  fit: v.record(v.string(), v.unknown()),
  sampling: v.exactOptional(
    v.strictObject({ file: v.string(), rows: whole, seed: whole, spreadsheet: v.exactOptional(v.literal(true)) }),
  ),
  files: v.array(v.strictObject({ name: v.string(), bytes: whole, sha256: v.string() })),
  measurements: measuredShape,
  schema: v.unknown(),
  sha256: v.unknown(),
});

/** Restores an estimate from the bytes of its files. A file that was changed is an `InputError`. */
export const openEstimate = (files: BundleFiles): Estimate => {
  const { json, intact } = unsealJson(bytesOf(files, estimateName, 'estimate'), estimateName);
  if (!intact) throw new InputError(`${estimateName}: must be as surmise wrote it, got a changed file; make it anew`);
  const { software, fit, sampling, files: entries, measurements, ...rest } = parseShape(shape, json, estimateName);
  const schema = parseSchema(rest.schema);
  const domain = domainFromSchema(schema);
  const checked = (name: string): Uint8Array =>
    checkedBytes(files, name, 'estimate', { entries, describedBy: estimateName });
  return {
    facts: { software, fit, sampling },
    schema,
    model: readRowModel(checked(modelName), domain, modelName),
    measurements: readMeasurements(checked(measurementsName), measurements, domain, measurementsName),
  };
};
