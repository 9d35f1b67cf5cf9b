import { cellsOf, type Domain } from '../domain/domain.js';
import { fromResiduals, residualsIn } from '../estimate/residuals/from-residuals.js';
import { sumTo } from '../model/sum-to.js';
import type { Measurement } from '../privacy/measurement.js';
import { noiseKinds } from '../privacy/noise/noise-kinds.js';
import { answerFrom, attributesOf } from '../query/answer.js';
import { kindOf } from '../query/block/block-kinds.js';
import { neededFactors } from '../query/factors.js';
import type { Query } from '../query/query.js';
import { queryKey } from '../query/query-key.js';

/** Where the true answers lie, as far as noise tells; may be below 0. */
export interface NoiseBounds {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * 95% bounds of a query's answers from noisy measurements that determine them: every measured marginal that holds the query's attributes
 * gives an unbiased answer with known variance, and so does a measurement of the same query; they are averaged by inverse variance. Where there is
 * none, measured residuals of all subsets of the attributes give one together. Undefined when these are missing, too. No model enters, so nothing is assumed but the noise's law.
 */
export const noiseBounds = (
  measurements: readonly Measurement[],
  domain: Domain,
  query: Query,
): NoiseBounds | undefined => {
  // No marginal tells how many households hold somebody: the same query does, or nothing.
  const attributes = query.kind === 'holding' ? undefined : attributesOf(query);
  const key = queryKey(query);
  /** Standard deviations that hold 95% of each law that enters; sums of several such are closer to the normal law, which needs least. */
  let [precision, reach] = [0, 0];
  let sums: Float64Array | undefined;
  for (const { query: own, values, noise } of measurements) {
    const same = queryKey(own) === key && own.kind !== 'marginal';
    const holds = own.kind === 'marginal' && attributes?.every((name) => own.attributes.includes(name));
    if (!same && !holds) continue;
    const answers = same ? values : answerFrom(query, domain, sumTo(values, domain, attributesOf(own), attributes!));
    if (noise.kind === 'none') return { low: answers.slice(), high: answers.slice() };
    const law = noiseKinds[noise.kind];
    const deviation = law.deviation(noise.scale);
    // A measurement of the query itself has another shape of variance; it is taken alone, and first.
    if (same) {
      const own = law.reach * deviation + 0.5;
      return { low: answers.map((answer) => answer - own), high: answers.map((answer) => answer + own) };
    }
    const merged = cellsOf(domain, attributesOf(own)) / cellsOf(domain, attributes!);
    const weight = 1 / (merged * deviation ** 2);
    precision += weight;
    reach = Math.max(reach, law.reach);
    sums ??= new Float64Array(answers.length);
    for (let i = 0; i < sums.length; i++) sums[i] += weight * answers[i];
  }
  if (attributes === undefined) return undefined;
  if (sums === undefined) return residualBounds(measurements, domain, query);
  /** Squares of each answer's coefficients on the marginal of the query's attributes. */
  const squares = neededFactors(query, domain)
    .map(({ block, size }) => kindOf(block).squares(block, size))
    .reduce<number[]>((product, own) => product.flatMap((left) => own.map((right) => left * right)), [1]);
  const low = new Float64Array(sums.length);
  const high = new Float64Array(sums.length);
  for (let i = 0; i < sums.length; i++) {
    // Noise is whole: half a record more keeps the promise where its scale is below one.
    const own = reach * Math.sqrt(squares[i] / precision) + 0.5;
    low[i] = sums[i] / precision - own;
    high[i] = sums[i] / precision + own;
  }
  return { low, high };
};

/** Bounds from residuals, whose noise is Gaussian. */
const residualBounds = (
  measurements: readonly Measurement[],
  domain: Domain,
  query: Query,
): NoiseBounds | undefined => {
  const found = fromResiduals(residualsIn(measurements, domain), domain, query);
  if (found === undefined) return undefined;
  const reaches = found.variances.map((variance) => noiseKinds.gaussian.reach * Math.sqrt(variance) + 0.5);
  return {
    low: found.values.map((value, i) => value - reaches[i]),
    high: found.values.map((value, i) => value + reaches[i]),
  };
};
