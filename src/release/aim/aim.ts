import { possibleCells } from '../../domain/constraints/possible-cells.js';
import { inTurns } from '../../domain/turns.js';
import { heldAs } from '../../estimate/graphical/by-parents.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { independentModel } from '../../estimate/graphical/independent-model.js';
import { priorDistance } from '../../estimate/graphical/prior/distance.js';
import { startWith } from '../../estimate/graphical/warm-start.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import { createEngine } from '../../kernel/engine.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Session } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import { lookedAt, oneWays, promising } from '../adaptive/candidates.js';
import { checkRounds, chooseMarginals, marginalsARound, type RoundOptions } from '../adaptive/choose-marginals.js';
import { l1Distance } from '../adaptive/l1-distance.js';
import { type AimOptions, aimWork } from '../adaptive/options.js';
import { measuringPart } from '../adaptive/shares.js';
import { affordable } from '../affordable.js';
import { asFitted, toldOfFit } from '../as-fitted.js';
import type { Released } from '../released.js';
import { fewestIterations, manyCells, roundCells } from './limits.js';

/** Estimates between rounds only have to say where the model is wrong: they end when 20 iterations gain less than this part of the loss, more roughly where iterations are dear; see `limits.ts`. */
const roughly = (cells: number): number => (cells > dearCells ? 1e-2 : 1e-4);
const dearCells = 2e5;
/** A prior whose one-way marginals are further off than this, as total variation, is left aside. */
const farthestPrior = 0.25;

/**
 * AIM (McKenna, Mullins, Sheldon, Miklau 2022), an adaptive and iterative mechanism: measures all one-way marginals, then, round
 * by round, selects the marginal that the model answers worst for what its noise would cost, measures it, and estimates anew
 * from everything measured so far. Rounds grow fourfold in budget when the last one taught less than its noise.
 * Private because all it does to the table are the session's acts; models and candidates are post-processing.
 *
 * @example
 * ```ts
 * const { model } = await aim(session, { workload, random: seeded(1) });
 * ```
 */
export const aim = async (session: Session, options: AimOptions & RoundOptions): Promise<Released> => {
  const { domain } = session;
  checkRounds(options);
  const { together = marginalsARound(domain), looked } = options;
  const { candidates, modelBytes, rounds, until, fitting } = aimWork(domain, options);
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const whole = session.remaining - end;
  /** Halving the noise of a round costs this many times its budget. */
  const growth = session.budget.currency === 'pure' ? 2 : 4;

  const single = oneWays(domain);
  const measurements = await session.measure(
    single,
    (measuringPart * whole * single.length) / Math.max(rounds, 2 * single.length),
  );
  const total = estimateTotal(measurements);
  const far = options.prior && priorDistance(options.prior, measurements, total);
  const prior = far !== undefined && far <= farthestPrior ? options.prior : undefined;
  const estimate = (how: Partial<GraphicalOptions>, of = measurements) =>
    estimateGraphical(domain, of, { ...fitting, prior, until: 'converged', ...how });
  let model = prior || domain.constraints ? (await estimate({})).model : independentModel(domain, measurements, total);

  const engine = await createEngine();
  const selected: string[][] = [];
  let round = whole / rounds;
  for (let last = false; !last; ) {
    options.signal?.throwIfAborted();
    const left = session.remaining - end;
    // What buys less than two rounds is one. So there is always a round's budget for the last one, and nothing after it.
    last = left < 2 * round;
    if (last) round = left;
    const measuring = measuringPart * round;
    const [noise] = session.preview([candidates[0].query], measuring);
    const offsetOf = (query: Marginal): number => expectedError(noise) * possibleCells(domain, query.attributes);
    const cliques = model.factors.map(({ attributes }) => attributes);
    const bytes = modelBytes * (1 - (left - round) / whole);
    const wanted = lookedAt(promising(candidates, offsetOf, model.total), selected.length, looked);
    const held = heldAs(domain, cliques);
    const open = affordable(model.tree, cliques, wanted, ({ query }) => held(query.attributes), bytes);
    const answers = await inTurns(
      model.answering(
        open.map(({ query }) => query.attributes),
        engine,
      ),
      options,
    );
    const treeWith = (queries: readonly Marginal[]) =>
      treeSize(junctionTree(domain, [...cliques, ...queries.map(({ attributes }) => held(attributes))]));
    const chosen = await chooseMarginals(
      session,
      open.map((candidate, i) => ({ ...candidate, reference: answers[i], offset: offsetOf(candidate.query) })),
      last ? 1 : Math.min(together, Math.floor(left / round) - 1),
      round - measuring,
      // Each leaves room for another of its size, or is the last.
      (queries) => 2 * treeWith(queries).bytes <= bytes,
    );
    const queries = chosen.map(({ query }) => query);
    // The last measurement also has what rounding left of the others.
    const measured = await session.measure(queries, last ? session.remaining - end : queries.length * measuring);
    measurements.push(...measured);
    selected.push(...queries.map(({ attributes }) => [...attributes]));
    const { cells } = treeWith(queries);
    const iterations = Math.min(fitting.iterations, Math.max(fewestIterations, Math.ceil(roundCells / cells)));
    let start = model;
    for (const [i, { reference }] of chosen.entries())
      start = { ...start, ...startWith(start, measured[i], reference) };
    model = (await estimate({ start, tolerance: roughly(cells), iterations, quick: true })).model;
    const taught = chosen.filter(
      ({ query, reference, offset }) => l1Distance(model.marginal(query.attributes), reference) > offset,
    );
    if (2 * taught.length < chosen.length) round *= growth;
    options.onProgress?.({ stage: 'rounds', done: Math.round(1000 * (1 - left / whole)), total: 1000 });
  }
  const { cells } = treeSize(model.tree);
  const probes = cells > manyCells ? 1 : undefined;
  // What the rounds could hold of the prior the last estimate holds as well, though its tree may come out a little otherwise.
  const priorCells = 1.5 * cells;
  const last = await estimate({
    onProgress: options.onProgress,
    priorCells,
    ...(until === 'validated' ? { until, probes } : { start: model }),
  });
  const how = asFitted(last, until);
  const told = far === undefined ? {} : { prior: prior ? 'kept' : 'left aside', priorDistance: far };
  return {
    model: last.model,
    measurements,
    refit: async (others, _, where) =>
      (await estimate({ ...how, priorCells, even: true, quick: true, ...where }, [...others])).model,
    refitsAnywhere: true,
    notes: { rounds: selected.length, selected, total: last.total, until, chosen: toldOfFit(last), ...told },
  };
};
