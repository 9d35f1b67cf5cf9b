import { InputError } from '../../src/domain/input-error.js';
import { parseAmount } from '../../src/privacy/accounting/amount.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../../src/privacy/ledger/memory-ledger.js';
import { storedLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { mutateBytes } from '../mutate/bytes.js';
import { mutateLines } from '../mutate/lines.js';
import { mixed } from '../mutate/mutator.js';
import { relinked } from '../repair.js';
import { same } from '../same.js';
import { ledgerSeeds } from '../seeds.js';
import { BrokenLaw, type Target } from '../target.js';
import { jsonWords } from '../words.js';

/** The bytes of a ledger: inspected, opened, and spent from. */
export const ledgerTarget: Target = {
  name: 'ledger',
  run: async (given) => {
    const bytes = new Uint8Array(given);
    const { status, damage } = await inspectLedger(memoryStore(bytes));
    if (damage !== undefined) {
      // What verify calls damaged must not be spent from.
      try {
        await storedLedger(memoryStore(bytes), { dataset: status.dataset });
      } catch (error) {
        if (error instanceof InputError) return error.message;
        throw error;
      }
      throw new BrokenLaw('broken law: a damaged ledger cannot be opened');
    }
    const ledger = await storedLedger(memoryStore(bytes), { dataset: status.dataset });
    const before = await ledger.status();
    same(before, status, 'inspecting and opening a ledger give one status');
    const amount = parseAmount('0.000001');
    if (before.remaining < amount) return '';
    const run = await ledger.run({ amount, what: 'fuzz', release: '0'.repeat(32), seeded: false });
    same((await ledger.status()).remaining + amount, before.remaining, 'a run lessens what remains');
    const act = await run.reserve({ amount, what: 'fuzz' });
    await act.cancelUnread('fuzz');
    await run.end('fuzz');
    same((await ledger.status()).remaining, before.remaining, 'what was not used goes back');
    return JSON.stringify(damage ?? null);
  },
  mutate: mixed([6, mutateLines(jsonWords)], [2, mutateBytes]),
  repair: relinked,
  seeds: ledgerSeeds,
};
