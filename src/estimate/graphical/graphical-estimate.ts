import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import type { GraphicalStep } from './step.js';

/** A fitted graphical model, and how the fit went. */
export interface GraphicalEstimate {
  readonly model: GraphicalModel;
  readonly trace: readonly GraphicalStep[];
  /** The step whose potentials were taken. */
  readonly chosen: GraphicalStep;
  /** Number of records. */
  readonly total: number;
}
