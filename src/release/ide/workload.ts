import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { cliqueWorkload, leastDependence } from '../../estimate/cliques/clique-workload.js';
import { mutualInformation } from '../../estimate/cliques/mutual-information.js';
import { defaultEpochs } from '../../estimate/ide/ide.js';
import { partialWorkloads } from '../../estimate/ide/workloads.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { answerSize } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { mostPairCells, pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { union, type Workload, workloadOf } from '../../query/workload/workload.js';
import { type Asked, fitting } from '../asked-workload.js';

/** Marginals of at most `maxCells` cells (single attributes may have more), chosen from public rows alone. */
type Choice = (prior: Support, maxCells: number) => Workload;

const oneWays: Choice = ({ domain }) => workloadOf(domain.attributes.map(({ name }) => marginal(name)));

/**
 * The paper's choice (section 4.2): sets of attributes that all have mutual information of `leastDependence` in the public table, and
 * every other attribute alone; the paper gives no threshold, and this one is the contest pipeline's.
 */
const cliques: Choice = ({ domain, columns, length, weights }, maxCells) => {
  const names = domain.attributes.map(({ name }) => name);
  const counts = weights.map((weight) => weight * length);
  const information = mutualInformation({ domain, columns, length }, names, counts, maxCells);
  return workloadOf(cliqueWorkload(information, domain, { threshold: leastDependence, maxCells }));
};

const choices = {
  cliques,
  'cliques+one-ways': (prior, maxCells) => union(cliques(prior, maxCells), oneWays(prior, maxCells)),
  'one-ways': oneWays,
  pairs: ({ domain }, maxCells) => pairsOrOneWays(domain, maxCells),
} satisfies Readonly<Record<string, Choice>>;

/** Which marginals IDE measures. */
export type IdeMeasure = keyof typeof choices;

/** What IDE can be told to measure; the first is the paper's and the default. */
export const ideMeasures = Object.keys(choices) as IdeMeasure[];

/** What IDE is told where nobody says otherwise. */
export const ideDefaults = { measure: ideMeasures[0] as string, maxCells: mostPairCells, epochs: defaultEpochs };

export type IdeSettings = typeof ideDefaults;

/** The workload that a choice makes of public rows. */
export const ideWorkload = (
  prior: Support,
  measure: string = ideDefaults.measure,
  maxCells: number = ideDefaults.maxCells,
): Workload => {
  if (!Object.hasOwn(choices, measure))
    throw new InputError(`measure: must be one of ${ideMeasures.join(', ')}, got ${JSON.stringify(measure)}`);
  return choices[measure as IdeMeasure](prior, maxCells);
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

/** What was asked, or what the settings choose, once it is known that the kernels can hold it. */
export const askedIdeWorkload = (
  { domain, workload }: Asked,
  prior: Support,
  { measure, maxCells }: IdeSettings,
): Workload =>
  fitting(workload === undefined ? ideWorkload(prior, measure, maxCells) : givenIdeWorkload(workload, domain), prior);
