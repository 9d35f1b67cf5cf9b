import { askedOrPairs, fitting } from '../asked-workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { type ReweightSettings, reweightParts } from './reweight.js';

/** Iterations that a fit makes in practice before it is stopped. */
const iterationsInPractice = 120;

export const planReweight = (facts: PublicFacts, { maxCells, iterations }: ReweightSettings): Plan => {
  const workload = fitting(askedOrPairs(facts, maxCells), facts.prior!);
  const passes = Math.min(iterations, iterationsInPractice) * 6;
  return planOneShot(facts, workload, { parts: reweightParts(facts.domain, workload), passes, vectors: 24 });
};
