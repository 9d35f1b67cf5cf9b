import { InputError } from '../src/domain/input-error.js';
import type { Running } from '../src/domain/running.js';
import { type Outside, withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { bestMixture } from '../src/estimate/multiplicative-weights/best-mixture.js';
import { unitOf } from '../src/flow/unit-of.js';
import { type Support, supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import type { BudgetRequest } from '../src/privacy/accounting/budget.js';
import { type Entropy, webEntropy } from '../src/privacy/entropy.js';
import type { LedgerStatus } from '../src/privacy/ledger/ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Session } from '../src/privacy/session/session.js';
import type { PrivacyStatement } from '../src/privacy/session/statement.js';
import type { Relation } from '../src/query/relation.js';
import { mostPairCells, pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import type { Random } from '../src/random/random.js';
import { checkPublic, type PublicCheck } from '../src/release/check-public/check-public.js';
import { marginalsOf } from '../src/release/marginals-of.js';
import { nodeWorkers } from './node-workers.js';
import { assertDistinct } from './private/looks-private.js';
import { openPrivateTable } from './private/open-private-table.js';
import type { PrivateFileOptions } from './private/private-file.js';
import { readTable } from './table/read-table.js';

export interface PublicFiles extends Running {
  /** The public tables to judge, at least one. */
  readonly public: readonly string[];
  readonly schema: Schema;
  /** What becomes of values that the schema does not name, in all tables; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Orders rounds: post-processing. */
  readonly random: Random;
  /** Pairs of attributes with more cells are left out; `mostPairCells` by default. */
  readonly maxCells?: number | undefined;
}

export interface CheckPublicFilesOptions extends PublicFiles {
  /** What is planned for the check and the release after it, together. */
  readonly budget: BudgetRequest;
  /** The part of it that the check spends, over all tables: above 0 and below 1. */
  readonly share: number;
  readonly ledger?: string | undefined;
  readonly anotherLedger?: boolean | undefined;
  readonly dataset?: string | undefined;
  readonly relation?: Relation | undefined;
  readonly unit?: NonNullable<PrivateFileOptions['unit']> | undefined;
  readonly entropy?: Entropy | undefined;
  /** Hears that nothing was refused so far and the private table is about to be opened. */
  readonly onOpen?: (() => void) | undefined;
  /** Hears of every reservation in the ledger. */
  readonly onReserved?: (() => void) | undefined;
}

/** A public table and its size, which is public. */
export interface Judged {
  readonly file: string;
  readonly rows: number;
}

export interface CheckedPublicFiles {
  readonly tables: readonly (Judged & PublicCheck)[];
  readonly privacy: PrivacyStatement;
  readonly status: LedgerStatus;
}

const readPriors = async ({
  public: files,
  schema,
  outside = 'declared',
  ...running
}: PublicFiles): Promise<(Judged & { prior: Support })[]> => {
  if (files.length === 0) throw new InputError('public tables: must be at least one, got none');
  const { onProgress, signal } = running;
  const priors: (Judged & { prior: Support })[] = [];
  for (const file of files) {
    const table = await readTable(file, domainFromSchema(withOutside(schema, outside)), {
      outside,
      onProgress,
      signal,
    });
    priors.push({ file, rows: table.length, prior: supportOf(table) });
  }
  return priors;
};

/**
 * Judges public tables as priors for a private file, at a price: see `checkPublic`. What it finds is noisy; the ledger has
 * it before it is read.
 */
export const checkPublicFiles = async (
  privateFile: string,
  options: CheckPublicFilesOptions,
): Promise<CheckedPublicFiles> => {
  const { schema, share, onProgress, signal, relation = 'add-remove', maxCells = mostPairCells, random } = options;
  const running = { onProgress, signal };
  if (!(share > 0 && share < 1)) throw new InputError(`share: must be above 0 and below 1, got ${share}`);
  const entropy = options.entropy ?? webEntropy();
  const unit = options.unit ?? unitOf(schema);
  const { ledger, open } = await openPrivateTable(privateFile, { ...options, unit, entropy, publics: options.public });
  const priors = await readPriors(options);
  const source = await open();
  let session: Session | undefined;
  try {
    const { budget, onReserved } = options;
    session = openSession({ source, budget, ledger, relation, entropy, onReserved, ...running });
    const workload = pairsOrOneWays(session.domain, maxCells);
    const each = { share: share / priors.length, releaseShare: 1 - share, random, workers: nodeWorkers, ...running };
    const tables: (Judged & PublicCheck)[] = [];
    for (const { prior, ...table } of priors)
      tables.push({ ...table, ...(await checkPublic(session, prior, workload, each)) });
    // What the check did not spend is for the release.
    await session.close();
    return { tables, privacy: session.statement(), status: await ledger.status() };
  } finally {
    await session?.close();
    await source.close();
  }
};

/** How a public table compares with a public validation table. Errors are proportions, of the worst cell. */
export interface ComparedPublicFile extends Judged {
  readonly asIs: number;
  /** Under the best weighting of its rows that was found, and a bound below which no weighting comes. */
  readonly mixture: number;
  readonly bound: number;
}

/** Judges public tables against a public validation table that stands for the private one: exact, and free. */
export const comparePublicFiles = async (against: string, options: PublicFiles): Promise<ComparedPublicFile[]> => {
  const { schema, onProgress, signal, maxCells = mostPairCells, random, outside = 'declared' } = options;
  const running = { onProgress, signal };
  const domain = domainFromSchema(withOutside(schema, outside));
  for (const file of options.public) await assertDistinct(file, against);
  const truth = supportModel(supportOf(await readTable(against, domain, { ...running, outside })), 1);
  const marginals = marginalsOf(pairsOrOneWays(domain, maxCells));
  const answers = marginals.map((query) => truth.answer(query));
  const compared: ComparedPublicFile[] = [];
  for (const { prior, ...table } of await readPriors(options)) {
    const model = supportModel(prior, 1);
    const worst = (query: (typeof marginals)[number], m: number): number =>
      model.answer(query).reduce((most, share, cell) => Math.max(most, Math.abs(share - answers[m][cell])), 0);
    const asIs = marginals.reduce((most, query, m) => Math.max(most, worst(query, m)), 0);
    const { error, bound } = await bestMixture(prior, marginals, answers, { random, workers: nodeWorkers, ...running });
    compared.push({ ...table, asIs, mixture: Math.min(asIs, error), bound: Math.max(0, bound) });
  }
  return compared;
};
