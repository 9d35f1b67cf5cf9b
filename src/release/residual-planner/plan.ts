import { askedOrPairs } from '../asked-workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { type ResidualPlannerSettings, residualWork, usableEstimator } from './settings.js';

/** Iterations that a fit makes in practice before it is stopped, with its probes. */
const iterationsInPractice = { reweight: 120, pgm: 200 };
/** Nanoseconds that an iteration of a graphical fit takes for each cell, all pairs by the approximate oracle. */
const cellTime = 400;

export const planResiduals = (facts: PublicFacts, settings: ResidualPlannerSettings): Plan => {
  const work = residualWork(facts, askedOrPairs(facts, settings.maxCells), settings.objective);
  const estimator = usableEstimator(settings.estimator, facts.domain, work, facts.prior);
  const passes = Math.min(settings.iterations, iterationsInPractice[estimator]) * 6;
  const rows = estimator === 'reweight' ? facts.prior : undefined;
  const workload = { queries: work.residuals.map(({ query }) => ({ query, weight: 1 })) };
  const plan = planOneShot({ ...facts, prior: rows }, workload, { parts: work.parts, passes, vectors: 24 });
  const remark =
    'Each residual is measured once; a marginal is the sum of those of its subsets, so its noise is not that of any one line.';
  if (estimator === 'reweight') return { ...plan, remarks: [remark] };
  const cells = plan.steps.reduce((sum, { answers }) => sum + answers, 0);
  return {
    ...plan,
    memory: 64 * cells,
    seconds: 0.5 + (passes / 2) * cells * cellTime * 1e-9,
    remarks: [remark, 'Where the graphical model of all marginals is too large, an approximate one is fitted.'],
  };
};
