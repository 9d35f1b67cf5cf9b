import { cellsOf } from '../../domain/domain.js';
import { rowBytes } from '../../domain/table.js';
import { probesFor } from '../../estimate/stopping/risk-probes.js';
import { expectedError } from '../../privacy/expected-error.js';
import { attributesOf } from '../../query/answer.js';
import type { Workload } from '../../query/workload/workload.js';
import { candidatesIn, mostLooked, oneWays } from '../adaptive/candidates.js';
import { marginalsARound } from '../adaptive/choose-marginals.js';
import { defaultRounds, measuringPart } from '../adaptive/shares.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { askingPairs, counting, treeFit, treeWalks } from '../work.js';
import { foreseenTrees } from './foreseen-trees.js';
import { fewestIterations, manyCells, roundCells } from './limits.js';

/** Rounds that AIM makes in practice, for one attribute: noise halves as soon as a round teaches little. */
const roundsInPractice = 2;

/** Part of the records that a marginal which is selected is wrong by, about: noise beyond that drowns it. */
const taught = 0.3;
/** Script for one candidate of a round: its place in the tree and its score; and for each of its cells, what the model says of it. */
const [answerSteps, answerCellSteps] = [500, 1.7];
/** Runs of the oracle that it takes to ask a tree for all candidates of a round. */
const lookRuns = 60;
/** Runs of the oracle: of a round's fit, as `aim` limits it, of the last one without its probes, and of a replicate. */
const runsOn = (cells: number): number => Math.max(fewestIterations, Math.min(150, roundCells / cells));
/** Part of them that is needed where records are few for the noise: a round then teaches little, and the fit before it is nearly right. */
const neededPart = (signal: number): number => Math.min(1, Math.max(0.15, signal / 200));
const lastRuns = (signal: number): number => Math.max(100, 0.4 * signal ** 0.85);
/** Part of the last fit's runs that a replicate makes, and script for each cell of its tree when it is kept and read back. */
const [replicatePart, keptSteps] = [0.25, 4];

/** The plan of AIM: all attributes once, then rounds whose marginals are chosen privately. */
export const planAim = (facts: PublicFacts, workload: Workload, modelBytes: number, mostProbes?: number): Plan => {
  const { domain } = facts;
  const closure = candidatesIn(domain, workload);
  const candidates = closure.map(({ query }) => query);
  const cells = candidates.reduce((sum, query) => sum + cellsOf(domain, attributesOf(query)), 0);
  const single = oneWays(domain);
  const share = measuringPart / defaultRounds(domain);
  const noises = facts.preview(single, share * single.length);
  const [first] = facts.preview([single[0]], share);
  const rounds = roundsInPractice * domain.attributes.length;
  const together = marginalsARound(domain);
  const looked = Math.min(mostLooked + domain.attributes.length, candidates.length);
  const records = assumedRows(facts);
  /** Records for the noise of an answer: fits go on for longer, the more there are. */
  const signal = first.kind === 'none' ? records : records / first.scale;
  const trees = foreseenTrees(domain, closure, {
    marginals: rounds,
    together,
    modelBytes,
    hasPrior: facts.prior !== undefined,
    mostCells: first.kind === 'none' ? Number.POSITIVE_INFINITY : (taught * records) / expectedError(first),
  });
  const end = trees[trees.length - 1];
  const measured = (cells / candidates.length) * rounds;
  return {
    steps: [
      ...single.map((query, i) => ({
        act: 'measure' as const,
        what: query.attributes[0],
        query,
        answers: cellsOf(domain, query.attributes),
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
    memory: 3 * end.work.bytes + (cells * looked * 24) / candidates.length,
    work: [
      counting(assumedRows(facts), looked, (cells * looked) / candidates.length, rounds / together),
      {
        stage: 'rounds',
        amounts: {
          steps: (rounds / together) * looked * (answerSteps + (answerCellSteps * cells) / candidates.length),
        },
      },
      ...trees.flatMap((tree) => [
        treeFit('rounds', tree.work, tree.rounds * runsOn(tree.cells) * neededPart(signal)),
        treeWalks('rounds', tree.work, tree.rounds * lookRuns),
      ]),
      treeFit(
        'estimate',
        end.work,
        lastRuns(signal) * (1 + (end.cells > manyCells ? 1 : probesFor(measured, mostProbes))),
      ),
      askingPairs(end.work, domain.attributes.length),
    ],
    replicate: {
      work: [
        treeFit('estimate', end.work, replicatePart * lastRuns(signal)),
        { stage: 'write', amounts: { steps: keptSteps * end.cells } },
        { stage: 'draw', amounts: { steps: records * domain.attributes.length, visits: records * rounds * 4 } },
      ],
      bytes: 16 * end.cells + records * rowBytes(domain),
      treeBytes: 8 * end.cells,
    },
    range: [0.3, 3],
    remarks: [
      `Which marginals are measured is chosen privately, round by round; about ${rounds} rounds are usual, ${defaultRounds(domain)} are possible.`,
      ...(together > 1
        ? [`Each round selects ${together} marginals without common attributes before the model is fitted anew.`]
        : []),
      'The noise shown is that of the first rounds; it is halved whenever a round teaches less than its noise.',
    ],
  };
};
