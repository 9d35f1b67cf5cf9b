import { workloadCells } from '../../query/workload/workload.js';
import { askedOrPairs } from '../asked-workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { planOneShot } from '../plan-one-shot.js';
import { passesAStep, replicatePart, stepsInPractice } from '../steps-in-practice.js';
import { type ResidualPlannerSettings, residualWork, usableEstimator } from './settings.js';

/** Iterations that a graphical fit makes in practice before it is stopped, and its probes. */
const [iterationsInPractice, probes] = [200, 2];
/** Times that an iteration of the approximate oracle goes over all cells of all pairs. */
const cellPasses = 100;

export const planResiduals = (facts: PublicFacts, settings: ResidualPlannerSettings): Plan => {
  const work = residualWork(facts, askedOrPairs(facts, settings.maxCells), settings.objective);
  const estimator = usableEstimator(settings.estimator, facts.domain, work, facts.prior);
  const rows = estimator === 'reweight' ? facts.prior : undefined;
  const workload = { queries: work.residuals.map(({ query }) => ({ query, weight: 1 })) };
  const plan = planOneShot({ ...facts, prior: rows }, workload, {
    parts: work.parts,
    stage: 'reweight',
    passes: (noise, answers) => stepsInPractice(facts, noise, settings.iterations) * passesAStep(answers),
    replicate: replicatePart(workloadCells(workload, facts.domain)),
    vectors: 24,
    isJoint: true,
  });
  const remark =
    'Each residual is measured once; a marginal is the sum of those of its subsets, so its noise is not that of any one line.';
  if (estimator === 'reweight') return { ...plan, remarks: [remark] };
  const iterations = Math.min(settings.iterations, iterationsInPractice);
  const cells = plan.steps.reduce((sum, { answers }) => sum + answers, 0);
  return {
    ...plan,
    memory: 64 * cells,
    work: [plan.work[0], { stage: 'estimate', amounts: { cells: iterations * (1 + probes) * cells * cellPasses } }],
    replicate: {
      work: [{ stage: 'estimate', amounts: { cells: 0.6 * iterations * cells * cellPasses } }],
      bytes: 16 * cells,
    },
    range: [0.3, 3],
    remarks: [remark, 'Where the graphical model of all marginals is too large, an approximate one is fitted.'],
  };
};
