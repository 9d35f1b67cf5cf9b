import { marginal } from '../../query/marginal.js';
import { workloadCells } from '../../query/workload/workload.js';
import { assumedRows, assumption, type Plan, type PublicFacts } from '../plan.js';
import { powerOf, resolveParameters } from './parameters.js';
import { capacityOf, defaultTotalShare } from './play.js';
import { askedDualQueryWorkload, type DualQuerySettings, parametersOf } from './settings.js';

/** Iterations that a fit makes in practice. */
const iterationsInPractice = 300;

/** The plan of DualQuery: the number of records, then rounds of draws. */
export const planDualQuery = (facts: PublicFacts, settings: DualQuerySettings): Plan => {
  const { domain, budget } = facts;
  const { estimator, search, timeLimit, iterations, modelMegabytes } = settings;
  const workload = askedDualQueryWorkload(facts, settings);
  const queries = workload.queries.map(({ query }) => query);
  const answers = workloadCells(workload, domain);
  const [counted] = facts.preview([marginal()], defaultTotalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - defaultTotalShare;
  const capacity = capacityOf(facts, queries, whole, assumedRows(facts));
  const { rounds, samples, eta } = resolveParameters(parametersOf(settings), capacity, powerOf(budget.currency));
  const fits =
    estimator === 'pgm' ? Math.min(iterations, iterationsInPractice) * (settings.until === 'validated' ? 3 : 1) : 0;
  return {
    steps: [
      { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
      {
        act: 'select',
        what: `${samples} answers that the records so far have too few or too many of`,
        answers: 2 * answers,
        times: rounds - 1,
      },
    ],
    memory: answers * (60 + rounds) + (estimator === 'pgm' ? 3e6 * modelMegabytes : 0),
    seconds:
      0.3 +
      rounds * (answers * 60e-9 + samples * 1e-4 + (search === 'programme' ? timeLimit : 0)) +
      fits * (rounds * answers * 4e-9 + 0.01),
    remarks: [
      `${rounds} rounds of ${samples} draws, with a learning rate eta of ${eta.toPrecision(3)}; all follows from the number of records and the budget.`,
      ...assumption(facts),
    ],
  };
};
