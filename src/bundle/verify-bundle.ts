import type { Domain } from '../domain/domain.js';
import { spreadsheetDomain, spreadsheetText } from '../domain/encode/spreadsheet-text.js';
import { keyedDomains, keyedTables } from '../domain/households/keyed-tables.js';
import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Table } from '../domain/table.js';
import { eventYielder, inTurns } from '../domain/turns.js';
import { forbiddenMass } from '../model/forbidden-mass.js';
import { type AnyModel, drawRows, modelsHouseholds } from '../model/model.js';
import { parseAmount } from '../privacy/accounting/amount.js';
import { costOfAll, describeAmount } from '../privacy/accounting/charge.js';
import type { LedgerInspection } from '../privacy/ledger/inspect-ledger.js';
import { fixedCharges, statementOf } from '../privacy/session/statement.js';
import { checkQuery } from '../query/check-query.js';
import { seeded } from '../random/seeded.js';
import { paidErrors } from './among.js';
import { readMeasurements } from './codec/measurements-file.js';
import { readModel } from './codec/model-file.js';
import { readingReplicates } from './codec/replicates-file.js';
import { discoveryFaults } from './discovery-faults.js';
import { manifestName, measurementsName, modelName, replicatesName } from './file-names.js';
import { ledgerFaults } from './ledger-faults.js';
import type { FileEntry, Manifest } from './manifest.js';
import { readManifest } from './manifest-text.js';
import { matchCharges } from './match-charges.js';
import { residualFaults } from './residual-faults.js';

/** Where the files of a bundle are: a directory, an archive, a page's memory. */
export interface BundleStore {
  /** The bytes of a file, or undefined when there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Size and hash of a file, which may be too large to hold, or undefined when there is none. */
  describe(name: string): Promise<FileEntry | undefined>;
  /** Names of all files. */
  names(): Promise<readonly string[]>;
  /** The rows of a table among the files, as cells of the domain; absent where tables cannot be read. */
  rows?(name: string, domain: Domain): Promise<Table>;
}

/** What was checked of a bundle, and what was found wrong. */
export interface BundleVerdict {
  /** A sentence for everything that is not as it must be; none when the bundle is whole. */
  readonly faults: readonly string[];
  /** What was checked and found right. */
  readonly checks: readonly string[];
  /** What was not checked, and why. */
  readonly unchecked: readonly string[];
  /** Undefined when bundle.json cannot be read. */
  readonly manifest?: Manifest | undefined;
}

/** Checks one thing: the sentences of its faults, none when it is right. */
type Check = () => Promise<readonly string[]> | readonly string[];

/** An `InputError` of `work` as a fault. */
const faultsOf = async (work: () => Promise<unknown> | unknown): Promise<string[]> => {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof InputError) return [error.message];
    throw error;
  }
};

/**
 * Checks that a bundle is whole and that its claims follow from its charges: hashes and sizes of all files, the privacy statement
 * recomputed, the noise of every measurement against its charge and the sensitivity of its query, the model, and
 * (given one) the ledger. Needs no private data.
 */
export const verifyBundle = async (
  store: BundleStore,
  ledger?: LedgerInspection,
  running: Pick<Running, 'signal'> = {},
): Promise<BundleVerdict> => {
  const bytes = await store.read(manifestName);
  if (bytes === undefined)
    throw new InputError(`${manifestName}: must be in the directory of a release, got none; name such a directory`);
  let found: ReturnType<typeof readManifest>;
  try {
    found = readManifest(bytes);
  } catch (error) {
    if (error instanceof InputError) return { faults: [error.message], checks: [], unchecked: [] };
    throw error;
  }
  const { manifest, intact } = found;
  const checks: [string, Check][] = [
    [
      `${manifestName} is as it was written`,
      () => (intact ? [] : [`${manifestName}: must be as surmise wrote it, got a file that was changed`]),
    ],
    ['every file has its size and SHA-256', () => fileFaults(store, manifest)],
    ['the privacy statement follows from the charges', () => statementFaults(manifest)],
    ...(manifest.discovery === undefined
      ? []
      : [
          [
            'the schema follows from what was asked for, and every value passed its threshold',
            async () => (await discoveryFaults(manifest)).faults,
          ] as [string, Check],
        ]),
    [
      'every measurement has the noise it was charged for, and every charge its measurement',
      () => noiseFaults(manifest),
    ],
    ['the model and the measurements can be read', () => contentFaults(store, manifest, running)],
    ...(manifest.schema.constraints === undefined
      ? []
      : [
          ['the model has no records where the constraints forbid them', () => constraintFaults(store, manifest)] as [
            string,
            Check,
          ],
        ]),
    ...(unreadRows(store, manifest) !== undefined || manifest.sampling === undefined
      ? []
      : [
          ['the rows are those that the model gives with their seed', () => rowFaults(store, manifest, running)] as [
            string,
            Check,
          ],
        ]),
    ...(ledger === undefined
      ? []
      : [
          [
            `the ledger is sound and holds the charges of this release, and no others of it${raisedText(ledger)}`,
            () => ledgerFaults(manifest, ledger),
          ] as [string, Check],
        ]),
  ];
  const faults: string[] = [];
  const passed: string[] = [];
  const yieldToEvents = eventYielder(running.signal);
  for (const [what, check] of checks) {
    await yieldToEvents();
    const own = await check();
    faults.push(...own);
    if (own.length === 0) passed.push(what);
  }
  const unchecked = [
    ...(unreadRows(store, manifest) ?? []),
    ...(ledger === undefined ? ['whether the ledger holds the charges: no ledger was named'] : []),
  ];
  return { faults, checks: passed, unchecked, manifest };
};

