import { defaultIterations } from '../../estimate/reweight/fit-weights.js';
import { householdPairs } from '../../query/workload/household-pairs.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Asked } from '../asked-workload.js';

/** What reweighting of households is told where nobody says otherwise. */
export const hReweightDefaults = { maxCells: mostPairCells, iterations: defaultIterations };

export type HReweightSettings = typeof hReweightDefaults;

/** What is measured: what was asked, or pairs of attributes of bounded size. */
export const hReweightWorkload = ({ domain, workload }: Asked, { maxCells }: HReweightSettings): Workload =>
  workload ?? householdPairs(domain, maxCells);
