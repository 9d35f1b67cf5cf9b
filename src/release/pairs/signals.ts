import type { Domain } from '../../domain/domain.js';
import { independentModel } from '../../estimate/graphical/independent-model.js';
import { cliqueKey } from '../../estimate/graphical/targets.js';
import { estimateTotal, varianceOf } from '../../estimate/total/estimate-total.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { NoiseName } from '../../privacy/noise/noise-kinds.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { residualPart, residualSizes } from '../../query/residual.js';
import { together } from './together.js';

/** What measurements of a pair say beyond its attributes' own distributions. */
export interface Signal {
  readonly attributes: readonly string[];
  /** Standard deviations by which the squared distance from independent attributes exceeds what noise explains. */
  readonly deviations: number;
}

/** The variance of a squared noise, in squared variances: its kurtosis less 1. */
const spreadOfSquares: Readonly<Record<NoiseName, number>> = { gaussian: 2, laplace: 5 };

/** The signals of all measured pairs, from noisy answers alone, strongest first. */
export const signalsOf = (domain: Domain, measurements: readonly Measurement[]): Signal[] => {
  const told = together(measurements);
  const independent = independentOf(domain, measurements, told);
  return told
    .filter(({ query }) => attributesOf(query).length === 2)
    .map((measurement) => {
      const { query, values, noise } = measurement;
      const expected = independent.answer(query);
      const squares = values.reduce((sum, value, i) => sum + (value - expected[i]) ** 2, 0) / varianceOf(measurement);
      const dimensions = values.length * residualPart(query, domain);
      const spread = noise.kind === 'none' ? 0 : spreadOfSquares[noise.kind];
      return { attributes: attributesOf(query), deviations: (squares - dimensions) / Math.sqrt(spread * dimensions) };
    })
    .sort((a, b) => b.deviations - a.deviations);
};

/** Independent attributes, as measured. */
const independentOf = (
  domain: Domain,
  measurements: readonly Measurement[],
  told: readonly Measurement[],
): GraphicalModel => {
  const total = estimateTotal(measurements, domain);
  const measured = new Map(told.map((one) => [cliqueKey(attributesOf(one.query)), one]));
  const oneWays = domain.attributes.map(({ name, size }): Measurement => {
    const own = measured.get(cliqueKey([name]));
    // Who has one cell only is not measured.
    if (own === undefined)
      return { query: marginal(name), values: Float64Array.of(total), noise: { kind: 'none', scale: 0 } };
    const spread = residualSizes(own.query, domain) === undefined ? 0 : total / size;
    return { query: marginal(name), values: own.values.map((value) => value + spread), noise: own.noise };
  });
  return independentModel(domain, oneWays, total);
};
