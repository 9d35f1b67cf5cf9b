import { cellsOf } from '../../domain/domain.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { candidatesIn, mostLooked } from '../adaptive/candidates.js';
import { defaultRounds, measuringPart } from '../adaptive/shares.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { counting } from '../work.js';
import { totalPart } from './jam.js';

/** Rounds that JAM makes in practice, for one attribute: those that take something public cost little. */
const roundsInPractice = 3;

/** Script for one candidate of a round; for each cell of the tree in the fit after it and in that of a replicate, about. */
const [answerSteps, fitSteps, replicateSteps] = [3000, 40, 80];
/** Cells that the tree comes to in practice, where the domain has as many. */
const usualCells = 2e5;

/** The plan of JAM: the number of records, then rounds that measure a marginal or take it from the public table. */
export const planJam = (facts: PublicFacts, workload: Workload, modelBytes: number): Plan => {
  const { domain } = facts;
  const candidates = candidatesIn(domain, workload).map(({ query }) => query);
  const cells = candidates.reduce((sum, query) => sum + cellsOf(domain, attributesOf(query)), 0);
  const [counted] = facts.preview([marginal()], totalPart);
  const whole = counted.kind === 'none' ? 1 : 1 - totalPart;
  const [noise] = facts.preview([candidates[0]], (measuringPart * whole) / defaultRounds(domain));
  const rounds = roundsInPractice * domain.attributes.length;
  const share = Math.min(1, mostLooked / candidates.length);
  // No tree has more cells than the domain.
  const all = domain.attributes.reduce((product, { size }) => product * size, 1);
  const tree = Math.min(usualCells, modelBytes / 8, all);
  return {
    steps: [
      { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
      {
        act: 'select',
        what: `of ${candidates.length} marginals, private or public, the one that helps most`,
        answers: 2 * candidates.length,
        times: rounds,
      },
      {
        act: 'measure',
        what: 'the selected marginal, where it is a private one',
        answers: Math.round(cells / candidates.length),
        times: rounds,
        noise,
      },
    ],
    memory: 3 * Math.min(modelBytes, 8 * all) + cells * 32,
    work: [
      counting(assumedRows(facts), candidates.length * share, cells * share, rounds),
      { stage: 'rounds', amounts: { steps: rounds * (candidates.length * share * answerSteps + fitSteps * tree) } },
    ],
    replicate: { work: [{ stage: 'estimate', amounts: { steps: replicateSteps * tree } }], bytes: cells * 16 },
    range: [0.3, 3],
    remarks: [
      `Which marginals are measured and which are taken from the public table is chosen privately, round by round; about ${rounds} rounds are usual.`,
      'The noise shown is that of the first rounds; it is halved whenever a measurement teaches less than its noise.',
    ],
  };
};
