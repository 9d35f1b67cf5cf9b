import { cellsOf } from '../../domain/domain.js';
import { rowBytes } from '../../domain/table.js';
import { probesFor } from '../../estimate/stopping/risk-probes.js';
import { oracleWork } from '../../model/graphical/oracle/oracle.js';
import { answerSize } from '../../query/answer.js';
import { describeQuery } from '../../query/describe-query.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { assumedRows, type Plan, type PlannedStep, type PublicFacts } from '../plan.js';
import { askingPairs, counting, treeFit } from '../work.js';
import { type Batch, batchOf, candidatePairs } from './candidates.js';
import { heldPairs } from './held-pairs.js';
import type { PairsSettings } from './options.js';
import { lookPart } from './pairs.js';
import { drowned, noiseOfAll, preferred } from './worth-measuring.js';

/** Part of the pairs that are measured again in practice: where noise is large, and where it is small. */
const [worthNoisy, worthClear] = [0.4, 0.7];
/** Noise of a pair (`noiseOfAll`) from which on it is large. */
const largeNoise = 0.05;
/** Iterations that a fit makes in practice before it is stopped, and a replicate, which has no probes. */
const [iterationsInPractice, replicateIterations] = [120, 120];
/** Script for what a model says of a pair that no table of its tree holds, for each attribute: it goes through the tree. */
const askSteps = 3000;

/** The plan of `pairs`: a look at everything, then the attributes again and the pairs that were found to matter. */
export const planPairs = (facts: PublicFacts, { maxCells, modelMegabytes, iterations }: PairsSettings): Plan => {
  const { domain } = facts;
  const pairs = candidatePairs(domain, facts.workload, maxCells);
  const records = assumedRows(facts);
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
  const worth = noiseOfPairs > largeNoise ? worthNoisy : worthClear;
  const again = Math.ceil(worth * pairs.length);
  // What is foreseen to be measured again: pairs of middling size, since which ones matter is private.
  const middling = [...pairs]
    .sort((a, b) => cellsOf(domain, a.attributes) - cellsOf(domain, b.attributes))
    .slice(Math.floor((pairs.length - again) / 2))
    .slice(0, again);
  const look = pairs.length === 0 ? [] : stepsOf(batchOf(facts, pairs), lookPart);
  const closer = stepsOf(batchOf(facts, middling), look.length === 0 ? 1 : 1 - lookPart);
  const single = closer.slice(0, alone.queries.length);
  const pair = closer[closer.length - 1];
  const held = heldPairs(
    domain,
    middling.map(({ attributes }) => attributes),
    modelBytesOf({ modelMegabytes }),
  );
  const work = oracleWork(domain, [...domain.attributes.map(({ name }) => [name]), ...held], {
    memory: 2 * modelBytesOf({ modelMegabytes }) + 1e9,
  });
  const answers = single.reduce((sum, step) => sum + step.answers, 0) + worth * cells;
  const runs = Math.min(iterations, iterationsInPractice) * (1 + probesFor(answers));
  return {
    steps: [
      ...look,
      ...single,
      ...(look.length === 0
        ? []
        : [
            {
              act: 'measure' as const,
              what: 'a pair in which the look saw more than noise, again',
              answers: Math.round(cells / pairs.length),
              times: again,
              noise: pair.noise,
            },
          ]),
    ],
    memory: 3 * work.bytes + 48 * cells,
    work: [
      counting(records, pairs.length + single.length, cells + answers, 1),
      counting(records, again + single.length, answers, 1),
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
    },
    range: [0.3, 3],
    remarks: [
      ...(look.length === 0
        ? ['No pair of attributes has few enough cells to be measured: attributes are taken for independent.']
        : [
            whenItServes(noiseOfPairs),
            `${Math.round(100 * lookPart)}% of the budget looks at all ${pairs.length} pairs; the rest measures the attributes again, and those pairs in which the look saw more than noise, whose number and noise are not known before (about ${again} are shown).`,
          ]),
      ...(facts.budget.currency === 'zcdp'
        ? ['What a pair adds to its attributes is measured once; its noise is not that of any one line.']
        : []),
    ],
  };
};

const whenItServes = (noise: number): string =>
  `If all pairs were measured at once, noise would misplace ${(100 * noise).toPrecision(2)}% of the records or more in half of them: ${preferred.map(({ cells, noise: from }) => `from ${100 * from}% on where most pairs have at most ${cells} cells`).join(', and ')}, and from ${100 * drowned.noise}% on for up to ${drowned.pairs} pairs of any size, this is preferred to rounds of private choices (aim), which also measure triples.`;
