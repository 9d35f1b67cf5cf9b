import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { FitFound, FitJob, PlainModel } from './apart.js';
import type { GraphicalEstimate } from './graphical-estimate.js';
import type { GraphicalOptions } from './options.js';
import { cliqueKey } from './targets.js';

const plainOf = ({ tree, factors, total }: GraphicalModel): PlainModel => ({
  cliques: tree.cliques.map(({ attributes }) => attributes),
  factors,
  total,
});

/** A fit as plain data. Validation draws its probes from a generator, and a loss of one's own is a function: neither is plain. */
export const jobOf = (domain: Domain, measurements: readonly Measurement[], options: GraphicalOptions): FitJob => {
  const { loss, until, start, prior } = options;
  if (typeof loss === 'object' || until === undefined || until === 'validated')
    throw new InputError(
      'apart: a fit elsewhere must converge or end at a residual, got a loss of its own or validation; fit it here',
    );
  const { total, algorithm, even, quick, iterations, tolerance, priorCells, memory, approximate, sharing } = options;
  return {
    domain,
    measurements,
    options: {
      ...{
        total,
        algorithm,
        even,
        quick,
        iterations,
        tolerance,
        priorCells,
        memory,
        approximate,
        loss,
        until,
        sharing,
      },
      start: start?.factors,
      prior: prior && { cliques: prior.cliques, model: plainOf(prior.model) },
    },
  };
};

/** The options of a job as a fit takes them. */
export const optionsOf = ({ domain, options: { start, prior, ...plain } }: FitJob): GraphicalOptions => ({
  ...plain,
  threads: 1,
  start: start && { factors: start },
  prior: prior && { cliques: prior.cliques, model: modelFrom(domain, prior.model) },
});

const modelFrom = (domain: Domain, { cliques, factors, total }: PlainModel): GraphicalModel =>
  graphicalModel(junctionTree(domain, cliques), factors, total);

/** What is told of a fit that was carried out elsewhere. */
export const foundOf = ({ model, trace, chosen }: GraphicalEstimate): FitFound => ({
  ...plainOf(model),
  approximate: model.approximate,
  beliefs: model.beliefs(),
  trace,
  chosen,
});

/** The estimate that was made elsewhere. */
export const estimateOf = (
  domain: Domain,
  { cliques, factors, total, approximate, beliefs, trace, chosen }: FitFound,
): GraphicalEstimate => {
  const byKey = new Map(cliques.map((attributes, clique) => [cliqueKey(attributes), beliefs[clique]]));
  const beliefOf = (attributes: readonly string[]): Float64Array | undefined => byKey.get(cliqueKey(attributes));
  const model = graphicalModel(junctionTree(domain, cliques), factors, total, { approximate, beliefOf });
  return { model, trace, chosen, total };
};
