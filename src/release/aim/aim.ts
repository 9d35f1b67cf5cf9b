import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import type { Running } from '../../domain/running.js';
import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { independentModel } from '../../estimate/graphical/independent-model.js';
import { priorDistance } from '../../estimate/graphical/prior/distance.js';
import type { GraphicalPrior } from '../../estimate/graphical/prior/prior.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { downwardClosure } from '../../query/workload/downward-closure.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import type { Released } from '../released.js';
import { affordable, promising } from './candidates.js';
import { defaultRounds, measuringPart } from './shares.js';
import { aimDefaults, aimWorkload } from './workload.js';

export interface AimOptions extends Threads, Running {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** What the release should answer well; `aimWorkload` of the domain by default: triples where they can all be looked at, else pairs. */
  readonly workload?: Workload | undefined;
  /** A model of public data to start from. */
  readonly prior?: GraphicalPrior | undefined;
  /** Bytes that the junction tree's tables may take when all of the budget is spent; `aimDefaults` has the default. */
  readonly modelBytes?: number | undefined;
  /** Number of rounds T that the budget is first divided for; 4 for each attribute by default. */
  readonly rounds?: number | undefined;
  /** Iterations of each round's estimate at most; `aimDefaults` has the default. */
  readonly iterations?: number | undefined;
  /** Where the last estimate stops; by validation by default, in the paper at convergence. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Share of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
}

/** Estimates between rounds only have to say where the model is wrong: they end when 20 iterations gain less than this part of the loss. */
const roughly = 1e-4;
/** A prior whose one-way marginals are further off than this, as total variation, is left aside. */
const farthestPrior = 0.25;

const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, cell) => sum + Math.abs(value - b[cell]), 0);

/** Refuses before anything is spent what could not be read back from a bundle. */
const checkTables = (domain: Domain, modelBytes: number): void => {
  const least = treeSize(junctionTree(domain, [])).bytes;
  const need = Math.max(modelBytes, least);
  if (need > limits.modelBytes)
    throw new InputError(
      `aim: the model's tables must fit in ${bytesText(limits.modelBytes)}, got ${need === least ? 'attributes that alone need' : 'leave for'} ${bytesText(need)}; use ${need === least ? 'coarser bins' : 'a smaller model'}`,
    );
};

/**
 * AIM (McKenna, Mullins, Sheldon, Miklau 2022), an adaptive and iterative mechanism: measures all one-way marginals, then, round
 * by round, selects the marginal that the model answers worst for what its noise would cost, measures it, and estimates anew
 * from everything measured so far. Rounds grow fourfold in budget when the last one taught less than its noise.
 * Private because all it does to the table are the session's acts; models and candidates are post-processing.
 */
export const aim = async (session: Session, options: AimOptions): Promise<Released> => {
  const { domain } = session;
  const {
    modelBytes = 1e6 * aimDefaults.modelMegabytes,
    rounds = defaultRounds(domain),
    until = 'validated',
  } = options;
  if (!(Number.isSafeInteger(rounds) && rounds >= 1))
    throw new InputError(`rounds: must be a positive whole number, got ${rounds}`);
  checkTables(domain, modelBytes);
  const workload = downwardClosure(options.workload ?? aimWorkload(domain), domain);
  const candidates = workload.queries.map(({ query, weight }) => ({ query: query as Marginal, weight }));
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const whole = session.remaining - end;
  /** Halving the noise of a round costs this many times its budget. */
  const growth = session.budget.currency === 'pure' ? 2 : 4;
  const fitting: GraphicalOptions = {
    threads: options.threads,
    workers: options.workers,
    signal: options.signal,
    random: options.random,
    iterations: options.iterations ?? aimDefaults.iterations,
    memory: 2 * modelBytes + 1e9,
  };

  const measurements = await session.measure(
    domain.attributes.map(({ name }) => marginal(name)),
    (measuringPart * whole * domain.attributes.length) / Math.max(rounds, 2 * domain.attributes.length),
  );
  const total = estimateTotal(measurements);
  const far = options.prior && priorDistance(options.prior, measurements, total);
  const prior = far !== undefined && far <= farthestPrior ? options.prior : undefined;
  const estimate = (start?: GraphicalModel, stop: 'validated' | 'converged' = 'converged', tolerance?: number) =>
    estimateGraphical(domain, measurements, {
      ...fitting,
      until: stop,
      tolerance,
      start,
      prior,
    });
  let model = prior ? (await estimate()).model : independentModel(domain, measurements, total);

  const taken: string[][] = [];
  let round = whole / rounds;
  for (let last = false; !last; ) {
    options.signal?.throwIfAborted();
    const left = session.remaining - end;
    // What buys less than two rounds is one. So there is always a round's budget for the last one, and nothing after it.
    last = left < 2 * round;
    if (last) round = left;
    const measuring = measuringPart * round;
    const [noise] = session.preview([candidates[0].query], measuring);
    const offsetOf = (query: Marginal): number => expectedError(noise) * cellsOf(domain, query.attributes);
    const cliques = model.factors.map(({ attributes }) => attributes);
    const bytes = modelBytes * (1 - (left - round) / whole);
    const open = affordable(model.tree, cliques, promising(candidates, offsetOf, model.total), bytes);
    const answers = model.marginals(open.map(({ query }) => query.attributes));
    const index = await session.select(
      open.map(({ query, weight }, i) => ({ query, weight, reference: answers[i], offset: offsetOf(query) })),
      round - measuring,
    );
    const { query } = open[index];
    // The last measurement also has what rounding left of the others.
    measurements.push(...(await session.measure([query], last ? session.remaining - end : measuring)));
    taken.push([...query.attributes]);
    model = (await estimate(model, 'converged', roughly)).model;
    if (distance(model.marginal(query.attributes), answers[index]) <= offsetOf(query)) round *= growth;
    options.onProgress?.({ stage: 'rounds', done: Math.round(1000 * (1 - left / whole)), total: 1000 });
  }
  const last = until === 'validated' ? await estimate(undefined, until) : await estimate(model);
  const { chosen } = last;
  return {
    model: last.model,
    measurements,
    refit: async (others) =>
      (
        await estimateGraphical(domain, others, {
          ...fitting,
          until: until === 'validated' ? { chi: chosen.chi } : until,
          prior,
        })
      ).model,
    notes: {
      rounds: taken.length,
      selected: taken,
      total: last.total,
      until,
      chosen: { ...chosen },
      ...(far === undefined ? {} : { prior: prior ? 'kept' : 'left aside', priorDistance: far }),
    },
  };
};
