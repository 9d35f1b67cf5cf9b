import type { Model } from '../model/model.js';
import type { Measurement } from '../privacy/measurement.js';

/** What a mechanism leaves: the model, and everything it measured on the way, for the bundle and the report. */
export interface Released {
  readonly model: Model;
  readonly measurements: readonly Measurement[];
  /** Public facts about the run, such as the number of rounds or the stopping point: plain JSON. */
  readonly notes: Readonly<Record<string, unknown>>;
}
