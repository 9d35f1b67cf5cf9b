import { InputError } from '../../src/domain/input-error.js';
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
import { isAddress } from '../sql/address.js';
import { openDatabaseTable } from '../sql/open-database-table.js';
import { tableFile } from '../table/table-file.js';
import { checkOrigin } from './check-origin.js';
import { assertNoCopy } from './looks-private.js';
import { openCheckedFile } from './private-file.js';
import { openHouseholds } from './private-households.js';
import { type PublicFile, publicFile } from './public-file.js';

export interface PrivateTableOptions extends Running {
  readonly schema: Schema;
  readonly outside?: Outside | undefined;
  readonly unit: Unit;
  readonly budget: BudgetRequest;
  readonly relation?: Relation | undefined;
  readonly entropy: Entropy;
  /** The table of the households, where the schema has them and the file does not say what they are. */
  readonly households?: string | undefined;
  /** A query of one's own whose rows are released, where the table is one of a database: it is the table whose budget is spent. */
  readonly query?: string | undefined;
  /** The tables that are read as public beside it: neither of them may be this one. */
  readonly publics: readonly string[];
  /** The private table's ledger, beside it by default; made with the budget as its total when there is none. */
  readonly ledger?: string | undefined;
  /** Start that ledger although the table has one: the budgets are then for the caller to add up. */
  readonly anotherLedger?: boolean | undefined;
  /** Name of the dataset in its ledger; a random one by default. */
  readonly dataset?: string | undefined;
  /** Whether a release goes on that was interrupted. */
  readonly resuming?: boolean | undefined;
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
  const { schema, unit, entropy, dataset, relation, households, onProgress, signal } = options;
  if (households !== undefined && schema.twoLevel === undefined)
    throw new InputError('schema: households need `twoLevel`, got none; add its key, household and maxSize');
  const isElsewhere = isAddress(file);
  checkElsewhere(isElsewhere, options);
  const found = isElsewhere ? undefined : await tableFile(file);
  const hidden = households === undefined ? [file] : [file, households];
  const publics: PublicFile[] = [];
  for (const open of options.publics) {
    publics.push(await publicFile(open, { private: hidden }));
    for (const one of hidden) await assertNoCopy(open, one);
  }
  for (const one of hidden) await checkOrigin(schema, one);
  const budget = budgetOf(options.budget);
  const ledger = await tableLedger(file, {
    ledger: options.ledger,
    another: options.anotherLedger,
    beside: households,
    dataset,
    budget,
    relation,
    unit,
    seeds: entropy.seeded,
    signal,
  });
  // A release that goes on has its budget set aside already.
  if (ledger.exists && !options.resuming) await checkRoom(ledger, options.budget);
  return {
    ledger,
    publics,
    open: () => {
      options.onOpen?.();
      const opening = { random: entropy, dataset: ledger.dataset, unit, outside: options.outside, onProgress, signal };
      if (found === undefined) return openDatabaseTable(file, schema, { ...opening, households, query: options.query });
      return schema.twoLevel === undefined
        ? openCheckedFile(found, schema, opening)
        : openHouseholds(found, schema, { ...opening, households });
    },
  };
};

/** What goes with a table of a database, and what does not. */
const checkElsewhere = (isElsewhere: boolean, { households, query }: PrivateTableOptions): void => {
  if (!isElsewhere && query !== undefined)
    throw new InputError('query: is for a private table of a database, got a file; leave it out');
  if (households !== undefined && isAddress(households) !== isElsewhere)
    throw new InputError(
      `${households}: must be where the table of the persons is, got one of them in a database and one in a file; put both into one database, or write both to files`,
    );
};
