import { cellsSeen } from '../../estimate/reweight/household-targets.js';
import { householdPriorOf } from '../../model/households/household-prior.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { queryKey } from '../../query/query-key.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { passesAStep, replicatePart, stepsInPractice } from '../steps-in-practice.js';
import { counting, rowsFit } from '../work.js';
import { measuredHouseholds } from './measured-households.js';
import { type HReweightSettings, hReweightWorkload } from './settings.js';

/** Numbers held for each public household: those of the fit and of two probes. */
const vectors = 24;
/** Visits' worth of a person in a query: which cells its household was in already is looked up. */
const visitsEach = 2;

/** The plan of reweighted households: all queries are measured at once, and the rest is post-processing. */
export const planHReweight = (facts: PublicFacts, settings: HReweightSettings): Plan => {
  const { domain } = facts;
  const prior = householdPriorOf(facts.publicHouseholds!);
  const { free, paid, parts } = measuredHouseholds(facts, hReweightWorkload(facts, settings), prior);
  const noise = [
    ...free.map(() => ({ kind: 'none', scale: 0 }) as const),
    ...facts.preview(paid, 1, { weights: parts }),
  ];
  const steps = [...free, ...paid].map((query, i) => ({
    act: 'measure' as const,
    what: describeQuery(query),
    query,
    answers: answerSize(query, domain),
    times: 1,
    noise: noise[i],
  }));
  const queries = new Set([...free, ...paid].map((query) => queryKey(cellsSeen(query)))).size;
  const cells = steps.reduce((sum, { answers }) => sum + answers, 0);
  const passes = stepsInPractice(facts, noise, settings.iterations) * passesAStep(cells);
  const [households, persons] = [prior.weights.length, prior.table.length];
  const size = { rows: persons * visitsEach, marginals: queries };
  return {
    steps,
    memory: persons * (4 * queries + 12) + households * 8 * vectors + 32 * cells,
    work: [
      counting(assumedRows(facts) * (persons / households), queries, cells),
      { stage: 'reweight', amounts: { steps: 100 * persons } },
      rowsFit('reweight', { ...size, passes }),
    ],
    replicate: {
      work: [rowsFit('reweight', { ...size, passes: 3 + replicatePart(cells) * passes })],
      bytes: 24 * households,
    },
    range: [0.4, 2.5],
    remarks: [
      `Every household of the release is one of the ${households.toLocaleString('en-US')} different public ones, with all its persons.`,
    ],
  };
};
