import { possibleCells } from '../../domain/constraints/possible-cells.js';
import { eachInTurn, inTurns } from '../../domain/turns.js';
import { heldAs } from '../../estimate/graphical/by-parents.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { startWith } from '../../estimate/graphical/warm-start.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { recordsBehind } from '../../estimate/widen/widening.js';
import { createEngine } from '../../kernel/engine.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Support } from '../../model/support/support.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import { lookedAt } from '../adaptive/candidates.js';
import { l1Distance } from '../adaptive/l1-distance.js';
import { type AimOptions, aimWork } from '../adaptive/options.js';
import { measuringPart } from '../adaptive/shares.js';
import { affordable } from '../affordable.js';
import { asFitted, toldOfFit } from '../as-fitted.js';
import type { Released } from '../released.js';
import { publicAnswers } from './public-answers.js';
import { clumpBetween, drawnAnew, worth } from './public-distance.js';

/** What JAM answers, and the public rows whose marginals it may take instead of private ones. */
export interface JamOptions extends Omit<AimOptions, 'prior'> {
  readonly publicRows: Support;
}

/** Part of the budget that counts the records, where their number is private. */
export const totalPart = 0.01;
/** Estimates between rounds end when 20 iterations gain less than this part of the loss. */
const roughly = 1e-3;
/** Iterations of an estimate between rounds at most. */
const roundIterations = 200;

/**
 * JAM (Fuentes, Mullins, McKenna, Miklau, Sheldon 2024), joint adaptive measurements: AIM's rounds, in which each marginal stands twice, to be
 * measured with noise or to be taken from the public table as it is. One is selected by how much nearer to the private table it
 * would bring the model: what is private by its expected noise, what is public by its own distance. What is taken from the public table costs the selection alone.
 * Private because all it does to the table are the session's acts.
 *
 * @example
 * ```ts
 * const { model } = await jam(session, { publicRows: supportOf(publicTable), random: seeded(1) });
 * ```
 */
export const jam = async (session: Session, options: JamOptions): Promise<Released> => {
  const { domain } = session;
  const { signal } = options;
  const { candidates, modelBytes, rounds, until, fitting } = aimWork(domain, options, 'jam');
  const publicOf = publicAnswers(options.publicRows);
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const counted = await session.total(totalPart * (session.remaining - end));
  const total = Math.max(1, counted.values[0]);
  const whole = session.remaining - end;
  /** Halving the noise of a round costs this many times its budget. */
  const growth = session.budget.currency === 'pure' ? 2 : 4;
  const measured: Measurement[] = [];
  const taken: Measurement[] = [];
  const estimate = (of: readonly Measurement[], how: Partial<GraphicalOptions>, also: readonly Measurement[] = taken) =>
    estimateGraphical(domain, [...of, ...also], { ...fitting, total, ...how });
  /** The uniform distribution over what can be, as in the paper. */
  const zeros = zeroFactors(domain);
  const bound = zeros.map(({ attributes }) => attributes);
  const engine = await createEngine();
  let model: GraphicalModel = graphicalModel(junctionTree(domain, bound), zeros, total);

  let round = whole / rounds;
  for (let last = false; !last; ) {
    signal?.throwIfAborted();
    const left = session.remaining - end;
    last = left < 2 * round;
    if (last) round = left;
    const measuring = measuringPart * round;
    const [noise] = session.preview([candidates[0].query], measuring);
    const offsetOf = (query: Marginal): number => expectedError(noise) * possibleCells(domain, query.attributes);
    const cliques = model.factors.map(({ attributes }) => attributes);
    const bytes = modelBytes * (1 - (left - round) / whole);
    const wanted = lookedAt(candidates, measured.length + taken.length);
    const held = heldAs(domain, cliques);
    const open = affordable(model.tree, cliques, wanted, ({ query }) => held(query.attributes), bytes);
    const sets = open.map(({ query }) => query.attributes);
    const answers = await inTurns(model.answering(sets, engine), { signal });
    const used = new Set(taken.map(({ query }) => keyOf(query as Marginal)));
    const privately = open.map((candidate, i) => ({
      ...candidate,
      reference: answers[i],
      offset: offsetOf(candidate.query),
    }));
    const publicly = await inTurns(
      eachInTurn(
        privately.filter(({ query }) => !used.has(keyOf(query))),
        ({ offset: _, ...candidate }) => ({
          ...candidate,
          rival: publicOf(candidate.query.attributes).map((p) => p * total),
        }),
      ),
      { signal },
    );
    // The last round measures, so that nothing of the budget is left.
    const all = last ? privately : [...privately, ...publicly];
    const chosen = await session.select(all, round - measuring);
    const { query, reference } = all[chosen];
    let added: Measurement;
    if (chosen < privately.length) {
      // The last measurement also has what rounding left of the others.
      [added] = await session.measure([query], last ? session.remaining - end : measuring);
      measured.push(added);
    } else {
      // It was preferred to a measurement with this noise, so it counts as if it had it.
      added = { query, values: publicly[chosen - privately.length].rival, noise };
      taken.push(added);
    }
    const start = { ...model, ...startWith(model, added, reference) };
    const iterations = Math.min(fitting.iterations, roundIterations);
    model = (await estimate(measured, { start, until: 'converged', tolerance: roughly, iterations })).model;
    const learnt = l1Distance(model.marginal(query.attributes), reference);
    if (chosen < privately.length && learnt <= offsetOf(query)) round *= growth;
    options.onProgress?.({ stage: 'rounds', done: Math.round(1000 * (1 - left / whole)), total: 1000 });
  }
  const apart = clumpBetween(
    measured,
    (attributes) => publicOf(attributes).map((p) => p * total),
    recordsBehind(options.publicRows),
  );
  const trusted = worth(taken, apart);
  const final = await estimate(measured, until === 'validated' ? { until } : { until, start: model }, trusted);
  const how = asFitted(final, until);
  const namesOf = ({ query }: Measurement): string[] => [...(query as Marginal).attributes];
  return {
    model: final.model,
    measurements: [counted, ...measured],
    refit: async (others, again, where) => {
      const also = again === undefined ? trusted : await drawnAnew(trusted, final.model, apart, again, { signal });
      return (await estimate(others.slice(1), { ...how, even: true, quick: true, ...where }, also)).model;
    },
    refitsAnywhere: true,
    notes: {
      rounds: measured.length + taken.length,
      selected: measured.map(namesOf),
      public: taken.map(namesOf),
      cells: treeSize(final.model.tree).cells,
      total,
      until,
      chosen: toldOfFit(final),
    },
  };
};

const keyOf = ({ attributes }: Marginal): string => JSON.stringify(attributes);
