import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Plan, PublicFacts } from '../plan.js';
import { checkTree } from './hdmm.js';
import { planHdmm } from './hdmm-plan.js';
import type { HdmmSettings } from './settings.js';

/** Nanoseconds an answer and iteration, and iterations until a fit is stopped, with its probes. */
const answerTime = 60;
const iterationsInPractice = 300;

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
  const gained = Math.sqrt(identityError / error);
  const remarks = [
    `Its strategies answer the workload with ${gained >= 1.005 ? `${gained.toPrecision(3)} times less` : 'the same'} root mean squared error ${gained >= 1.005 ? 'than' : 'as'} the cells of its marginals.`,
  ];
  if (estimator === 'lls')
    return {
      steps,
      memory: 32 * answers,
      seconds: 0.5 + answers * 1e-6,
      remarks: [
        ...remarks,
        'Its answers are separate least-squares estimates: there is no distribution, so no synthetic rows are written.',
      ],
    };
  const bytes = checkTree(facts.domain, workload, {});
  const passes = Math.min(iterations, iterationsInPractice) * 3;
  return { steps, memory: bytes + 48 * answers, seconds: 0.5 + passes * answers * answerTime * 1e-9, remarks };
};
