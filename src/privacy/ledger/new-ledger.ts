import { InputError } from '../../domain/input-error.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { formatAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import type { LedgerTerms } from './ledger.js';
import { randomName } from './random-name.js';
import { ledgerFormat, noHash } from './record/record.js';
import { stampRecord } from './record/stamp-record.js';

/** What a new ledger is told; it protects a row, whether it is there at all, and takes no noise from a seed unless told so. */
export interface NewLedger {
  readonly budget: Budget;
  /** Public; it binds the ledger to its data. A name that nobody else drew by default. */
  readonly dataset?: string | undefined;
  readonly relation?: Relation | undefined;
  readonly unit?: Unit | undefined;
  readonly seeds?: boolean | undefined;
}

/** The terms of a new ledger, complete. */
export const ledgerTerms = ({ budget, dataset, relation, unit, seeds }: NewLedger): LedgerTerms => {
  if (dataset?.trim() === '') throw new InputError('dataset: must have a name, got an empty one');
  return {
    dataset: dataset ?? `dataset-${randomName().slice(0, 16)}`,
    budget,
    relation: relation ?? 'add-remove',
    unit: unit ?? { kind: 'row', maxRecords: 1 },
    seeds: seeds ?? false,
  };
};

/** The first line of a new ledger. */
export const firstLine = ({ dataset, budget, relation, unit, seeds }: LedgerTerms): Uint8Array<ArrayBuffer> => {
  const { line } = stampRecord(
    {
      kind: 'open',
      format: ledgerFormat,
      dataset,
      relation,
      unit: { ...unit },
      seeds: seeds || undefined,
      currency: budget.currency,
      total: formatAmount(budget.total),
      epsilon: budget.epsilon === undefined ? undefined : formatAmount(budget.epsilon),
      delta: budget.delta,
      accounting: budget.either ? 'first-run' : undefined,
    },
    0,
    noHash,
  );
  return line;
};
