import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { factoredWeights } from '../../estimate/multiplicative-weights/factored-weights.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import type { Random } from '../../random/random.js';
import { affordable } from '../affordable.js';
import { asFitted, toldOfFit } from '../as-fitted.js';

/** How MWEM by marginals keeps the distribution that its rounds improve: which queries it could take in, and the model after them. */
export interface Holder {
  /** Those whose attributes could be measured next and held. */
  open<C>(candidates: readonly C[], attributesOf: (candidate: C) => readonly string[]): C[];
  /** The model after all measurements so far, of which the last is new. */
  include(measurements: readonly Measurement[]): Promise<GraphicalModel>;
  /** The model to release, and how a fit to other answers of the same queries is made. */
  finish(measurements: readonly Measurement[]): Promise<{
    readonly model: GraphicalModel;
    readonly notes: Readonly<Record<string, unknown>>;
    readonly again?: Pick<GraphicalOptions, 'until' | 'sharing'>;
  }>;
}

/** Limits and means of a holder. */
interface HolderOptions extends GraphicalOptions {
  readonly random: Random;
  readonly total: number;
  /** Bytes that the tables may take. */
  readonly modelBytes: number;
  /** Updates by each measurement in every round, for factored weights. */
  readonly passes: number;
}

/** All cells that the constraints of the domain allow equally likely. */
const uniformModel = (domain: Domain, total: number): GraphicalModel => {
  const zeros = zeroFactors(domain);
  const tree = junctionTree(
    domain,
    zeros.map(({ attributes }) => attributes),
  );
  return graphicalModel(tree, zeros, total);
};

/** Refuses a way of keeping the distribution that cannot keep what the schema says cannot be. */
export const checkKept = ({ constraints }: Domain, estimator: string): void => {
  if (estimator === 'factored' && constraints !== undefined)
    throw new InputError(
      'estimator: factored weights are products of tables that cannot keep the constraints of the schema, got factored; use pgm',
    );
};

/** Multiplicative weights on products of independent tables: what joins too many attributes cannot be held. */
const holdFactored = (domain: Domain, options: HolderOptions): Holder => {
  checkKept(domain, 'factored');
  const { total, modelBytes } = options;
  const weights = factoredWeights(domain, options);
  let [model, included] = [uniformModel(domain, total), 0];
  const include = async (measurements: readonly Measurement[]): Promise<GraphicalModel> => {
    for (; included < measurements.length; included++) {
      const { query, values } = measurements[included];
      const proportions = values.map((count) => Math.min(1, Math.max(0, count / total)));
      weights.include({ attributes: attributesOf(query), proportions });
    }
    const factors = weights.factors();
    const cliques = factors.map(({ attributes }) => attributes);
    model = graphicalModel(junctionTree(domain, cliques), factors, total);
    return model;
  };
  return {
    open: (candidates, of) => candidates.filter((candidate) => weights.bytesWith(of(candidate)) <= modelBytes),
    include,
    finish: async (measurements) => {
      const { tree } = await include(measurements);
      return { model, notes: { largest: treeSize(tree).largest.cells } };
    },
  };
};

/** Estimates between rounds only have to say where the model is wrong: by the fastest method, until little is gained. */
const between = { algorithm: 'momentum', until: 'converged', tolerance: 1e-4, iterations: 1000 } as const;

/** A graphical model fitted to all measurements (Private-PGM, section 4), from where the last fit ended. */
const holdGraphical = (domain: Domain, { modelBytes, ...options }: HolderOptions): Holder => {
  let model = uniformModel(domain, options.total);
  const fitting: GraphicalOptions = { ...options, memory: 2 * modelBytes + 1e9 };
  return {
    open: (candidates, of) => {
      const cliques = model.factors.map(({ attributes }) => attributes);
      return affordable(model.tree, cliques, candidates, of, modelBytes);
    },
    include: async (measurements) => {
      if (measurements.length === 0) return model;
      ({ model } = await estimateGraphical(domain, measurements, { ...fitting, ...between, start: model }));
      return model;
    },
    finish: async (measurements) => {
      const { until = 'validated' } = options;
      const start = until === 'validated' ? undefined : model;
      const last = await estimateGraphical(domain, measurements, { ...fitting, until, start });
      return { model: last.model, notes: { until, chosen: toldOfFit(last) }, again: asFitted(last, until) };
    },
  };
};

/** How the distribution can be kept. */
export const holders = { factored: holdFactored, pgm: holdGraphical } as const;

/** Cells of the largest marginal among some. */
export const largestCells = (domain: Domain, sets: readonly (readonly string[])[]): number =>
  Math.max(...sets.map((set) => cellsOf(domain, set)));
