import type { Command } from './command.js';
import type { CommandName } from './options/command-table.js';

/** Every command by name; each is a module of its own, loaded when it is needed. */
export const commands: Readonly<Record<CommandName, () => Promise<{ default: Command }>>> = {
  demo: () => import('./commands/demo.js'),
  schema: () => import('./commands/schema.js'),
  inspect: () => import('./commands/inspect.js'),
  release: () => import('./commands/release.js'),
  estimate: () => import('./commands/estimate.js'),
  refit: () => import('./commands/refit.js'),
  sample: () => import('./commands/sample.js'),
  verify: () => import('./commands/verify.js'),
  query: () => import('./commands/query.js'),
  report: () => import('./commands/report.js'),
  evaluate: () => import('./commands/evaluate.js'),
  compare: () => import('./commands/compare.js'),
  'check-public': () => import('./commands/check-public.js'),
  budget: () => import('./commands/budget.js'),
  ledger: () => import('./commands/ledger.js'),
  studio: () => import('./commands/studio.js'),
  completion: () => import('./commands/completion.js'),
};
