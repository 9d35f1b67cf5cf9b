import type { Io } from '../command.js';
import { quoted } from './quoted.js';

/** Does what may spend; when it fails after something was reserved in the ledger, the person is told that it stays spent. */
export const tellingWhatIsSpent = async <T>(
  ledger: string,
  io: Io,
  spend: (onReserved: () => void) => Promise<T>,
): Promise<T> => {
  let spending = false;
  try {
    return await spend(() => {
      spending = true;
    });
  } catch (error) {
    if (spending) io.err(`surmise: what was spent stays spent; see surmise ledger show ${quoted(ledger)}\n`);
    throw error;
  }
};
