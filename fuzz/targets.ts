import type { Target } from './target.js';
import { bundleTargets } from './targets/bundle.js';
import { estimateTarget } from './targets/estimate.js';
import { jsonTargets } from './targets/json-files.js';
import { ledgerTarget } from './targets/ledger.js';
import { reportTarget } from './targets/report.js';
import { sqlTarget } from './targets/sql.js';
import { tableTargets } from './targets/tables.js';

/** Everything that reads bytes from outside. */
export const targets: readonly Target[] = [
  ...jsonTargets,
  ...bundleTargets,
  estimateTarget,
  reportTarget,
  ledgerTarget,
  sqlTarget,
  ...tableTargets,
];
