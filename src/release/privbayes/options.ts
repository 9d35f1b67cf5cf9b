import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import type { GraphicalOptions } from '../../estimate/graphical/estimate.js';
import type { Share } from '../../privacy/session/session.js';
import type { Random } from '../../random/random.js';

export type PrivbayesEstimator = 'network' | 'pgm';

/** What PrivBayes is told where nobody says otherwise, from a program and from the command line alike. */
export const privbayesDefaults = {
  /** What its marginals become: rows drawn from the network, as in the paper, or a graphical model. */
  estimator: 'network' as PrivbayesEstimator,
  /** How many times its noise a measured cell holds on average, at least. */
  theta: 4,
  /** Part of the budget that chooses the network; the rest measures it. */
  structure: 0.5,
  /** Parents of an attribute at most. */
  parents: 4,
  /** Pairs of an attribute and its parents that a choice looks at, at most. */
  candidates: 4000,
  /** What the junction tree of a graphical model may take. */
  modelMegabytes: 8,
  /** Iterations of the graphical model's fit at most; 0 leaves it to the estimator. */
  iterations: 0,
};

export type PrivbayesSettings = typeof privbayesDefaults;

export const privbayesChoices = { estimator: ['network', 'pgm'] } as const;

/** Part of the budget that counts the records, where their number is private. */
export const totalShare: Share = 0.01;

/** How PrivBayes grows its network. */
export interface NetworkOptions extends Running {
  /** For the first attribute, for the choice among too many candidates, and for post-processing: no privacy depends on it. */
  readonly random: Random;
  /** How many times its noise a measured cell holds on average, at least (theta-usefulness); 4 by default, as in the paper. */
  readonly theta?: number | undefined;
  /** Part of the budget that chooses the network, above 0 and below 1; half by default. */
  readonly structure?: number | undefined;
  /** Parents of an attribute at most, 4 by default. */
  readonly parents?: number | undefined;
  /** Pairs of an attribute and its parents that a choice looks at, at most; 4,000 by default. Where there are more, some at random. */
  readonly candidates?: number | undefined;
  /** Bytes that the junction tree of the network may take: parents that would need more are left out. No limit by default. */
  readonly modelBytes?: number | undefined;
  /** Share of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
}

/** How PrivBayes grows its network, and what becomes of its marginals. */
export interface PrivbayesOptions
  extends NetworkOptions,
    Omit<GraphicalOptions, 'total' | 'prior' | 'start' | 'random'> {
  /** Rows drawn from the network (default, the paper's own), or a graphical model of the same marginals. */
  readonly estimator?: PrivbayesEstimator | undefined;
  /** Bytes that the junction tree may take; no limit by default for rows of the network, and 8 MB for a graphical model. */
  readonly modelBytes?: number | undefined;
}

/** Refuses before anything is spent what could not work. */
export const checkNetworkOptions = ({
  theta,
  structure,
  parents,
  candidates,
  modelBytes,
  share,
}: Omit<NetworkOptions, 'random'>): void => {
  const above = (name: string, value: number | undefined): void => {
    if (value !== undefined && !(value > 0)) throw new InputError(`${name}: must be above 0, got ${value}`);
  };
  const whole = (name: string, value: number | undefined): void => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1))
      throw new InputError(`${name}: must be a positive whole number, got ${value}`);
  };
  above('theta', theta);
  above('modelBytes', modelBytes);
  above('share', share);
  whole('parents', parents);
  whole('candidates', candidates);
  if (structure !== undefined && !(structure > 0 && structure < 1))
    throw new InputError(`structure: must be above 0 and below 1, got ${structure}`);
};
