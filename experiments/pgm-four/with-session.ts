import type { Table } from '../../src/domain/table.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import type { Session } from '../../src/privacy/session/session.js';
import { memorySource } from '../../src/source/memory-source.js';

/** A budget as it is asked for. */
export interface Asked {
  readonly epsilon: number;
  readonly delta?: number;
}

/** A session of the paper's setting, replace-one with n public, on a table; its noise is seeded. */
export const withSession = async <T>(
  table: Table,
  budget: Asked,
  seed: number,
  body: (session: Session) => Promise<T>,
): Promise<T> => {
  const source = await memorySource({ table, dataset: 'experiment', threads: 1 });
  try {
    const ledger = await memoryLedger(budgetOf(budget), 'experiment', { relation: 'replace-one' });
    const relation = 'replace-one';
    return await body(await openSession({ source, budget, ledger, relation, entropy: seededEntropy(seed) }));
  } finally {
    source.close();
  }
};
