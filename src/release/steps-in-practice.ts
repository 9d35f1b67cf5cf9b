import { probesFor } from '../estimate/stopping/risk-probes.js';
import type { Noise } from '../privacy/measurement.js';
import { assumedRows, type PublicFacts } from './plan.js';

/**
 * Steps that a fit of weighted rows makes in practice until validated stopping ends it: the more, the more records there are for the noise of an
 * answer, and the more queries there are to average over (seen on made-up tables of 6 to 100 attributes, epsilon 0.1 to 10; 45 steps at 20,000 records of 12
 * attributes, 240 at 400,000), and at most as many as it may.
 */
export const stepsInPractice = (facts: PublicFacts, noise: readonly Noise[], most: number): number => {
  const scales = noise.filter(({ kind }) => kind !== 'none').map(({ scale }) => scale);
  if (scales.length === 0) return most;
  const scale = scales.reduce((sum, each) => sum + each, 0) / scales.length;
  const signal = assumedRows(facts) / scale;
  return Math.min(most, arrived, Math.max(fewest, 1.55 * (signal * Math.sqrt(noise.length / usualQueries)) ** 0.56));
};

/** All pairs of 12 attributes. */
const usualQueries = 66;
const fewest = 15;
/** Steps after which a fit with little noise has arrived. */
const arrived = 700;

/** Times that a step goes over all rows in all marginals: there and back, for the fit and for its probes, and now and then a step is tried twice. */
export const passesAStep = (answers: number, mostProbes?: number): number => 2.1 * (1 + probesFor(answers, mostProbes));

/** Part of the passes that a replicate makes: it takes the steps up to the one that was chosen, without probes. */
export const replicatePart = (answers: number, mostProbes?: number): number =>
  0.4 / (1 + probesFor(answers, mostProbes));
