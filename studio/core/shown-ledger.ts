import { type ChosenFile, leftAfter } from '../../adapters/browser/index.js';
import { amountInWords } from '../../src/advanced.js';
import { type Budget, type BudgetRequest, budgetOf, InputError, type LedgerStatus } from '../../src/index.js';

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
  /** The file that it is kept in as well, whether this page may write to it now, and what is wrong with it. */
  readonly file:
    | {
        readonly handle: ChosenFile;
        readonly name: string;
        readonly isOpen: boolean;
        readonly trouble: string | undefined;
      }
    | undefined;
  /** What the release that is planned would leave; undefined where nobody asked. */
  readonly left: ShownLeft | 'too much' | undefined;
}

/** What a release would leave of an account. */
export interface ShownLeft {
  readonly remaining: string;
  /** The part that would be spent then, from 0 to 1. */
  readonly part: number;
}

type Amount = LedgerStatus['total'];

const inWords = (amount: Amount, budget: Budget, round: (digits: number) => number): string =>
  amountInWords(amount, budget, round).replace(/ \([^()]*\)$/, '');

const partOf = (spent: Amount, total: Amount): number =>
  Number((spent * 1_000_000n) / (total === 0n ? 1n : total)) / 1e6;

const shownLeft = (
  { budget, total, remaining }: Pick<LedgerStatus, 'budget' | 'total' | 'remaining'>,
  asked: BudgetRequest,
): ShownLeft | 'too much' | undefined => {
  try {
    const left = leftAfter(budget, remaining, asked);
    if (left === undefined) return 'too much';
    const words = left === 0n ? '0' : inWords(left, budget, Math.floor);
    return { remaining: words, part: partOf((total - left) as Amount, total) };
  } catch (error) {
    // A budget that the ledger cannot count is refused in words when it is spent.
    if (error instanceof InputError) return undefined;
    throw error;
  }
};

/** What a first release would leave of what is allowed in all. */
export const leftOfNew = (allowance: BudgetRequest, asked: BudgetRequest): ShownLedger['left'] => {
  const budget = budgetOf(allowance);
  return shownLeft({ budget, total: budget.total, remaining: budget.total }, asked);
};

export const shownLedger = (
  { id, table, file }: Pick<ShownLedger, 'id' | 'table' | 'file'>,
  status: LedgerStatus,
  interrupted: boolean,
  asked?: BudgetRequest,
): ShownLedger => {
  const words = (amount: Amount, round: (digits: number) => number): string => inWords(amount, status.budget, round);
  return {
    id,
    table,
    dataset: status.dataset,
    total: words(status.total, Math.round),
    spent: words(status.spent, Math.ceil),
    remaining: words(status.remaining, Math.floor),
    part: partOf(status.spent, status.total),
    records: status.records,
    seeds: status.seeds,
    interrupted,
    file,
    left: asked && shownLeft(status, asked),
  };
};
