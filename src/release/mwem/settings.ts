import type { Asked } from '../asked-workload.js';
import { askedOrPairs } from '../asked-workload.js';
import { type RoundsSettings, roundsDefaults } from '../rounds/rounds-settings.js';
import { marginalRoundsDefaults, marginalsAsked } from './mwem-by-marginals.js';

/** What can be set of MWEM; 0 leaves the number of rounds to the mechanism. */
export const mwemDefaults = {
  ...roundsDefaults,
  /** How the distribution is kept: weights of all cells of the domain, products of independent tables, or a graphical model. */
  estimator: 'weights' as 'weights' | 'factored' | 'pgm',
  modelMegabytes: marginalRoundsDefaults.modelBytes / 1e6,
};

export type MwemSettings = typeof mwemDefaults;

export const mwemChoices = { estimator: ['weights', 'factored', 'pgm'] } as const;

/** What the rounds choose from, where they choose whole marginals. */
export const marginalsChosenFrom = (asked: Asked, { maxCells }: RoundsSettings): ReturnType<typeof marginalsAsked> =>
  marginalsAsked(askedOrPairs(asked, maxCells));
