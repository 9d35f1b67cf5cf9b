import { cellsOf } from '../../domain/domain.js';
import { rowBytes } from '../../domain/table.js';
import { probesFor } from '../../estimate/stopping/risk-probes.js';
import { oracleWork } from '../../model/graphical/oracle/oracle.js';
import { expectedError } from '../../privacy/expected-error.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { marginalsARound } from '../adaptive/choose-marginals.js';
import { measuringPart } from '../adaptive/shares.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { assumedRows, type Plan, type PlannedStep, type PublicFacts } from '../plan.js';
import { askingPairs, counting, treeFit, treeWalks } from '../work.js';
import { type Batch, batchOf, candidatePairs, roundCandidates } from './candidates.js';
import { foreseenTree } from './foreseen-tree.js';
import type { PairsSettings } from './options.js';
import { lookPart, pairsRoom } from './pairs.js';
import { firstRound, mostNoise } from './rounds.js';
import { noiseOfAll, roundsPartAt } from './worth-measuring.js';

/** Part of the pairs that are measured again in practice. */
const worth = 0.4;
/** Part of the rounds that the first round's budget would buy which are made in practice: some are dearer, and the third that teaches nothing is the last. */
const roundsInPractice = 0.5;
/** Iterations that the last fit makes in practice before it is stopped, and a replicate, which has no probes; those of a fit on the way, of which there are so many beside the rounds'. */
const [iterationsInPractice, replicateIterations, iterationsOnTheWay, fitsOnTheWay] = [180, 185, 120, 14];
/** Pairs that a model holds for each attribute after rounds, and the part of chosen marginals that make trees grow as if by chance. */
const [heldAnAttribute, chosenApart] = [1.8, 0.6];
/** Script for what a model says of a pair that no table of its tree holds, for each attribute: it goes through the tree. */
const askSteps = 3000;
/** Runs of the oracle that it takes to ask a tree for all candidates of a round, or all pairs, and script for each of them and for each of its cells. */
const [lookRuns, answerSteps, answerCellSteps] = [60, 500, 1.7];

