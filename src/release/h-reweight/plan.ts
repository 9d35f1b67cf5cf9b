import { cellsSeen } from '../../estimate/reweight/household-targets.js';
import { householdPriorOf } from '../../model/households/household-prior.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { queryKey } from '../../query/query-key.js';
import type { Plan, PublicFacts } from '../plan.js';
import { measuredHouseholds } from './measured-households.js';
import { type HReweightSettings, hReweightWorkload } from './settings.js';

/** Steps that a fit makes in practice before it is stopped, and how often each goes over all persons in all queries, probes included. */
const passes = { steps: 90, each: 6 };
/** Numbers held for each public household: those of the fit and of two probes. */
const vectors = 24;
/** Nanoseconds for one person in one query, on two threads. */
const passTime = 1.2;

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
  const [households, persons] = [prior.weights.length, prior.table.length];
  return {
    steps,
    memory: persons * (4 * queries + 12) + households * 8 * vectors + 32 * cells,
    seconds:
      0.3 +
      persons * 2e-6 +
      Math.min(settings.iterations, passes.steps) *
        passes.each *
        (persons * (queries + 2) * passTime + cells * 4) *
        1e-9,
    remarks: [
      `Every household of the release is one of the ${households.toLocaleString('en-US')} different public ones, with all its persons.`,
    ],
  };
};
