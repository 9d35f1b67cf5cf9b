import { realpath } from 'node:fs/promises';
import { fileLedger } from './file-ledger.js';
import { ledgerBeside, notePlace } from './ledger-place.js';
import { boundTable, isBoundTo, tableIdentity } from './table-identity.js';

/**
 * Says in a ledger that it is that of a table, which has moved to another disk; says nothing twice. Where the ledger is not beside the table, a note
 * there leads to it from now on, in the place of one that leads nowhere.
 */
export const bindTable = async (ledger: string, table: string): Promise<void> => {
  const open = await fileLedger(ledger, {});
  const identity = await tableIdentity(table);
  if (!isBoundTo(await open.tables(), identity, open.dataset)) await open.bind(boundTable(identity, open.dataset));
  if (!open.seeds && (await realpath(ledger)) !== ledgerBeside(identity))
    await notePlace(identity, await realpath(ledger));
};
