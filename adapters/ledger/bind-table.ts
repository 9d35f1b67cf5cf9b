import { openLedger, realPlace } from './any-ledger.js';
import { ledgerBeside, notePlace } from './ledger-place.js';
import { boundTable, isBoundTo, tableIdentity } from './table-identity.js';

/**
 * Says in a ledger that it is that of a table, which has moved to another disk; says nothing twice. Where the ledger is not beside the table, a note
 * there leads to it from now on, in the place of one that leads nowhere.
 */
export const bindTable = async (ledger: string, table: string): Promise<void> => {
  const open = await openLedger(ledger);
  const identity = await tableIdentity(table);
  if (!isBoundTo(await open.tables(), identity, open.dataset)) await open.bind(boundTable(identity, open.dataset));
  if (!open.seeds && (await realPlace(ledger)) !== ledgerBeside(identity))
    await notePlace(identity, await realPlace(ledger));
};
