import { sizesOf } from '../../domain/domain.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { reordered } from '../../model/graphical/reordered.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { varianceOf } from '../total/estimate-total.js';
import { nearestDistribution } from './nearest-distribution.js';

/** What the projection empties keeps this part of the noise's standard deviation, as in `independentModel`. */
const leastPart = 0.02;
/** The model's own counts are taken for at least this part of an even share: what it holds impossible stays very unlikely. */
const leastShare = 1e-9;

/**
 * Factors to start a fit at that has one more marginal than the model: the model's own, and a first guess for the new one, the logarithm of what was
 * measured over what the model said (`answers`, in the measurement's order). That is one step of iterative proportional fitting, which
 * ends where the marginal joins what was apart; where it closes a cycle, others have to give way, and the fit goes on from there.
 * A marginal that lies in one of the model's factors adds nothing.
 */
export const startWith = (
  { factors, tree, total }: Pick<GraphicalModel, 'factors' | 'tree' | 'total'>,
  measurement: Measurement,
  answers: Float64Array,
): { readonly factors: readonly LogFactor[] } => {
  const names = attributesOf(measurement.query);
  if (factors.some(({ attributes }) => names.every((name) => attributes.includes(name)))) return { factors };
  const { values } = measurement;
  const least = Math.min(leastPart * Math.sqrt(varianceOf(measurement)), total / values.length);
  const floor = (leastShare * total) / values.length;
  const wanted = nearestDistribution(values, total);
  const logs = wanted.map((count, cell) => Math.log(Math.max(count, least, floor) / Math.max(answers[cell], floor)));
  const attributes = tree.order.filter((name) => names.includes(name));
  return {
    factors: [...factors, { attributes, potential: reordered(logs, names, sizesOf(tree.domain, names), attributes) }],
  };
};
