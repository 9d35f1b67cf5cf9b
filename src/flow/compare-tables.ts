import { type Contest, type ContestOutcome, compareMechanisms } from '../evaluate/compare-mechanisms.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { memoryLedger } from '../privacy/ledger/memory-ledger.js';
import { openSession } from '../privacy/session/open-session.js';
import { parseWorkload } from '../query/workload/parse-workload.js';
import { memorySource } from '../source/memory-source.js';

/**
 * Runs mechanisms side by side on a table that plays the private one, through real sessions whose ledgers last as long as the
 * run: no file is touched. The noise comes from seeds, since the table is public and the runs should be repeatable.
 */
export const compareTables = async (contest: Omit<Contest, 'open'>): Promise<ContestOutcome> => {
  const dataset = 'stand-in';
  const source = await memorySource({ table: contest.standIn, dataset, ...contest.threads });
  try {
    return await compareMechanisms({
      ...contest,
      workload: contest.workload && parseWorkload(contest.workload, contest.standIn.domain),
      open: async (budget, seed) =>
        openSession({
          source,
          budget,
          ledger: await memoryLedger(budgetOf(budget), dataset, { relation: contest.relation }),
          entropy: seededEntropy(seed),
          relation: contest.relation,
          signal: contest.signal,
        }),
    });
  } finally {
    await source.close();
  }
};
