import type { ChosenFile } from '../../adapters/browser/index.js';
import { amountInWords } from '../../src/advanced.js';
import type { LedgerStatus } from '../../src/index.js';

/** Where a ledger stands, in words. */
export interface ShownLedger {
  readonly id: string;
  /** The table that it was made for. */
  readonly table: string;
  readonly dataset: string;
  readonly total: string;
  readonly spent: string;
  readonly remaining: string;
  /** The part that is spent, from 0 to 1. */
  readonly part: number;
  readonly records: number;
  readonly seeds: boolean;
  /** Whether a release of it was interrupted and can go on. */
  readonly interrupted: boolean;
  /** The file that it is kept in as well, and whether this page may write to it now. */
  readonly file: { readonly handle: ChosenFile; readonly name: string; readonly isOpen: boolean } | undefined;
}

export const shownLedger = (
  { id, table, file }: Pick<ShownLedger, 'id' | 'table' | 'file'>,
  status: LedgerStatus,
  interrupted: boolean,
): ShownLedger => {
  const words = (amount: LedgerStatus['total'], round: (digits: number) => number): string =>
    amountInWords(amount, status.budget, round).replace(/ \(rho.*\)$/, '');
  return {
    id,
    table,
    dataset: status.dataset,
    total: words(status.total, Math.round),
    spent: words(status.spent, Math.ceil),
    remaining: words(status.remaining, Math.floor),
    part: Number((status.spent * 1_000_000n) / (status.total === 0n ? 1n : status.total)) / 1e6,
    records: status.records,
    seeds: status.seeds,
    interrupted,
    file,
  };
};
