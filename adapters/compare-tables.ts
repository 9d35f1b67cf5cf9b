import { type Contest, type ContestOutcome, compareMechanisms } from '../src/evaluate/compare-mechanisms.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/open-session.js';
import { memorySource } from '../src/source/memory-source.js';
import { nodeWorkers } from './node-workers.js';

/**
 * Runs mechanisms side by side on a table that plays the private one, through real sessions whose ledgers last as long as the
 * run: no file is touched. The noise comes from seeds, since the table is public and the runs should be repeatable.
 */
export const compareTables = async (contest: Omit<Contest, 'open' | 'threads'>): Promise<ContestOutcome> => {
  const dataset = 'stand-in';
  const source = await memorySource({ table: contest.standIn, dataset, workers: nodeWorkers });
  try {
    return await compareMechanisms({
      ...contest,
      threads: { workers: nodeWorkers },
      open: async (budget, seed) =>
        openSession({
          source,
          budget,
          ledger: await memoryLedger(budgetOf(budget), dataset, { relation: contest.relation }),
          entropy: seededEntropy(seed),
          ...(contest.relation && { relation: contest.relation }),
          ...(contest.signal && { signal: contest.signal }),
        }),
    });
  } finally {
    await source.close();
  }
};
