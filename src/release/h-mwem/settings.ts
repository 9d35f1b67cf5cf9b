import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import { type Asked, askedOrHouseholds } from '../asked-workload.js';
import { defaultListed } from './all-households.js';

/** What can be set of hierarchical MWEM; 0 rounds leaves their number to the mechanism. */
export const hMwemDefaults = {
  rounds: 0,
  /** T_max, the most updates in a round. */
  maxUpdates: 100,
  /** How often a round goes over what was measured. */
  passes: 1,
  /** The average of the histograms before each update, as in the paper, or the last one. */
  output: 'average' as 'average' | 'last',
  /** Share of the budget for the number of households, where that is private. */
  totalShare: 0.02,
  /** The most possible households that are listed. */
  maxHouseholds: defaultListed,
  /** Attributes of a query at most, where no workload is given. */
  attributes: 3,
  /** Cells of a query at most, where no workload is given. */
  maxCells: mostPairCells,
};

export type HMwemSettings = typeof hMwemDefaults;

export const hMwemChoices = { output: ['average', 'last'] } as const;

/** What the rounds choose from: what was asked, or both queries of all sets of so many attributes. */
export const hMwemWorkload = (asked: Asked, settings: HMwemSettings): Workload => askedOrHouseholds(asked, settings);

/** Settings as the mechanism takes them. */
export const hMwemOptions = ({ rounds, ...others }: HMwemSettings) => ({
  ...others,
  rounds: rounds === 0 ? undefined : rounds,
});
