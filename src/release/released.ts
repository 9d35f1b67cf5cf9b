import type { GraphicalOptions } from '../estimate/graphical/options.js';
import type { Answering, Model } from '../model/model.js';
import type { Measurement } from '../privacy/measurement.js';
import type { Random } from '../random/random.js';

/** By whom a model is fitted anew. */
export type RefitWhere = Pick<GraphicalOptions, 'apart'>;

/** What a mechanism leaves: the model, and everything it measured on the way, for the bundle and the report. */
export interface Released<M extends Answering = Model> {
  readonly model: M;
  readonly measurements: readonly Measurement[];
  /** Public facts about the run, such as the number of rounds or the stopping point: plain JSON. */
  readonly notes: Readonly<Record<string, unknown>>;
  /**
   * The same estimation from other noisy answers of the same queries, in the same order: what the model would have been with other
   * noise, and, given a generator, with other public rows of the same kind. Post-processing. Absent where that would cost as much as the release itself.
   */
  readonly refit?:
    | ((measurements: readonly Measurement[], random?: Random, where?: RefitWhere) => Promise<M>)
    | undefined;
  /** Whether `refit` is one fit of a graphical model, which may be carried out where it is told to be. */
  readonly refitsAnywhere?: boolean | undefined;
  /**
   * Where what was not measured comes from: the rows of a public table, which `refit` draws anew. Elsewhere the model knows no dependence but
   * those that it measured, and its bounds reckon with others (`bootstrap`).
   */
  readonly unmeasured?: 'public rows' | undefined;
}
