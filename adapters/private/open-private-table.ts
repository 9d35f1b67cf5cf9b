import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import type { Entropy } from '../../src/privacy/entropy.js';
import { checkRoom } from '../../src/privacy/session/ledger-cost.js';
import type { Relation } from '../../src/query/relation.js';
import type { Unit } from '../../src/query/unit.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { type TableLedger, tableLedger } from '../ledger/table-ledger.js';
import { tableFile } from '../table/table-file.js';
import { checkOrigin } from './check-origin.js';
import { assertNoCopy } from './looks-private.js';
import { openCheckedFile } from './private-file.js';
import { type PublicFile, publicFile } from './public-file.js';

export interface PrivateTableOptions extends Running {
  readonly schema: Schema;
  readonly outside?: Outside | undefined;
  readonly unit: Unit;
  readonly budget: BudgetRequest;
  readonly relation?: Relation | undefined;
  readonly entropy: Entropy;
  /** The tables that are read as public beside it: neither of them may be this one. */
  readonly publics: readonly string[];
  /** The private table's ledger, beside it by default; made with the budget as its total when there is none. */
  readonly ledger?: string | undefined;
  /** Start that ledger although the table has one: the budgets are then for the caller to add up. */
  readonly anotherLedger?: boolean | undefined;
  /** Name of the dataset in its ledger; a random one by default. */
  readonly dataset?: string | undefined;
  /** Hears that nothing was refused so far and the private table is about to be opened. */
  readonly onOpen?: (() => void) | undefined;
}

/** A private table that may be opened: everything that can be known without reading it was checked. */
export interface PrivateTable {
  readonly ledger: TableLedger;
  /** The public tables, looked at. */
  readonly publics: readonly PublicFile[];
  open(): Promise<ClosableSource>;
}

/** Checks a private table, the public ones beside it, the schema's origin and the ledger's room, and opens nothing yet. */
export const openPrivateTable = async (file: string, options: PrivateTableOptions): Promise<PrivateTable> => {
  const { schema, unit, entropy, dataset, relation, onProgress, signal } = options;
  const found = await tableFile(file);
  const publics: PublicFile[] = [];
  for (const open of options.publics) {
    publics.push(await publicFile(open, { private: file }));
    await assertNoCopy(open, file);
  }
  await checkOrigin(schema, file);
  const budget = budgetOf(options.budget);
  const ledger = await tableLedger(file, {
    ledger: options.ledger,
    another: options.anotherLedger,
    dataset,
    budget,
    relation,
    unit,
    seeds: entropy.seeded,
  });
  if (ledger.exists) await checkRoom(ledger, budget);
  return {
    ledger,
    publics,
    open: () => {
      options.onOpen?.();
      return openCheckedFile(found, schema, {
        random: entropy,
        dataset: ledger.dataset,
        unit,
        outside: options.outside,
        onProgress,
        signal,
      });
    },
  };
};
