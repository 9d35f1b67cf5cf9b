import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { askedIdeWorkload, type IdeSettings } from './workload.js';

/** Epochs that it takes in practice until it has converged. */
const epochsInPractice = 20;

export const planIde = (facts: PublicFacts, settings: IdeSettings): Plan => {
  const workload = askedIdeWorkload(facts, facts.prior!, settings);
  const parts = workload.queries.map(({ weight }) => weight);
  const passes = 8 * Math.min(settings.epochs, epochsInPractice);
  return planOneShot(facts, workload, { parts, stage: 'ide', passes: () => passes, vectors: 12 });
};
