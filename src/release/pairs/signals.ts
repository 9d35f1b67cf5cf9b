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

/** What measurements of a pair say beyond its attributes' own distributions. */
export interface Signal {
  readonly attributes: readonly string[];
  /** Standard deviations by which the squared distance from independent attributes exceeds what noise explains. */
  readonly deviations: number;
}

/** The variance of a squared noise, in squared variances: its kurtosis less 1. */
const spreadOfSquares: Readonly<Record<NoiseName, number>> = { gaussian: 2, laplace: 5 };

/** What was measured of some attributes, all measurements of them taken together by their precision. */
interface Told {
  readonly query: Measurement['query'];
  readonly values: Float64Array;
  readonly variance: number;
  readonly noise: NoiseName;
}

/** The signals of all measured pairs, from noisy answers alone, strongest first. */
export const signalsOf = (domain: Domain, measurements: readonly Measurement[]): Signal[] => {
  const told = new Map<string, Told>();
  for (const { query, values, noise } of measurements) {
    if (noise.kind === 'none') continue;
    const variance = varianceOf({ noise });
    const key = cliqueKey(attributesOf(query));
    const known = told.get(key);
    const part = known === undefined ? 1 : known.variance / (known.variance + variance);
    told.set(key, {
      query,
      values: values.map((value, i) => (known === undefined ? value : part * value + (1 - part) * known.values[i])),
      variance: part * variance,
      noise: noise.kind,
    });
  }
  const independent = independentOf(domain, measurements, told);
  return [...told.values()]
    .filter(({ query }) => attributesOf(query).length === 2)
    .map(({ query, values, variance, noise }) => {
      const expected = independent.answer(query);
      const squares = values.reduce((sum, value, i) => sum + (value - expected[i]) ** 2, 0) / variance;
      const dimensions = values.length * residualPart(query, domain);
      const deviations = (squares - dimensions) / Math.sqrt(spreadOfSquares[noise] * dimensions);
      return { attributes: attributesOf(query), deviations };
    })
    .sort((a, b) => b.deviations - a.deviations);
};

/** Independent attributes, as measured. */
const independentOf = (
  domain: Domain,
  measurements: readonly Measurement[],
  told: ReadonlyMap<string, Told>,
): GraphicalModel => {
  const total = estimateTotal(measurements, domain);
  const oneWays = domain.attributes.map(({ name, size }): Measurement => {
    const own = told.get(cliqueKey([name]));
    // Who has one cell only is not measured.
    if (own === undefined)
      return { query: marginal(name), values: Float64Array.of(total), noise: { kind: 'none', scale: 0 } };
    const spread = residualSizes(own.query, domain) === undefined ? 0 : total / size;
    return {
      query: marginal(name),
      values: own.values.map((value) => value + spread),
      noise: { kind: 'gaussian', scale: Math.sqrt(own.variance) },
    };
  });
  return independentModel(domain, oneWays, total);
};
