import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { askedIdeWorkload, type IdeSettings } from './workload.js';

export const planIde = (facts: PublicFacts, settings: IdeSettings): Plan => {
  const workload = askedIdeWorkload(facts, facts.prior!, settings);
  const parts = workload.queries.map(({ weight }) => weight);
  return planOneShot(facts, workload, { parts, passes: settings.epochs * 8, vectors: 12 });
};
