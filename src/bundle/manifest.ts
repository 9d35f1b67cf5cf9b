import * as v from 'valibot';
import { InputError } from '../domain/input-error.js';
import { parseSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Charge } from '../privacy/accounting/charge.js';
import { chargeFromJson } from '../privacy/ledger/record/charge-json.js';
import { relationShape, releaseId, unitShape } from '../privacy/ledger/record/record.js';
import type { Act } from '../privacy/session/account/paid-run.js';
import type { PrivacyStatement } from '../privacy/session/statement.js';
import { parseShape } from '../query/parse-query.js';
import { type Among, amongShape } from './among.js';
import type { Measured } from './codec/measurements-file.js';
import { type Configuration, configurationShape } from './configuration.js';
import { type DiscoveryRecord, discoveryShape } from './discovery-record.js';
import { manifestName } from './file-names.js';
import { measuredShape, whole } from './shapes.js';

/** The only format there is; a bundle of another one is refused. */
export const bundleFormat = 'surmise-bundle/2';

/** A file of the bundle. */
export interface FileEntry {
  readonly name: string;
  readonly bytes: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** What bundle.json says: everything about a release but the numbers of its model and measurements. */
export interface Manifest {
  readonly format: typeof bundleFormat;
  /** The name of the release: its charges carry it in the ledger. */
  readonly release: string;
  /** The program that made it. */
  readonly software: string;
  readonly mechanism: {
    readonly name: string;
    /** Its options as they were in effect. */
    readonly options: Readonly<Record<string, unknown>>;
    /** Public facts about the run. */
    readonly notes: Readonly<Record<string, unknown>>;
  };
  /** What the release was told, for making it again; absent when it was made by a program of its own. */
  readonly configuration?: Configuration | undefined;
  /** The public table that was used, if any: as prior, or for the values within cells. */
  readonly public?:
    | {
        /** Its name, or those of several that serve together. */
        readonly file: string;
        readonly rows: number;
        /** Its households, where its rows are persons. */
        readonly households?: number | undefined;
        /** How it came to be this one, where several were given. */
        readonly among?: Among | undefined;
      }
    | undefined;
  /** How its model or its rows were made anew from the measurements, at no cost in privacy; absent when they are the release's own. */
  readonly refit?:
    | {
        /** SHA-256 of the bundle.json that it was made from. */
        readonly of: string;
        /** What fitted the model; absent when the model is the one of the release. */
        readonly estimator?: string | undefined;
        /** The estimator's options as they were in effect. */
        readonly options?: Readonly<Record<string, unknown>> | undefined;
        /** Public facts about the fit. */
        readonly notes?: Readonly<Record<string, unknown>> | undefined;
        /** The public table that was used for it, if any. */
        readonly public?: { readonly file: string; readonly rows: number } | undefined;
      }
    | undefined;
  readonly privacy: PrivacyStatement;
  /** What the release was allowed to spend: decimals, in the statement's currency. */
  readonly budget: {
    readonly total: string;
    readonly epsilon?: string | undefined;
    readonly delta?: string | undefined;
  };
  /** The ledger that was charged: its last record when the release was done. */
  readonly ledger: { readonly dataset: string; readonly records: number; readonly tip: string };
  /** How the synthetic rows were drawn from the model; absent when there are none. */
  readonly sampling?:
    | {
        readonly file: string;
        readonly rows: number;
        /** The households whose persons the rows are, where there are two levels: so many were drawn. */
        readonly households?: { readonly file: string; readonly rows: number } | undefined;
        readonly seed: number;
        readonly values: string;
      }
    | undefined;
  readonly files: readonly FileEntry[];
  readonly charges: readonly Act[];
  readonly measurements: readonly Measured[];
  /** How the schema was asked for, where it was not declared or learned. */
  readonly discovery?: DiscoveryRecord | undefined;
  readonly schema: Schema;
}

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const decimal = v.pipe(v.string(), v.regex(/^\d+(\.\d+)?([eE]-?\d+)?$/));
const facts = v.record(v.string(), v.unknown());
/** A name of a file beside bundle.json: no path leads out of the bundle. */
const plainName = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]*$/i));

const shape = v.strictObject({
  format: v.literal(bundleFormat),
  release: releaseId,
  software: v.string(),
  mechanism: v.strictObject({ name: v.string(), options: facts, notes: facts }),
  configuration: v.exactOptional(configurationShape),
  public: v.exactOptional(
    v.strictObject({
      file: v.string(),
      rows: whole,
      households: v.exactOptional(whole),
      among: v.exactOptional(amongShape),
    }),
  ),
  refit: v.exactOptional(
    v.strictObject({
      of: hash,
      estimator: v.exactOptional(v.string()),
      options: v.exactOptional(facts),
      notes: v.exactOptional(facts),
      public: v.exactOptional(v.strictObject({ file: v.string(), rows: whole })),
    }),
  ),
  privacy: v.strictObject({
    dataset: v.string(),
    relation: relationShape,
    unit: unitShape,
    currency: v.picklist(['pure', 'zcdp', 'gdp']),
    spent: decimal,
    rho: v.exactOptional(decimal),
    epsilon: v.exactOptional(decimal),
    delta: v.exactOptional(decimal),
    seeded: v.boolean(),
    text: v.string(),
  }),
  budget: v.strictObject({ total: decimal, epsilon: v.exactOptional(decimal), delta: v.exactOptional(decimal) }),
  ledger: v.strictObject({ dataset: v.string(), records: whole, tip: hash }),
  sampling: v.exactOptional(
    v.strictObject({
      file: plainName,
      rows: whole,
      households: v.exactOptional(v.strictObject({ file: plainName, rows: whole })),
      seed: whole,
      values: v.string(),
    }),
  ),
  files: v.array(v.strictObject({ name: plainName, bytes: whole, sha256: hash })),
  charges: v.array(
    v.strictObject({
      reservation: whole,
      charges: v.pipe(
        v.array(v.unknown()),
        v.transform((charges): Charge[] => charges.map((charge) => chargeFromJson(charge))),
      ),
      lost: v.exactOptional(v.literal(true)),
    }),
  ),
  measurements: measuredShape,
  discovery: v.exactOptional(discoveryShape),
  schema: v.unknown(),
  sha256: v.unknown(),
});

/** A manifest from parsed JSON, complete and well-formed; whether it is *true* is for `verifyBundle` to say. */
export const manifestFromJson = (json: unknown): Manifest => {
  const format = (json as { format?: unknown | undefined } | null)?.format;
  if (format !== bundleFormat)
    throw new InputError(
      `${manifestName}: must be of format ${bundleFormat}, got ${typeof format === 'string' ? format : 'none'}; read it with the surmise that wrote it`,
    );
  try {
    const { sha256: _, schema, ...rest } = parseShape(shape, json, manifestName);
    return { ...rest, schema: parseSchema(schema) };
  } catch (error) {
    if (!(error instanceof InputError) || error.message.startsWith(manifestName)) throw error;
    throw new InputError(`${manifestName}: ${error.message}`);
  }
};
