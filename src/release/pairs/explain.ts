import type { Domain } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import { inTurns } from '../../domain/turns.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { cliqueKey } from '../../estimate/graphical/targets.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { createEngine } from '../../kernel/engine.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { publicTotal } from '../reweighted.js';
import { forestOf } from './forest.js';
import { type Signal, signalsOf } from './signals.js';
import { together } from './together.js';

type Names = readonly string[];

/** Times that a model is fitted and asked what it leaves open, at most. */
const passes = 6;
/** After so many pairs in a row that have no room, no more are tried. */
const mostMisses = 60;
/** Cells of the junction tree that a fit on the way goes over, about; its iterations at least and at most. */
const [fitCells, leastIterations, mostIterations] = [1e8, 20, 100];

/** Residuals of a fit on the way, mean square in variances. */
const closeEnough = 0.8;

export interface ExplainOptions extends Running {
  /** Marginals of more attributes, or chosen ones, that the model holds in any case, with all pairs within them. */
  readonly chosen: readonly Names[];
  /** Whether a pair stands out from what a model says by enough to be held as well; `unheld` are all that it does not hold. */
  readonly standsOut: (signal: Signal, unheld: readonly Signal[]) => boolean;
  /** What the tables of the model may take. */
  readonly bytes: number;
  readonly fitting: GraphicalOptions;
}

/** Pairs that explain the others, and a model of them. */
export interface Explained {
  readonly held: readonly Names[];
  readonly model: GraphicalModel;
}

/** How closely a fit on the way is made: it only has to say where the model is wrong, so it ends where its residuals are somewhat less than those of noise. */
export const onTheWay = (
  domain: Domain,
  cliques: readonly Names[],
): Pick<GraphicalOptions, 'until' | 'iterations' | 'tolerance'> => {
  const { cells } = treeSize(junctionTree(domain, cliques));
  const iterations = Math.ceil(Math.min(mostIterations, Math.max(leastIterations, fitCells / cells)));
  return { until: { chi: closeEnough }, iterations, tolerance: 1e-4 };
};

/** Pairs within larger marginals. */
const isWithin =
  (chosen: readonly Names[]) =>
  (pair: Names): boolean =>
    chosen.some((set) => pair.every((name) => set.includes(name)));

/** Of measurements those of single attributes, of held pairs, and of whatever lies within what was chosen. */
export const usedOf = (held: readonly Names[], chosen: readonly Names[]): ((measurement: Measurement) => boolean) => {
  const isHeld = new Set(held.map(cliqueKey));
  const isChosen = isWithin(chosen);
  return ({ query }) => {
    const names = attributesOf(query);
    return names.length < 2 || isHeld.has(cliqueKey(names)) || isChosen(names);
  };
};

/**
 * Pairs that a model needs so that noise explains what it says of all measured ones: again and again a forest of those in which the measurements are farthest from
 * what it says (Chow and Liu 1968, on what is left open), and a fit to all that it holds. A pair that follows from others is not held, so trees are small, and
 * noise in pairs that tell nothing of their own stays out. Post-processing.
 */
export const explain = async (
  domain: Domain,
  measurements: readonly Measurement[],
  { chosen, standsOut, bytes, fitting, signal }: ExplainOptions,
): Promise<Explained> => {
  const [told, total, engine] = [together(measurements), publicTotal(measurements, domain), await createEngine()];
  const forbidden = zeroFactors(domain).map(({ attributes }) => attributes);
  const held: Names[] = [];
  let model: GraphicalModel | undefined;
  for (let pass = 0; ; pass++) {
    const used = told.filter(usedOf(held, chosen));
    const cliques = used.map(({ query }) => attributesOf(query));
    const how =
      pass === 0 && chosen.length === 0
        ? { until: 'converged' as const }
        : onTheWay(domain, [...forbidden, ...cliques]);
    const fit = await estimateGraphical(domain, used, { ...fitting, total, start: model, signal, quick: true, ...how });
    model = fit.model;
    if (pass === passes) return { held, model };
    const isHeld = new Set(held.map(cliqueKey));
    const unheld = (await inTurns(signalsOf(domain, told, model, engine), { signal })).filter(
      ({ attributes }) => !isHeld.has(cliqueKey(attributes)),
    );
    const more = await inTurns(
      forestOf(
        unheld.filter((each) => standsOut(each, unheld)).map(({ attributes }) => attributes),
        (forest) => treeSize(junctionTree(domain, [...forbidden, ...chosen, ...held, ...forest])).bytes <= bytes,
        mostMisses,
      ),
      { signal },
    );
    if (more.length === 0) return { held, model };
    held.push(...more);
  }
};
