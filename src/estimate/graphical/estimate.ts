import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { openOracle } from '../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { factorsOf } from '../../query/factors.js';
import { byParents, factorsByParents } from './by-parents.js';
import { exactPart } from './exact-part.js';
import { fitOn } from './fit-on.js';
import { logFactors } from './log-factors.js';
import type { GraphicalOptions } from './options.js';
import { cliquesWithPrior } from './prior/start.js';
import type { Fitted, GraphicalStep, OnStep } from './step.js';
import { distinctCliques } from './targets.js';
import { withZeros, zeroFactors } from './zeros.js';

export type { GraphicalOptions } from './options.js';

/** A fitted graphical model, and how the fit went. */
export interface GraphicalEstimate {
  readonly model: GraphicalModel;
  readonly trace: readonly GraphicalStep[];
  /** The step whose potentials were taken. */
  readonly chosen: GraphicalStep;
  /** Number of records. */
  readonly total: number;
}

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
  const { loss = 'l2', prior, memory, approximate = false } = told;
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
    const modelOf = async ({ potentials, marginals, total }: Fitted): Promise<GraphicalModel> =>
      oracle.exact
        ? graphicalModel(oracle.tree, withZeros(domain, logFactors(oracle, potentials)), total)
        : exactPart(oracle, marginals, total, options);
    const { onStep } = options;
    const seen: OnStep | undefined =
      onStep && ((step, point) => onStep(step, point, async () => modelOf(await point())));
    const fit = await fitOn(oracle, measurements, { ...options, onStep: seen });
    const { trace, chosen, total } = fit;
    return { model: await modelOf(fit), trace, chosen, total };
  } finally {
    oracle.close();
  }
};
