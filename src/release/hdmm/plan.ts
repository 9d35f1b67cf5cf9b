import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import type { Workload } from '../../query/workload/workload.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { treeFit } from '../work.js';
import { treeWork } from './hdmm.js';
import { planHdmm } from './hdmm-plan.js';
import type { HdmmSettings } from './settings.js';

/** Iterations until a fit is stopped, and the probes that watch it. */
const [iterationsInPractice, probes] = [150, 2];
/** Script for each answer of a strategy, which is optimised before. */
const answerSteps = 50;

/** The plan of HDMM: the strategies themselves, which depend on nothing private. */
export const planHdmmRelease = (facts: PublicFacts, workload: Workload, settings: HdmmSettings): Plan => {
  const { template, estimator, iterations } = settings;
  const { queries, parts, noise, error, identityError } = planHdmm(facts, workload, { template });
  const noises = facts.preview(queries, 1, { noise, weights: parts });
  const steps = queries.map((query, i) => ({
    act: 'measure' as const,
    what: describeQuery(query),
    query,
    answers: answerSize(query, facts.domain),
    times: 1,
    noise: noises[i],
  }));
  const answers = steps.reduce((sum, step) => sum + step.answers, 0);
  const counted = {
    stage: 'measure',
    amounts: { counts: assumedRows(facts) * queries.length, steps: answers * answerSteps },
  };
  const gained = Math.sqrt(identityError / error);
  const remarks = [
    `Its strategies answer the workload with ${gained >= 1.005 ? `${gained.toPrecision(3)} times less` : 'the same'} root mean squared error ${gained >= 1.005 ? 'than' : 'as'} the cells of its marginals.`,
  ];
  if (estimator === 'lls')
    return {
      steps,
      memory: 32 * answers,
      work: [counted],
      remarks: [
        ...remarks,
        'Its answers are separate least-squares estimates: there is no distribution, so no synthetic rows are written.',
      ],
    };
  const oracle = treeWork(facts.domain, workload, {});
  const runs = Math.min(iterations, iterationsInPractice) * (1 + probes);
  const fit = treeFit('estimate', oracle, runs);
  return {
    steps,
    memory: (2 + probes) * oracle.bytes + 48 * answers,
    work: [counted, fit],
    range: [0.4, 2.5],
    remarks,
  };
};
