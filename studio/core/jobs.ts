import { answerOf } from '../../adapters/browser/index.js';
import { ledgerJobs } from './ledger-jobs.js';
import { openedJobs } from './opened-jobs.js';
import { releaseJobs } from './release-jobs.js';
import { tableJobs } from './table-jobs.js';
import { database } from './work.js';

/** What the worker does for the page. */
export const jobs = {
  ...tableJobs,
  ...ledgerJobs,
  ...releaseJobs,
  ...openedJobs,
  /** What the page keeps between visits. */
  keepDraft: async ({ draft }: { draft: unknown }): Promise<void> => {
    await (await database()).change(['notes'], async (get) => void (await answerOf(get('notes').put(draft, 'draft'))));
  },
  draft: async (_: object): Promise<unknown> =>
    (await database()).look('notes', (store) => answerOf(store.get('draft'))),
} as const;

export type StudioJobs = typeof jobs;