/** Whoever reads of a ledger's total should know that it is not the first one. */
const raisedText = ({ entries }: LedgerInspection): string => {
  const raises = entries.filter((entry) => entry.verdict === 'accepted' && entry.record.kind === 'raise').length;
  if (raises === 0) return '';
  return `; its total was raised ${raises === 1 ? 'once' : `${raises} times`}, for the reasons it keeps`;
};

const fileFaults = async (store: BundleStore, { files, sampling }: Manifest): Promise<string[]> => {
  const faults: string[] = [];
  const named = new Set([manifestName, ...files.map(({ name }) => name)]);
  const tables =
    sampling === undefined ? [] : [sampling.file, ...(sampling.households ? [sampling.households.file] : [])];
  for (const needed of [modelName, measurementsName, ...tables])
    if (!named.has(needed)) faults.push(`${needed}: must be listed in ${manifestName}, got no entry`);
  const seen = new Set<string>();
  for (const { name, bytes, sha256 } of files) {
    // A second entry would only have the file read again, and a list may be long.
    if (seen.has(name)) {
      faults.push(`${name}: must be listed once in ${manifestName}, got more`);
      break;
    }
    seen.add(name);
    const there = await store.describe(name);
    if (there === undefined) faults.push(`${name}: must be in the bundle, got no such file`);
    else if (there.bytes !== bytes) faults.push(`${name}: must have ${bytes} bytes, got ${there.bytes}`);
    else if (there.sha256 !== sha256) faults.push(`${name}: must have SHA-256 ${sha256}, got ${there.sha256}`);
  }
  for (const name of await store.names())
    if (!named.has(name)) faults.push(`${name}: must be listed in ${manifestName}, got a file that is not`);
  return faults;
};

const chargesOf = ({ charges }: Manifest) => charges.flatMap((act) => act.charges);

const statementFaults = (manifest: Manifest): Promise<string[]> => {
  const { privacy, budget, ledger } = manifest;
  return faultsOf(() => {
    const { dataset, relation, unit, currency, seeded } = privacy;
    const total = parseAmount(budget.total);
    const charges = chargesOf(manifest);
    const facts = { currency, total, delta: budget.delta };
    const told = (fixed: number | undefined) =>
      statementOf({ dataset, relation, unit, budget: facts, seeded, charges, fixed });
    // By the losses of the first act, whose charges nothing seen can have moved, or by gdp alone, as releases were told before.
    const byGdp = told(undefined);
    const expected = byGdp.epsilon === privacy.epsilon ? byGdp : told(fixedCharges(manifest.charges));
    for (const key of ['spent', 'rho', 'epsilon', 'delta', 'text'] as const)
      if (expected[key] !== privacy[key])
        throw new InputError(
          `privacy statement: its ${key} must follow from the charges, ${JSON.stringify(expected[key])}, got ${JSON.stringify(privacy[key])}`,
        );
    const spent = costOfAll(charges, currency);
    if (spent > total)
      throw new InputError(
        `charges: must stay within the budget of ${describeAmount(total, currency)}, got ${describeAmount(spent, currency)}`,
      );
    if (ledger.dataset !== dataset)
      throw new InputError(
        `ledger: must be that of dataset ${JSON.stringify(dataset)}, got ${JSON.stringify(ledger.dataset)}`,
      );
  });
};

const noiseFaults = async (manifest: Manifest): Promise<string[]> => {
  const domain = domainFromSchema(manifest.schema);
  const { relation, unit } = manifest.privacy;
  const faults: string[] = [];
  const { acts } = await discoveryFaults(manifest);
  const unfit = await faultsOf(() => {
    for (const { query } of manifest.measurements) checkQuery(query, domain);
    const errors = paidErrors(manifest.public?.among);
    // What an interruption took has charges and no measurement.
    const had = manifest.charges
      .filter(({ lost }) => !lost)
      .slice(acts)
      .flatMap(({ charges }) => charges);
    faults.push(...matchCharges(manifest.measurements, had, { domain, relation, unit }, errors));
  });
  return [...unfit, ...faults];
};

