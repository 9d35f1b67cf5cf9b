import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../src/domain/input-error.js';
import type { Budget } from '../src/privacy/accounting/budget.js';
import type { Ledger } from '../src/privacy/ledger/ledger.js';
import { fileLedger } from './file-ledger.js';

export interface FirstUseLedger extends Ledger {
  /** Whether the file is there: made before, or by the first reservation. */
  readonly exists: boolean;
}

/**
 * The ledger of a dataset in a file. When there is no such file, it is made at the first reservation, with `budget` as the
 * total that is set once: a run that is refused before it spends anything leaves no ledger behind.
 */
export const firstUseLedger = async (
  file: string,
  { dataset, budget }: { readonly dataset: string; readonly budget: Budget },
): Promise<FirstUseLedger> => {
  if (await stat(file).catch(() => undefined)) return { ...(await fileLedger(file, { dataset })), exists: true };
  const folder = path.dirname(file);
  await access(folder, constants.W_OK).catch(() => {
    throw new InputError(`ledger ${file}: must be in a directory that is open to you; name another place for it`);
  });
  let made: Promise<Ledger> | undefined;
  let exists = false;
  const open = (): Promise<Ledger> => {
    made ??= fileLedger(file, { dataset, budget }).then((ledger) => {
      exists = true;
      // Another process may have made it meanwhile, for another kind of budget.
      if (ledger.currency !== budget.currency)
        throw new InputError(`ledger ${file}: must count ${budget.currency}, got one that counts ${ledger.currency}`);
      return ledger;
    });
    return made;
  };
  return {
    dataset,
    budget,
    currency: budget.currency,
    get exists() {
      return exists;
    },
    status: async () => (await open()).status(),
    reserve: async (request) => (await open()).reserve(request),
  };
};
