import { InputError } from '../../src/domain/input-error.js';
import type { Ledger } from '../../src/privacy/ledger/ledger.js';
import { ledgerTerms, type NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import type { StoredLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { checkTerms } from '../../src/privacy/session/check-terms.js';
import { checkPlace, isSameLedger, ledgerExists, openLedger, realPlace } from './any-ledger.js';
import { checkBeside, knownLedger, ledgerBeside, notePlace, shownPath } from './ledger-place.js';
import { boundLedger } from './ledgers-of.js';
import { boundTable, isBoundTo, type TableIdentity, tableIdentity } from './table-identity.js';

/** Where the ledger of a table is, and whether a new one may be made. */
export interface TableLedgerOptions extends NewLedger {
  /** Where the ledger is or shall be, a path or the address of a database; beside the table by default. */
  readonly ledger?: string | undefined;
  /** Start a ledger although the table has one: the budgets are then for the caller to add up. */
  readonly another?: boolean | undefined;
  /** Another file of the same dataset, such as that of its households: it is bound to the same ledger, and may have no other. */
  readonly beside?: string | undefined;
  /** Ends waits for a ledger in a database that does not answer. */
  readonly signal?: AbortSignal | undefined;
}

/** The ledger of a private table on disk. */
export interface TableLedger extends Ledger {
  /** Its path, or its address. */
  readonly file: string;
  /** Whether it is there: made before, or by the first run. */
  readonly exists: boolean;
}

/**
 * The ledger of a private table. When there is none, it is made at the first run, with `budget` as the total: a
 * run that is refused before it spends anything leaves no ledger behind. A ledger is bound to its table at its first use, by
 * hashes of its real path and its inode; a table that has a ledger does not get a second one by accident, under whatever name.
 */
export const tableLedger = async (table: string, options: TableLedgerOptions): Promise<TableLedger> => {
  const identity = await tableIdentity(table);
  const file = await placeOf(table, identity, options);
  const { ledger: _, another: __, beside, signal, ...terms } = options;
  const second = beside === undefined ? undefined : await tableIdentity(beside);
  const found = await ledgerExists(file, { signal });
  const wanted = ledgerTerms(terms);
  if (second !== undefined && options.another !== true && wanted.seeds !== true)
    await checkSecond(beside!, second, file);
  const demand = { relation: wanted.relation, unit: wanted.unit, seeded: wanted.seeds };
  let open: () => Promise<StoredLedger>;
  let shown: Omit<Ledger, 'run' | 'resume' | 'status' | 'isOpen' | 'close'>;
  if (!found) {
    await checkPlace(file);
    // Another process may make it meanwhile: then it has another name, and this run starts anew.
    open = () => openLedger(file, { ...wanted, signal });
    shown = { ...wanted, currency: wanted.budget.currency, durable: true };
  } else {
    const ledger = await openLedger(file, { dataset: options.dataset, signal });
    checkTerms(ledger, demand);
    await checkBound(ledger, file, table, identity);
    open = async () => ledger;
    shown = ledger;
  }
  let opening: Promise<StoredLedger> | undefined;
  let opened: StoredLedger | undefined;
  const bound = (): Promise<StoredLedger> => {
    opening ??= (async () => {
      const ledger = await open();
      checkTerms(ledger, demand);
      await checkBound(ledger, file, table, identity);
      if ((await ledger.tables()).length === 0) await ledger.bind(boundTable(identity, ledger.dataset));
      // Whoever takes the second file alone, as public or for a budget of its own, finds this one.
      if (second !== undefined && !isBoundTo(await ledger.tables(), second, ledger.dataset))
        await ledger.bind(boundTable(second, ledger.dataset));
      // A ledger for tests is not where the table's budget is.
      if (!ledger.seeds)
        for (const one of second === undefined ? [identity] : [identity, second])
          if ((await realPlace(file)) !== ledgerBeside(one)) await notePlace(one, file);
      opened = ledger;
      return ledger;
    })();
    return opening;
  };
  let closed = false;
  return {
    dataset: shown.dataset,
    // It may be raised meanwhile.
    get budget() {
      return (opened ?? shown).budget;
    },
    relation: shown.relation,
    unit: shown.unit,
    seeds: shown.seeds,
    get currency() {
      return (opened ?? shown).currency;
    },
    durable: true,
    file,
    get exists() {
      return found || opening !== undefined;
    },
    status: async () => (await (found ? open() : bound())).status(),
    run: async (request) => {
      if (closed) throw new InputError(`ledger ${file}: must be open, got one that was closed; open it anew`);
      return (await bound()).run(request);
    },
    // A ledger that is not there has no release to go on with, and none is made for the question.
    resume: async (release) => (!found && opening === undefined ? undefined : (await bound()).resume(release)),
    isOpen: () => !closed,
    close: () => {
      closed = true;
      opening?.then((ledger) => ledger.close()).catch(() => undefined);
    },
  };
};

/** Where the ledger is or will be. */
const placeOf = async (
  table: string,
  identity: TableIdentity,
  { ledger: named, another, seeds, signal }: TableLedgerOptions,
): Promise<string> => {
  const isNew = named !== undefined && !(await ledgerExists(named, { signal }));
  // A ledger that is there was made on purpose; whether it is this table's is told by what it is bound to.
  if (named !== undefined && (!isNew || seeds === true)) return named;
  if (seeds === true)
    throw new InputError('ledger: noise from a seed protects nobody and needs a ledger of its own, got none; name one');
  const known = await knownLedger(identity);
  // A table or a ledger that was renamed, or moved alone, is told by what the ledger is bound to.
  const left = known === undefined && another !== true ? await boundLedger(table) : undefined;
  if (named !== undefined) {
    const other = known ?? left;
    if (other !== undefined && another !== true)
      throw new InputError(
        `ledger ${named}: would be a second budget of ${table}, whose ledger is ${shownPath(other)}`,
        { kind: 'second-ledger' },
      );
    return named;
  }
  if (known !== undefined) return shownPath(known);
  if (left !== undefined)
    throw new InputError(
      `${table}: has its ledger under another name, ${shownPath(left)}, since one of them was linked, renamed or moved`,
      {
        kind: 'moved-table',
        ledger: shownPath(left),
      },
    );
  checkBeside(identity, table);
  if (identity.names > 1)
    throw new InputError(
      `${table}: has ${identity.names} names (hard links), and may have a ledger beside another one`,
      { kind: 'name-ledger' },
    );
  return shownPath(ledgerBeside(identity));
};

/** Refuses a second file whose budget is kept elsewhere: what is spent there and here would add up, and nobody would add it. */
const checkSecond = async (table: string, identity: TableIdentity, file: string): Promise<void> => {
  const known = await knownLedger(identity);
  if (known === undefined || (await isSameLedger(known, file))) return;
  throw new InputError(
    `${table}: has a ledger of its own, ${shownPath(known)}, got ${file} for it and its persons; name that ledger, or say that this is another`,
    { kind: 'second-ledger' },
  );
};

const checkBound = async (
  ledger: StoredLedger,
  file: string,
  table: string,
  identity: TableIdentity,
): Promise<void> => {
  const tables = await ledger.tables();
  if (tables.length > 0 && !isBoundTo(tables, identity, ledger.dataset))
    throw new InputError(
      `ledger ${file}: must be the one of ${table}, got that of another table, or of this one at another place`,
      { kind: 'bind-table', ledger: file, table },
    );
};
