import { knownLedger, ledgerBeside, shownPath } from '../../adapters/ledger/ledger-place.js';
import { tableIdentity } from '../../adapters/ledger/table-identity.js';
import { InputError } from '../../src/domain/input-error.js';

/** Where a private table's ledger is or will be, for messages; noise from a seed must name one of its own. */
export const ledgerFor = async (
  table: string,
  { ledger }: { readonly ledger?: string | undefined },
  isSeeded: boolean,
): Promise<string> => {
  if (ledger !== undefined) return ledger;
  if (isSeeded)
    throw new InputError(
      'option --unsafe-seed: needs a ledger of its own, since noise from a seed protects nobody, got none; add --ledger FILE',
    );
  const identity = await tableIdentity(table);
  return shownPath((await knownLedger(identity)) ?? ledgerBeside(identity));
};
