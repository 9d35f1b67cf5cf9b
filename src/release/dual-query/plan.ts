import { marginal } from '../../query/marginal.js';
import { workloadCells } from '../../query/workload/workload.js';
import { assumedRows, assumption, type Plan, type PublicFacts } from '../plan.js';
import { powerOf, resolveParameters } from './parameters.js';
import { capacityOf, defaultTotalShare } from './play.js';
import { askedDualQueryWorkload, type DualQuerySettings, parametersOf } from './settings.js';

/** Steps of script in a second, about. */
const programmeSteps = 5e7;
/** Iterations that a fit makes in practice. */
const iterationsInPractice = 80;

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
    memory: answers * (60 + rounds) + (estimator === 'pgm' ? Math.min(3e6 * modelMegabytes, 400 * answers) : 0),
    work: [
      { stage: 'measure', amounts: { counts: assumedRows(facts) * queries.length } },
      {
        stage: 'rounds',
        // A programme is given up after its time, whatever the machine.
        amounts: {
          steps: rounds * (answers * 3 + samples * 5000 + (search === 'programme' ? timeLimit * programmeSteps : 0)),
        },
      },
      {
        stage: 'estimate',
        amounts: { cells: fits * rounds * answers, steps: fits * 1e5 },
        shared: true,
      },
    ],
    range: [0.3, 3],
    remarks: [
      `${rounds} rounds of ${samples} draws, with a learning rate eta of ${eta.toPrecision(3)}; all follows from the number of records and the budget.`,
      ...assumption(facts),
    ],
  };
};
