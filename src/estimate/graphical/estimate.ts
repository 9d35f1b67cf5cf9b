import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { type MarginalOracle, openOracle } from '../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { factorsOf } from '../../query/factors.js';
import { chooseSharing } from '../sharing/choose-sharing.js';
import { checkedSharing, type Sharing } from '../sharing/sharing.js';
import { estimateTotal } from '../total/estimate-total.js';
import { estimateOf, jobOf } from './as-job.js';
import { byParents, factorsByParents } from './by-parents.js';
import { exactPart } from './exact-part.js';
import { fitOn } from './fit-on.js';
import type { GraphicalEstimate } from './graphical-estimate.js';
import { logFactors } from './log-factors.js';
import type { GraphicalOptions } from './options.js';
import { cliquesWithPrior } from './prior/start.js';
import type { Fitted, OnStep } from './step.js';
import { cliqueKey, distinctCliques } from './targets.js';
import { withZeros, zeroFactors } from './zeros.js';

export type { GraphicalEstimate, GraphicalOptions };

/**
 * The graphical model that serves noisy measurements best (Private-PGM): of all distributions of least loss the one of most entropy,
 * or, with a prior, the one nearest it; or, stopped by validation, a point on the way there that does not follow the noise. Only
 * noisy answers and public data enter: post-processing, at no privacy cost. What the constraints of the domain forbid has no mass.
 *
 * @example
 * ```ts
 * const { model } = await estimateGraphical(domain, measurements);
 * console.log(model.marginal(['age', 'sex']));
 * ```
 */
export const estimateGraphical = async (
  domain: Domain,
  given: readonly Measurement[],
  told: GraphicalOptions = {},
): Promise<GraphicalEstimate> => {
  const { loss = 'l2', prior, memory, approximate = false, apart } = told;
  if (apart !== undefined) return estimateOf(domain, await apart(jobOf(domain, given, told), told));
  for (const { query } of given) factorsOf(query, domain);
  // A loss of one's own names its cliques, and finds them there.
  const measurements = typeof loss === 'string' ? byParents(domain, given) : given;
  if (prior && prior.model.domain.attributes.length !== domain.attributes.length)
    throw new InputError(
      'prior: must be over the attributes of the measurements, got others; make one for this domain',
    );
  const measured = distinctCliques([
    ...measurements.map(({ query }) => attributesOf(query)),
    ...(typeof loss === 'string' ? [] : loss.cliques),
    ...zeroFactors(domain).map(({ attributes }) => attributes),
  ]);
  const start = told.start && {
    ...told.start,
    factors: factorsByParents(domain, told.start.factors, measured),
  };
  const toldSharing = told.sharing && checkedSharing(domain, told.sharing);
  const options = start === undefined ? told : { ...told, start };
  // A model that was fitted from the prior says which of the prior's cliques have a place.
  const cliques =
    prior && start
      ? distinctCliques([...measured, ...start.factors.map(({ attributes }) => attributes)])
      : prior
        ? cliquesWithPrior(domain, measured, prior, memory ?? 2e9, options.priorCells)
        : measured;
  const oracle = await openOracle(domain, cliques, {
    threads: options.threads,
    workers: options.workers,
    memory,
    approximate,
    signal: options.signal,
  });
  try {
    const modelOf = async ({ potentials, marginals, total }: Fitted): Promise<GraphicalModel> => {
      if (!oracle.exact) return exactPart(oracle, marginals, total, options);
      const beliefOf = options.quick ? await beliefsAt(oracle, potentials) : undefined;
      return graphicalModel(oracle.tree, withZeros(domain, logFactors(oracle, potentials)), total, { beliefOf });
    };
    const { onStep } = options;
    const seen: OnStep | undefined =
      onStep && ((step, point) => onStep(step, point, async () => modelOf(await point())));
    const sharing = toldSharing ?? (await sharingFor(domain, measurements, options));
    const fit = await fitOn(oracle, measurements, { ...options, sharing, onStep: seen });
    const { trace, chosen, total } = fit;
    return { model: await modelOf(fit), trace, chosen, sharing, total };
  } finally {
    oracle.close();
  }
};

/** How a validated fit shares its steps; one that goes on until it converges, or that starts elsewhere than at even shares, does not unless told. */
const sharingFor = async (
  domain: Domain,
  measurements: readonly Measurement[],
  { loss = 'l2', until = 'validated', start, prior, total, onProgress, signal }: GraphicalOptions,
): Promise<Sharing | undefined> =>
  loss !== 'l2' || until !== 'validated' || start !== undefined || prior !== undefined
    ? undefined
    : chooseSharing(domain, measurements, { total: total ?? estimateTotal(measurements, domain), onProgress, signal });

/** What an oracle knows of its tree's cliques, by their attributes; nothing where linear space will not do, or where something is forbidden, which zeros of the model say. */
const beliefsAt = async (
  oracle: MarginalOracle,
  potentials: Float64Array,
): Promise<((attributes: readonly string[]) => Float64Array | undefined) | undefined> => {
  if (oracle.tree.domain.constraints !== undefined) return undefined;
  const point = oracle.vector();
  point.view.set(potentials);
  const beliefs = await oracle.beliefs(point, oracle.vector());
  if (beliefs === undefined) return undefined;
  const byKey = new Map(oracle.tree.cliques.map(({ attributes }, clique) => [cliqueKey(attributes), beliefs[clique]]));
  return (attributes) => byKey.get(cliqueKey(attributes));
};
