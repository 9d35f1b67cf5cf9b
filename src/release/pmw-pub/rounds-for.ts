import type { Running } from '../../domain/running.js';
import type { Table } from '../../domain/table.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Workload } from '../../query/workload/workload.js';
import type { MultiplicativeWeightsOptions } from '../rounds/private-multiplicative-weights.js';
import { type RoundsSettings, roundsOf } from '../rounds/rounds-settings.js';
import { rehearseRounds } from './rehearse-rounds.js';

/** The number of rounds as it is set; else by rehearsals on the public table where its rows are there, and by the formula where not. */
export const roundsFor = (
  settings: RoundsSettings,
  table: Table | undefined,
  workload: Workload,
  running: Running & Threads = {},
): MultiplicativeWeightsOptions['rounds'] =>
  roundsOf(settings) ?? (table && ((known) => rehearseRounds(table, workload, known, running)));
