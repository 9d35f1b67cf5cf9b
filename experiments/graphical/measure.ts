import type { Table } from '../../src/domain/table.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import type { Measurement } from '../../src/privacy/measurement.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import { marginal } from '../../src/query/marginal.js';
import { memorySource } from '../../src/source/memory-source.js';

/** Marginals measured by a real session with all of its budget, its noise seeded. */
export const measureAll = async (
  table: Table,
  sets: readonly (readonly string[])[],
  budget: { readonly epsilon: number; readonly delta?: number },
  seed: number,
): Promise<Measurement[]> => {
  const source = await memorySource({ table, dataset: 'experiment', threads: 1 });
  try {
    const session = await openSession({
      source,
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'experiment'),
      entropy: seededEntropy(seed),
    });
    return await session.measure(
      sets.map((set) => marginal(...set)),
      session.remaining,
    );
  } finally {
    source.close();
  }
};
