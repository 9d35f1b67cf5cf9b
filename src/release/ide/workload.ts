import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { cliqueWorkload, leastDependence } from '../../estimate/cliques/clique-workload.js';
import { mutualInformation } from '../../estimate/cliques/mutual-information.js';
import { partialWorkloads } from '../../estimate/ide/workloads.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { answerSize } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { mostPairCells, pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { union, type Workload, workloadOf } from '../../query/workload/workload.js';

/** What IDE can be told to measure; the first is the paper's and the default. */
export const ideMeasures = ['cliques', 'cliques+one-ways', 'one-ways', 'pairs'] as const;

export type IdeMeasure = (typeof ideMeasures)[number];

/**
 * Marginals of at most `maxCells` cells (single attributes may have more), chosen from public rows alone. *Cliques* are the paper's
 * (section 4.2): sets of attributes that all have mutual information of `leastDependence` in the public table, and every other attribute
 * alone; the paper gives no threshold, and this one is the contest pipeline's.
 */
export const ideWorkload = (
  prior: Support,
  measure: string = ideMeasures[0],
  maxCells: number = mostPairCells,
): Workload => {
  const { domain, columns, length } = prior;
  const names = domain.attributes.map(({ name }) => name);
  const oneWays = workloadOf(names.map((name) => marginal(name)));
  const cliques = (): Workload => {
    const weights = prior.weights.map((weight) => weight * length);
    const information = mutualInformation({ domain, columns, length }, names, weights, maxCells);
    return workloadOf(cliqueWorkload(information, domain, { threshold: leastDependence, maxCells }));
  };
  switch (measure as IdeMeasure) {
    case 'cliques':
      return cliques();
    case 'cliques+one-ways':
      return union(cliques(), oneWays);
    case 'one-ways':
      return oneWays;
    case 'pairs':
      return pairsOrOneWays(domain, maxCells);
    default:
      throw new InputError(`measure: must be one of ${ideMeasures.join(', ')}, got ${JSON.stringify(measure)}`);
  }
};

/** A workload that a person gave, once blank answers have shown that IDE can use it: before anything is spent. */
export const givenIdeWorkload = (workload: Workload, domain: Domain): Workload => {
  const blank = workload.queries.map(
    ({ query }): Measurement => ({
      query,
      values: new Float64Array(answerSize(query, domain)),
      noise: { kind: 'gaussian', scale: 1 },
    }),
  );
  estimateTotal(blank);
  partialWorkloads(blank, domain);
  return workload;
};
