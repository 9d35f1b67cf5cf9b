import type { Table } from '../../src/domain/table.js';
import { supportOf } from '../../src/model/support/support.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../src/privacy/session/open-session.js';
import type { Session } from '../../src/privacy/session/session.js';
import { seeded } from '../../src/random/seeded.js';
import { type IdeMeasure, ideWorkload } from '../../src/release/ide/workload.js';
import { reweight } from '../../src/release/reweight/reweight.js';
import { memorySource } from '../../src/source/memory-source.js';
import { type Errors, judge } from './errors.js';
import type { Setting } from './settings.js';

export const delta = 1e-9;

/** Sessions on a table, each with a ledger and seeded noise of its own. */
export const sessionsOn = async (table: Table, epsilon: number, seed: number) => {
  const source = await memorySource({ table, dataset: 'experiment', threads: 1 });
  const budget = { epsilon, delta };
  return {
    close: () => source.close(),
    open: async (stream: number): Promise<Session> =>
      openSession({
        source,
        budget,
        ledger: await memoryLedger(budgetOf(budget), 'experiment'),
        entropy: seededEntropy(1000 * seed + stream),
      }),
  };
};

export const alone = (seed: number) => ({ random: seeded(seed), threads: 1 });

/** Choices of what to measure at once, with the whole budget, beside which the default's design is held. */
export const fixed = ['one-ways', 'cliques', 'pairs'] as const satisfies readonly IdeMeasure[];
export type Fixed = (typeof fixed)[number];

/** One run of validated reweighting as a release has it, which designs what it measures and widens its support, or told what to measure. */
export const runWide = async (
  { publicTable, privateTable, triples }: Pick<Setting, 'publicTable' | 'privateTable' | 'triples'>,
  { epsilon, seed, measure }: { readonly epsilon: number; readonly seed: number; readonly measure?: Fixed | undefined },
): Promise<Errors> => {
  const sessions = await sessionsOn(privateTable, epsilon, seed);
  const prior = supportOf(publicTable);
  const { model } = await reweight(await sessions.open(1), prior, {
    ...alone(seed),
    workload: measure && ideWorkload(prior, measure),
    widening: { records: publicTable.length },
  });
  sessions.close();
  return judge(privateTable, triples)(model);
};
