import type { Domain } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Sharing } from '../sharing/sharing.js';
import type { GraphicalStep } from './step.js';

/** A graphical model as plain data: what it is made of. */
export interface PlainModel {
  /** Attributes of the tree's cliques. */
  readonly cliques: readonly (readonly string[])[];
  readonly factors: readonly LogFactor[];
  readonly total: number;
}

/** A fit as plain data: all that decides what comes of it. */
export interface FitJob {
  readonly domain: Domain;
  readonly measurements: readonly Measurement[];
  /** As `GraphicalOptions` has them. */
  readonly options: {
    readonly total?: number | undefined;
    readonly algorithm?: 'momentum' | 'mirror-descent' | 'accelerated' | 'lbfgs' | undefined;
    readonly even?: boolean | undefined;
    readonly quick?: boolean | undefined;
    readonly iterations?: number | undefined;
    readonly tolerance?: number | undefined;
    readonly priorCells?: number | undefined;
    readonly memory?: number | undefined;
    readonly approximate?: boolean | undefined;
    readonly loss?: 'l2' | 'l1' | undefined;
    readonly until: 'converged' | { readonly chi: number };
    readonly sharing?: Sharing | undefined;
    readonly start?: readonly LogFactor[] | undefined;
    readonly prior?: { readonly cliques: readonly (readonly string[])[]; readonly model: PlainModel } | undefined;
  };
}

/** What comes of it: the model with its tables, and how the fit went. */
export interface FitFound extends PlainModel {
  readonly approximate: boolean;
  /** Probabilities of the cells of each of `cliques`. */
  readonly beliefs: readonly Float64Array[];
  readonly trace: readonly GraphicalStep[];
  readonly chosen: GraphicalStep;
}

/** Carries a fit out, here or elsewhere, on one thread: what comes of it is the same to the bit. Ends when the signal aborts. */
export type FitApart = (job: FitJob, running: Pick<Running, 'signal'>) => Promise<FitFound>;

/** Threads that carry fits out. */
export interface Fitters {
  /** Takes its turn where all are busy. */
  readonly fit: FitApart;
  /** Ends them. */
  close(): void;
}

/** Starts so many of them. Where they cannot be started, or one dies, its fits are carried out in the calling thread. */
export type OpenFitters = (count: number) => Fitters;
