import { fileLedger } from './file-ledger.js';
import { boundTable, isBoundTo, tableIdentity } from './table-identity.js';

/** Says in a ledger that it is that of a table, which has moved to another disk. Says nothing twice. */
export const bindTable = async (ledger: string, table: string): Promise<void> => {
  const open = await fileLedger(ledger, {});
  const identity = await tableIdentity(table);
  if (!isBoundTo(await open.tables(), identity, open.dataset)) await open.bind(boundTable(identity, open.dataset));
};
