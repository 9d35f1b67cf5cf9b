import { constraintsOf } from '../domain/constraints/constraints-of.js';
import type { Answering } from './model.js';

/** Records that a model expects where the constraints of its domain allow none: 0 unless something is wrong with it. */
export const forbiddenMass = (model: Answering): number => {
  const { factors } = constraintsOf(model.domain) ?? { factors: [] };
  let mass = 0;
  for (const { attributes, allowed } of factors) {
    const counts = model.marginal(attributes.map((at) => model.domain.attributes[at].name));
    for (let cell = 0; cell < counts.length; cell++) if (allowed[cell] === 0) mass += Math.abs(counts[cell]);
  }
  return mass;
};
