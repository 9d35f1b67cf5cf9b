import { cellsOf } from '../../domain/domain.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { downwardClosure } from '../../query/workload/downward-closure.js';
import type { Workload } from '../../query/workload/workload.js';
import { mostLooked } from '../adaptive/candidates.js';
import { defaultRounds, measuringPart } from '../adaptive/shares.js';
import type { Plan, PublicFacts } from '../plan.js';
import { marginalsARound } from './choose-marginals.js';

/** Rounds that AIM makes in practice, for one attribute: noise halves as soon as a round teaches little. */
const roundsInPractice = 2;

/** The plan of AIM: all attributes once, then rounds whose marginals are chosen privately. */
export const planAim = (facts: PublicFacts, workload: Workload, modelBytes: number): Plan => {
  const { domain } = facts;
  const candidates = downwardClosure(workload, domain).queries.map(({ query }) => query);
  const cells = candidates.reduce((sum, query) => sum + cellsOf(domain, attributesOf(query)), 0);
  const single = domain.attributes.map(({ name }) => marginal(name));
  const share = measuringPart / defaultRounds(domain);
  const noises = facts.preview(single, share * single.length);
  const [first] = facts.preview([single[0]], share);
  const rounds = roundsInPractice * domain.attributes.length;
  const together = marginalsARound(domain);
  const looked = cells * Math.min(1, mostLooked / candidates.length);
  return {
    steps: [
      ...single.map((query, i) => ({
        act: 'measure' as const,
        what: query.attributes[0],
        query,
        answers: domain.attributes[i].size,
        times: 1,
        noise: noises[i],
      })),
      {
        act: 'select',
        what: `the marginal of ${candidates.length} that is served worst`,
        answers: candidates.length,
        times: rounds,
      },
      {
        act: 'measure',
        what: 'the selected marginal',
        answers: Math.round(cells / candidates.length),
        times: rounds,
        noise: first,
      },
    ],
    memory: 3 * modelBytes + cells * 16,
    seconds: 0.5 + rounds * (looked * 12e-9 + 0.15 / together),
    remarks: [
      `Which marginals are measured is chosen privately, round by round; about ${rounds} rounds are usual, ${defaultRounds(domain)} are possible.`,
      ...(together > 1
        ? [`Each round selects ${together} marginals without common attributes before the model is fitted anew.`]
        : []),
      'The noise shown is that of the first rounds; it is halved whenever a round teaches less than its noise.',
    ],
  };
};
