import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import { type Asked, askedOrPairs } from '../asked-workload.js';
import { givenMarginals } from '../marginals-of.js';

/** What can be set of private multiplicative weights; 0 leaves the number of rounds to the mechanism. */
export const roundsDefaults = { maxCells: mostPairCells, rounds: 0 };

export type RoundsSettings = typeof roundsDefaults;

export const roundsOf = ({ rounds }: RoundsSettings): number | undefined => (rounds === 0 ? undefined : rounds);

/** The marginals whose cells the rounds choose from: what was asked, or pairs of attributes. */
export const chosenFrom = (asked: Asked, { maxCells }: RoundsSettings, mechanism: string): Workload =>
  asked.workload === undefined ? askedOrPairs(asked, maxCells) : givenMarginals(asked.workload, mechanism);
