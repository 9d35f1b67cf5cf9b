import { InputError } from '../domain/input-error.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import { atOnce, type Turns } from '../domain/turns.js';
import type { AnyModel } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import { formatAmount } from '../privacy/accounting/amount.js';
import type { LedgerStatus } from '../privacy/ledger/ledger.js';
import { hashing } from '../privacy/ledger/sha256.js';
import type { Session } from '../privacy/session/session.js';
import type { Released } from '../release/released.js';
import { writeMeasurements } from './codec/measurements-file.js';
import { writeModel } from './codec/model-file.js';
import { writeReplicates } from './codec/replicates-file.js';
import type { Configuration } from './configuration.js';
import type { DiscoveryRecord } from './discovery-record.js';
import { manifestName, measurementsName, modelName, replicatesName } from './file-names.js';
import { bundleFormat, type FileEntry, type Manifest } from './manifest.js';
import { manifestText } from './manifest-text.js';
import type { Bundle } from './open-bundle.js';

/** What a bundle is made of. */
export interface BundleParts {
  readonly released: Released<AnyModel>;
  /** Refitted models, from `bootstrap`. */
  readonly replicates?: Replicates | undefined;
  /** The session that the release was made with. */
  readonly session: Pick<Session, 'statement' | 'budget' | 'release' | 'acts'>;
  /** Where the ledger stands after the release. */
  readonly ledger: Pick<LedgerStatus, 'dataset' | 'records' | 'tip'>;
  readonly schema: Schema;
  /** How the schema was asked for, where it was. */
  readonly discovery?: DiscoveryRecord | undefined;
  readonly mechanism: { readonly name: string; readonly options: Readonly<Record<string, unknown>> };
  readonly software: string;
  readonly configuration?: Configuration | undefined;
  readonly public?: NonNullable<Manifest['public']> | undefined;
  /** How synthetic rows were drawn, and the file that holds them: written already, so that its hash is known. */
  readonly synthetic?:
    | {
        readonly sampling: Omit<NonNullable<Manifest['sampling']>, 'file'>;
        readonly file: FileEntry;
        /** The file of the households, where the rows are persons. */
        readonly households?: FileEntry | undefined;
      }
    | undefined;
}

/**
 * The files that a release leaves behind, by name, other than the synthetic rows. They are made of measurements, public
 * data and the charges: on two private tables that differ in a unit, and with equal noisy outputs, they are equal byte for byte.
 */
export const makeBundle = (parts: BundleParts): Record<string, Uint8Array<ArrayBuffer>> => atOnce(makingBundle(parts));

/** The same in turns: models and replicates may have gigabytes to be hashed. */
export function* makingBundle(parts: BundleParts): Turns<Record<string, Uint8Array<ArrayBuffer>>> {
  const { released, session, ledger, schema, synthetic } = parts;
  const { model, measurements, notes } = released;
  if (JSON.stringify(model.domain) !== JSON.stringify(domainFromSchema(schema)))
    throw new InputError('bundle: the model must be over the domain of the schema, got another domain');
  const { files, entries } = yield* contents(released, parts.replicates);
  const { total, epsilon, delta } = session.budget;
  const manifest: Manifest = {
    format: bundleFormat,
    release: session.release,
    software: parts.software,
    mechanism: { ...parts.mechanism, notes },
    configuration: parts.configuration,
    public: parts.public,
    privacy: session.statement(),
    budget: { total: formatAmount(total), epsilon: epsilon === undefined ? epsilon : formatAmount(epsilon), delta },
    ledger: { dataset: ledger.dataset, records: ledger.records, tip: ledger.tip },
    sampling: synthetic && { file: synthetic.file.name, ...synthetic.sampling },
    files: [...tablesOf(synthetic), ...entries],
    charges: session.acts(),
    measurements: measurements.map(({ query, noise }) => ({ query, noise })),
    discovery: parts.discovery,
    schema,
  };
  return { ...files, [manifestName]: new TextEncoder().encode(manifestText(manifest)) };
}

/** What is fitted anew of a release: the rest of it stays. */
export interface RefittedParts extends Pick<BundleParts, 'replicates' | 'synthetic'> {
  readonly model: AnyModel;
  readonly software: string;
  /** What is done otherwise than the release was told. */
  readonly configuration: Configuration;
  readonly refit: NonNullable<Manifest['refit']>;
}

/**
 * The files of a release whose model or rows were made anew from its measurements, in turns: charges, measurements and privacy statement are those
 * of the release.
 */
export function* remakingBundle(
  { manifest, measurements }: Pick<Bundle<AnyModel>, 'manifest' | 'measurements'>,
  parts: RefittedParts,
): Turns<Record<string, Uint8Array<ArrayBuffer>>> {
  const { synthetic, software, refit } = parts;
  const { files, entries } = yield* contents({ model: parts.model, measurements }, parts.replicates);
  const remade: Manifest = {
    ...manifest,
    software,
    configuration: { ...manifest.configuration, ...parts.configuration },
    refit,
    sampling: synthetic && { file: synthetic.file.name, ...synthetic.sampling },
    files: [...tablesOf(synthetic), ...entries],
  };
  return { ...files, [manifestName]: new TextEncoder().encode(manifestText(remade)) };
}

/** The files of numbers, and what the manifest says of them. */
function* contents(
  { model, measurements }: Pick<Released<AnyModel>, 'model' | 'measurements'>,
  replicates: Replicates | undefined,
): Turns<{ readonly files: Record<string, Uint8Array<ArrayBuffer>>; readonly entries: FileEntry[] }> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {
    [modelName]: writeModel(model),
    [measurementsName]: writeMeasurements(measurements),
  };
  if (replicates) files[replicatesName] = writeReplicates(model, replicates);
  const entries: FileEntry[] = [];
  for (const [name, bytes] of Object.entries(files)) entries.push(yield* describing(name, bytes));
  return { files, entries };
}

const tablesOf = (synthetic: BundleParts['synthetic']): FileEntry[] =>
  synthetic === undefined
    ? []
    : synthetic.households === undefined
      ? [synthetic.file]
      : [synthetic.file, synthetic.households];

/** What the manifest says of a file. */
export const entryOf = (name: string, bytes: Uint8Array): FileEntry => atOnce(describing(name, bytes));

/** The same in turns. */
export function* describing(name: string, bytes: Uint8Array): Turns<FileEntry> {
  return { name, bytes: bytes.length, sha256: yield* hashing(bytes) };
}
