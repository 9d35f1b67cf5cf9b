import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { priorOf } from '../model/support/prior-of.js';
import type { Support } from '../model/support/support.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { BudgetRequest } from '../privacy/accounting/budget.js';
import type { Entropy } from '../privacy/entropy.js';
import type { Ledger, LedgerStatus } from '../privacy/ledger/ledger.js';
import { openSession } from '../privacy/session/open-session.js';
import type { PrivacyStatement } from '../privacy/session/statement.js';
import type { Relation } from '../query/relation.js';
import { mostPairCells, pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import type { Random } from '../random/random.js';
import { checkPublic, type PublicCheck } from '../release/check-public/check-public.js';
import type { PrivateSource } from '../source/source.js';

/** A public table to judge, by the name that it is told under. */
export interface NamedTable {
  readonly name: string;
  readonly table: Table;
}

/** A public table that was judged, and its size, which is public. */
export interface Judged {
  readonly name: string;
  readonly rows: number;
}

export interface CheckPublicTablesOptions extends Running, Threads {
  /** The private rows, opened. */
  readonly source: PrivateSource;
  readonly ledger: Ledger;
  /** The public tables to judge, at least one. */
  readonly publicTables: readonly NamedTable[];
  /** What is planned for the check and the release after it, together. */
  readonly budget: BudgetRequest;
  /** The part of it that the check spends, over all tables: above 0 and below 1. */
  readonly share: number;
  readonly relation?: Relation | undefined;
  /** Orders rounds: post-processing. */
  readonly random: Random;
  /** Pairs of attributes with more cells are left out; `mostPairCells` by default. */
  readonly maxCells?: number | undefined;
  /** For noise. Web Crypto by default. */
  readonly entropy?: Entropy | undefined;
  /** Hears of every reservation in the ledger. */
  readonly onReserved?: (() => void) | undefined;
}

export interface CheckedPublicTables {
  readonly tables: readonly (Judged & PublicCheck)[];
  readonly privacy: PrivacyStatement;
  readonly status: LedgerStatus;
}

/** The tables as priors; refuses what can be wrong before the private table is opened. */
export const priorsOf = (publicTables: readonly NamedTable[]): (Judged & { readonly prior: Support })[] => {
  if (publicTables.length === 0) throw new InputError('public tables: must be at least one, got none');
  return publicTables.map(({ name, table }) => ({ name, rows: table.length, prior: priorOf(table) }));
};

export const checkShare = (share: number): void => {
  if (!(share > 0 && share < 1)) throw new InputError(`share: must be above 0 and below 1, got ${share}`);
};

/**
 * Judges public tables as priors for a private one, at a price: see `checkPublic`. What it finds is noisy; the ledger has it
 * before it is read. The source and the ledger stay open.
 */
export const checkPublicTables = async (options: CheckPublicTablesOptions): Promise<CheckedPublicTables> => {
  const { share, random, maxCells = mostPairCells, ledger, threads, workers } = options;
  const { onProgress, signal } = options;
  checkShare(share);
  const priors = priorsOf(options.publicTables);
  const session = openSession(options);
  try {
    const workload = pairsOrOneWays(session.domain, maxCells);
    const each = { share: share / priors.length, releaseShare: 1 - share };
    const run = { random, threads, workers, onProgress, signal };
    const tables: (Judged & PublicCheck)[] = [];
    for (const { prior, ...judged } of priors)
      tables.push({ ...judged, ...(await checkPublic(session, prior, workload, { ...each, ...run })) });
    // What the check did not spend is for the release.
    await session.close();
    return { tables, privacy: session.statement(), status: await ledger.status() };
  } finally {
    await session.close();
  }
};
