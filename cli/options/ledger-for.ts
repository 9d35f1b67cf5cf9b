import { InputError } from '../../src/index.js';

/** Where a private table's ledger is or will be, for messages; noise from a seed must name one of its own. */
export const ledgerFor = async (table: string, named: string | undefined, isSeeded: boolean): Promise<string> => {
  if (named !== undefined) {
    const { ledgerName } = await import('../../adapters/index.js');
    return ledgerName(named);
  }
  if (isSeeded)
    throw new InputError(
      'option --unsafe-seed: needs a ledger of its own, since noise from a seed protects nobody, got none; add --ledger FILE',
    );
  const { ledgerPlace } = await import('../../adapters/index.js');
  return ledgerPlace(table);
};
