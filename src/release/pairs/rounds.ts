import { possibleCells } from '../../domain/constraints/possible-cells.js';
import type { Running } from '../../domain/running.js';
import { inTurns } from '../../domain/turns.js';
import { heldAs } from '../../estimate/graphical/by-parents.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { startWith } from '../../estimate/graphical/warm-start.js';
import { createEngine } from '../../kernel/engine.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import type { Marginal } from '../../query/marginal.js';
import { lookedAt, type WeightedMarginal } from '../adaptive/candidates.js';
import { chooseMarginals, marginalsARound } from '../adaptive/choose-marginals.js';
import { l1Distance } from '../adaptive/l1-distance.js';
import { measuringPart } from '../adaptive/shares.js';
import { affordable } from '../affordable.js';
import { publicTotal } from '../reweighted.js';
import { type Explained, onTheWay, usedOf } from './explain.js';
import { together } from './together.js';

/** Part of the whole budget that the first round has, times the number of attributes. */
export const firstRound = 0.24;
/** What a marginal must move the model by, in what its noise would, to have taught something. */
const taughtPart = 1.1;
/** Marginals that taught nothing after which the rest of the budget goes elsewhere. */
const mostMisses = 3;
/** Total variation distance by noise alone beyond which a marginal is no candidate. */
export const mostNoise = 0.3;

export interface RoundsOptions extends Running {
  /** Of the session's budget: what the rounds may spend at most. */
  readonly share: number;
  /** What the first of them has. */
  readonly first: number;
  /** What the tables of the model may take. */
  readonly bytes: number;
  readonly fitting: GraphicalOptions;
}

/** What the rounds chose and measured. */
export interface Rounds {
  readonly measurements: readonly Measurement[];
  readonly chosen: readonly (readonly string[])[];
}

/**
 * AIM's rounds (McKenna, Mullins, Sheldon, Miklau 2022) after a look at all pairs: the marginal that the model answers worst for what its noise would cost is chosen
 * privately and measured, and the model goes on from there. A round whose marginal taught less than its noise makes the next one twice as dear, and the third such one ends
 * them: what is left then is spread over many pairs better than spent on few.
 */
export const teachingRounds = async (
  session: Session,
  candidates: readonly WeightedMarginal[],
  look: readonly Measurement[],
  begun: Explained,
  { share, first, bytes, fitting, signal, onProgress }: RoundsOptions,
): Promise<Rounds> => {
  const { domain } = session;
  const end = session.remaining - share;
  const measurements: Measurement[] = [];
  const chosen: string[][] = [];
  const total = publicTotal(look, domain);
  const engine = await createEngine();
  let model: GraphicalModel = begun.model;
  let [round, misses] = [first, 0];
  while (misses < mostMisses && session.remaining - end >= round && candidates.length > 0) {
    signal?.throwIfAborted();
    const measuring = measuringPart * round;
    const [noise] = session.preview([candidates[0].query], measuring);
    const offsetOf = (query: Marginal): number => expectedError(noise) * possibleCells(domain, query.attributes);
    const clear = candidates.filter(({ query }) => offsetOf(query) <= 2 * mostNoise * model.total);
    const cliques = model.factors.map(({ attributes }) => attributes);
    const held = heldAs(domain, cliques);
    const open = affordable(
      model.tree,
      cliques,
      lookedAt(clear, chosen.length),
      ({ query }) => held(query.attributes),
      bytes,
    );
    // What is too noisy now is less so in a dearer round; what has no room will have none.
    if (open.length === 0 && clear.length > 0) break;
    if (open.length === 0) {
      round *= 2;
      misses++;
      continue;
    }
    const answers = await inTurns(
      model.answering(
        open.map(({ query }) => query.attributes),
        engine,
      ),
      { signal },
    );
    const treeWith = (queries: readonly Marginal[]) =>
      treeSize(junctionTree(domain, [...cliques, ...queries.map(({ attributes }) => held(attributes))]));
    const taken = await chooseMarginals(
      session,
      open.map((candidate, i) => ({ ...candidate, reference: answers[i], offset: offsetOf(candidate.query) })),
      Math.min(marginalsARound(domain), Math.floor((session.remaining - end) / round)),
      round - measuring,
      (queries) => 2 * treeWith(queries).bytes <= bytes,
    );
    const queries = taken.map(({ query }) => query);
    const measured = await session.measure(queries, queries.length * measuring);
    measurements.push(...measured);
    chosen.push(...queries.map(({ attributes }) => [...attributes]));
    let start = model;
    for (const [i, { reference }] of taken.entries()) start = { ...start, ...startWith(start, measured[i], reference) };
    const used = together([...look, ...measurements]).filter(usedOf(begun.held, chosen));
    const how = onTheWay(domain, [...cliques, ...used.map(({ query }) => attributesOf(query))]);
    model = (await estimateGraphical(domain, used, { ...fitting, total, start, signal, quick: true, ...how })).model;
    const missed = taken.filter(
      ({ query, reference, offset }) => l1Distance(model.marginal(query.attributes), reference) <= taughtPart * offset,
    );
    if (2 * missed.length > taken.length) {
      misses++;
      round *= 2;
    }
    onProgress?.({ stage: 'rounds', done: Math.round(1000 * (1 - (session.remaining - end) / share)), total: 1000 });
  }
  return { measurements, chosen };
};