/** Whether the model keeps what the schema says that rows cannot be: what it has there is nothing, not little. */
const constraintFaults = async (store: BundleStore, { schema }: Manifest): Promise<string[]> => {
  const bytes = await store.read(modelName);
  if (bytes === undefined) return [];
  let mass = 0;
  // A model that cannot be read is told with the contents.
  const unread = await faultsOf(() => {
    mass = forbiddenMass(readModel(bytes, domainFromSchema(schema), modelName));
  });
  return unread.length > 0 || mass === 0
    ? []
    : [`${modelName}: must have no records where the constraints of the schema forbid them, got ${mass}`];
};

/** Why the rows are not checked, as a clause, or undefined where they are. */
const unreadRows = (store: BundleStore, manifest: Manifest): string[] | undefined => {
  if (manifest.sampling === undefined) return undefined;
  const what = 'whether the rows came from the model';
  if (store.rows === undefined) return [`${what}: tables cannot be read here`];
  return writtenDomain(manifest) === undefined
    ? [`${what}: what was written for a spreadsheet cannot be told apart`]
    : undefined;
};

/** The domain by which the rows are read back; undefined where what was written for a spreadsheet cannot be told apart. */
const writtenDomain = ({ schema, configuration }: Manifest): Domain | undefined => {
  const domain = domainFromSchema(schema);
  return configuration?.spreadsheet === true ? spreadsheetDomain(domain) : domain;
};

/**
 * Draws the rows again and compares cell by cell. Which value a row has within a cell of many values is not compared: it is drawn
 * from public things.
 */
const rowFaults = async (
  store: BundleStore,
  manifest: Manifest,
  running: Pick<Running, 'signal'>,
): Promise<string[]> => {
  const { file, rows, seed, households } = manifest.sampling!;
  const spreadsheet = manifest.configuration?.spreadsheet === true;
  const domain = domainFromSchema(manifest.schema);
  const bytes = await store.read(modelName);
  // A missing or damaged model or table is told with the other files.
  if (bytes === undefined || (await store.describe(file)) === undefined) return [];
  if (households !== undefined && (await store.describe(households.file)) === undefined) return [];
  return faultsOf(async () => {
    const model = readModel(bytes, domain, modelName);
    const written = writtenDomain(manifest) ?? domain;
    if (modelsHouseholds(model) !== (households !== undefined))
      throw new InputError(
        `${manifestName}: must name a table of households if the model is one of them, got ${households === undefined ? 'none' : 'one'}`,
      );
    if (!modelsHouseholds(model)) {
      const found = await store.rows!(file, written);
      compareRows(found, await drawRows(model, rows, seeded(seed), running), file, seed);
      return;
    }
    const { key } = manifest.schema.twoLevel!;
    const count = households!.rows;
    const drawn = keyedTables(model.households(count, seeded(seed)), key);
    // Keys that were not given fall to a first and a last cell, which no household has.
    const own = keyedDomains(written, spreadsheet ? spreadsheetText(key) : key, 0, count + 1);
    const fromOne = ({ columns: [keys, ...others], ...table }: Table): Table => ({
      ...table,
      columns: [Uint32Array.from(keys, (code) => code - 1), ...others],
    });
    compareRows(fromOne(await store.rows!(households!.file, own.households)), drawn.households, households!.file, seed);
    compareRows(fromOne(await store.rows!(file, own.persons)), drawn.persons, file, seed);
  });
};

const compareRows = (found: Table, drawn: Table, file: string, seed: number): void => {
  if (found.length !== drawn.length)
    throw new InputError(`${file}: must have ${drawn.length} rows, got ${found.length}`);
  drawn.domain.attributes.forEach(({ name }, index) => {
    const [is, must] = [found.columns[index], drawn.columns[index]];
    for (let row = 0; row < drawn.length; row++)
      if (is[row] !== must[row])
        throw new InputError(
          `${file}: must hold the rows that the model gives with seed ${seed}, got another value of ${JSON.stringify(name)} in row ${row + 1}`,
        );
  });
};

const contentFaults = async (
  store: BundleStore,
  { schema, measurements, files }: Manifest,
  running: Pick<Running, 'signal'>,
): Promise<string[]> => {
  const domain = domainFromSchema(schema);
  const read = async (name: string, use: (bytes: Uint8Array) => unknown): Promise<string[]> => {
    const bytes = await store.read(name);
    // A missing file is told with the other files.
    return bytes === undefined ? [] : faultsOf(() => use(bytes));
  };
  let model: AnyModel | undefined;
  const untrue: string[] = [];
  const modelFaults = await read(modelName, (bytes) => {
    model = readModel(bytes, domain, modelName);
  });
  const hasReplicates = model !== undefined && files.some(({ name }) => name === replicatesName);
  return [
    ...modelFaults,
    ...(hasReplicates
      ? await read(replicatesName, (bytes) => inTurns(readingReplicates(bytes, model!, replicatesName), running))
      : []),
    ...(await read(measurementsName, (bytes) => {
      untrue.push(...residualFaults(readMeasurements(bytes, measurements, domain, measurementsName), domain));
    })),
    ...untrue,
  ];
};
