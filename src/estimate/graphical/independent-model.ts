import type { Domain } from '../../domain/domain.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { varianceOf } from '../total/estimate-total.js';
import { nearestDistribution } from './nearest-distribution.js';

/**
 * The least-squares model of measured one-way marginals, one for each attribute: independent attributes, each the nearest
 * distribution to its noisy counts. The maximum-entropy solution in closed form: no oracle and no iterations are needed.
 *
 * Cells that the projection empties keep a fiftieth of the noise's standard deviation: less than anyone can see, and enough for
 * a later fit that starts here to find them again.
 */
export const independentModel = (domain: Domain, oneWays: readonly Measurement[], total: number): GraphicalModel => {
  const attributes = domain.attributes.map(({ name }) => name);
  const tree = junctionTree(
    domain,
    attributes.map((name) => [name]),
  );
  const factors = oneWays.map((measurement) => {
    const least = Math.min(0.02 * Math.sqrt(varianceOf(measurement)), total / measurement.values.length) || 1e-9;
    const counts = nearestDistribution(measurement.values, total).map((count) => Math.max(count, least));
    const sum = counts.reduce((all, count) => all + count, 0);
    const { query } = measurement;
    return {
      attributes: query.kind === 'factored' ? query.factors.map(({ attribute }) => attribute) : query.attributes,
      potential: counts.map((count) => Math.log(count / sum)),
    };
  });
  return graphicalModel(tree, factors, total);
};
