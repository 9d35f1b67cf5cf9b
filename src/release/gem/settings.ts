import type { Domain } from '../../domain/domain.js';
import type { Loss } from '../../estimate/generator/train.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import { type Asked, askedOrPairs } from '../asked-workload.js';
import { givenMarginals } from '../marginals-of.js';

/** What can be set of GEM; 0 rounds leaves their number to the mechanism. */
export const gemDefaults = {
  rounds: 0,
  /** Noise vectors B, each of which becomes a product distribution; fewer for a domain of few cells. */
  batch: 1000,
  /** Steps of training after a measurement, at most (T_max). */
  steps: 100,
  /** Adam's learning rate. */
  rate: 5e-4,
  /** Share of what is left after the number of records that measures all single attributes before the rounds. */
  oneWayShare: 0.2,
  /** Part of a round's epsilon that selects. */
  alpha: 0.25,
  /** How a marginal's error is scored: by the sum of its cells' errors, beyond what measuring it would leave, or by the largest. */
  score: 'sum' as 'sum' | 'largest',
  /** What training makes small. */
  loss: 'squares' as Loss,
  /** What the threshold keeps of itself from round to round, and which part of it errors must reach. */
  gammaKeep: 0.5,
  gammaPart: 0.1,
  /** What the averaged parameters keep of themselves from round to round. */
  averageKeep: 0.9,
  /** Steps of training on the public table, where there is one. */
  publicSteps: 300,
  /** Cells of a pair of attributes at most, where no workload is given. */
  maxCells: mostPairCells,
};

export type GemSettings = typeof gemDefaults;

/** Rounds where nobody says: errors fell from one an attribute to two to four (docs/gem.md). */
export const defaultGemRounds = ({ attributes }: Domain, marginals: number): number =>
  Math.min(4 * attributes.length, marginals);

/** The marginals that the rounds choose from: what was asked, or pairs of attributes. */
export const gemWorkload = (asked: Asked, { maxCells }: Pick<GemSettings, 'maxCells'>): Workload =>
  asked.workload === undefined ? askedOrPairs(asked, maxCells) : givenMarginals(asked.workload, 'gem');