/** The plan of `pairs`: a look at everything, rounds, then the attributes again and the pairs that were found to matter. */
export const planPairs = (facts: PublicFacts, settings: PairsSettings): Plan => {
  const { maxCells, iterations } = settings;
  const { domain } = facts;
  const pairs = candidatePairs(domain, facts.workload, maxCells);
  const larger = roundCandidates(domain, facts.workload, settings);
  const records = assumedRows(facts);
  const bytes = modelBytesOf(settings);
  const stepsOf = ({ queries, weights }: Batch, share: number): PlannedStep[] => {
    const noise = facts.preview(queries, share, { weights });
    return queries.map((query, i) => ({
      act: 'measure',
      what: describeQuery(query),
      query,
      answers: answerSize(query, domain),
      times: 1,
      noise: noise[i],
    }));
  };
  const alone = batchOf(facts, []);
  const cells = pairs.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  const noiseOfPairs = pairs.length === 0 ? 1 : noiseOfAll(facts, pairs, 1, records);
  const again = Math.ceil(worth * pairs.length);
  // What is foreseen to be measured again: pairs of middling size, since which ones matter is private.
  const middling = [...pairs]
    .sort((a, b) => cellsOf(domain, a.attributes) - cellsOf(domain, b.attributes))
    .slice(Math.floor((pairs.length - again) / 2))
    .slice(0, again);

  const look = pairs.length === 0 ? [] : stepsOf(batchOf(facts, pairs), lookPart);
  const first = firstRound / domain.attributes.length;
  const roundsPart = roundsPartAt(noiseOfPairs);
  const noiseOfRound = larger.length === 0 ? undefined : facts.preview([larger[0].query], measuringPart * first)[0];
  const clear =
    noiseOfRound === undefined || look.length === 0
      ? []
      : larger.filter(
          ({ query }) => expectedError(noiseOfRound) * cellsOf(domain, query.attributes) <= 2 * mostNoise * records,
        );
  const rounds = clear.length === 0 ? 0 : Math.ceil((roundsInPractice * roundsPart) / first);
  const closer = stepsOf(
    batchOf(facts, middling),
    look.length === 0 ? 1 : 1 - lookPart - (rounds === 0 ? 0 : roundsPart),
  );
  const single = closer.slice(0, alone.queries.length);
  const pair = closer[closer.length - 1];

  // After rounds only pairs that others do not explain are held, and chosen marginals lie beside one another rather than by chance.
  const plain = foreseenTree(
    domain,
    middling.map(({ attributes }) => attributes),
    rounds === 0 ? again : Math.min(again, Math.round(heldAnAttribute * domain.attributes.length)),
    pairsRoom * bytes,
  );
  const apart = foreseenTree(
    domain,
    clear.map(({ query }) => query.attributes),
    Math.round(chosenApart * rounds),
    bytes,
    plain,
  );
  const held = [...plain, ...apart];
  const oneWays = domain.attributes.map(({ name }) => [name]);
  const workOf = (sets: readonly (readonly string[])[]) =>
    oracleWork(domain, [...oneWays, ...sets], { memory: 2 * bytes + 1e9 });
  const [early, work] = [workOf(plain), workOf(held)];
  const looked = clear.reduce((sum, { query }) => sum + cellsOf(domain, query.attributes), 0);
  const answers = single.reduce((sum, step) => sum + step.answers, 0) + worth * cells;
  const runs = Math.min(iterations, iterationsInPractice) * (1 + probesFor(answers));
  const turns = rounds / marginalsARound(domain);
  return {
    steps: [
      ...look,
      ...(rounds === 0
        ? []
        : [
            {
              act: 'select' as const,
              what: `the marginal of ${larger.length} that is served worst`,
              answers: larger.length,
              times: rounds,
            },
            {
              act: 'measure' as const,
              what: 'the selected marginal',
              answers: Math.round(looked / clear.length),
              times: rounds,
              noise: noiseOfRound,
            },
          ]),
      ...single,
      ...(look.length === 0
        ? []
        : [
            {
              act: 'measure' as const,
              what: 'a pair that all this leaves open, again',
              answers: Math.round(cells / pairs.length),
              times: again,
              noise: pair.noise,
            },
          ]),
    ],
    memory: 3 * work.bytes + 48 * cells + 24 * looked,
    work: [
      counting(records, pairs.length + single.length, cells + answers, 1),
      counting(records, clear.length, looked, turns),
      counting(records, again + single.length, answers, 1),
      treeFit('rounds', early, fitsOnTheWay * iterationsOnTheWay),
      treeWalks('rounds', early, fitsOnTheWay * lookRuns),
      treeFit('rounds', work, turns * iterationsOnTheWay),
      treeWalks('rounds', work, turns * lookRuns),
      {
        stage: 'rounds',
        amounts: {
          steps:
            turns * (answerSteps * clear.length + answerCellSteps * looked) + fitsOnTheWay * answerSteps * pairs.length,
        },
      },
      treeFit('estimate', work, runs),
      askingPairs(work, domain.attributes.length),
    ],
    replicate: {
      work: [
        treeFit('estimate', work, replicateIterations),
        { stage: 'draw', amounts: { steps: records * domain.attributes.length, visits: records * held.length * 4 } },
        { stage: 'ask', amounts: { steps: askSteps * domain.attributes.length * pairs.length } },
      ],
      bytes: 16 * work.length + records * rowBytes(domain),
      treeBytes: work.bytes,
    },
    range: [0.3, 3],
    remarks: [
      ...(look.length === 0
        ? ['No pair of attributes has few enough cells to be measured: attributes are taken for independent.']
        : [
            `If all pairs were measured at once, noise would misplace ${(100 * noiseOfPairs).toPrecision(2)}% of the records or more in half of them.`,
            `${Math.round(100 * lookPart)}% of the budget looks at all ${pairs.length} pairs; ${rounds === 0 ? 'noise is too large for rounds that choose a marginal privately' : `up to ${Math.round(100 * roundsPart)}% goes to rounds that choose a marginal privately, as long as they teach more than their noise`}; the rest measures the attributes again, and those pairs that all this leaves open, whose number and noise are not known before (about ${again} are shown).`,
          ]),
      ...(facts.budget.currency === 'zcdp'
        ? ['What a pair adds to its attributes is measured once; its noise is not that of any one line.']
        : []),
    ],
  };
};
