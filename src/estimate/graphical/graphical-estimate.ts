import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import type { Sharing } from '../sharing/sharing.js';
import type { GraphicalStep } from './step.js';

/** A fitted graphical model, and how the fit went. */
export interface GraphicalEstimate {
  readonly model: GraphicalModel;
  readonly trace: readonly GraphicalStep[];
  /** The step whose potentials were taken. */
  readonly chosen: GraphicalStep;
  /** How steps were shared among neighbouring cells. */
  readonly sharing?: Sharing | undefined;
  /** Number of records. */
  readonly total: number;
}
