import { cellsOf } from '../../domain/domain.js';
import { rowBytes } from '../../domain/table.js';
import { marginal } from '../../query/marginal.js';
import { assumedRows, type Plan, type PublicFacts } from '../plan.js';
import { counting, treeFit } from '../work.js';
import { forestEdges, knownEdges, possibleEdges } from './edges.js';
import { third } from './mst.js';
import type { MstSettings } from './options.js';

/** Runs of the oracle that a fit makes in practice with its probes, and a replicate. */
const [runsInPractice, replicateRuns] = [500, 110];

/** The plan of MST: all attributes, choices of edges, the pairs of a tree. */
export const planMst = (facts: PublicFacts, { maxCells, candidates, iterations }: MstSettings): Plan => {
  const { domain } = facts;
  const single = domain.attributes.map(({ name }) => marginal(name));
  const edges = possibleEdges(domain, maxCells);
  const choices = forestEdges(edges, knownEdges(domain));
  const noises = facts.preview(single, choices === 0 ? 1 : third);
  const measured = single.map((query, i) => ({
    act: 'measure' as const,
    what: query.attributes[0],
    query,
    answers: domain.attributes[i].size,
    times: 1,
    noise: noises[i],
  }));
  if (choices === 0)
    return {
      steps: measured,
      memory: 1e6,
      work: [counting(assumedRows(facts), single.length, single.length)],
      remarks: ['No pair of attributes has few enough cells to be measured: attributes are taken for independent.'],
    };
  const cells = edges.reduce((sum, edge) => sum + cellsOf(domain, edge), 0) / edges.length;
  // What is public costs nothing, and its part goes to the pairs.
  const [noise] = facts.preview(
    edges.slice(0, choices).map((edge) => marginal(...edge)),
    1 - third - (third * noises.filter(({ kind }) => kind !== 'none').length) / single.length,
  );
  const records = assumedRows(facts);
  // A tree of pairs: each is walked there and back.
  const tree = {
    walked: 4 * choices * cells,
    length: choices * cells,
    steps: 5 * choices,
    bytes: 32 * choices * cells,
  };
  const looked = Math.min(candidates, edges.length) * cells;
  return {
    steps: [
      ...measured,
      {
        act: 'select',
        what: 'the pair that independent attributes answer worst',
        answers: edges.length,
        times: choices,
      },
      { act: 'measure', what: 'a pair of the tree', answers: Math.round(cells), times: choices, noise },
    ],
    memory: 16 * looked + 64 * choices * cells,
    work: [
      counting(records, Math.min(candidates, edges.length), looked, choices),
      treeFit('estimate', tree, Math.min(3 * iterations, runsInPractice)),
    ],
    replicate: {
      work: [
        treeFit('estimate', tree, replicateRuns),
        { stage: 'draw', amounts: { steps: records * domain.attributes.length, visits: records * choices * 4 } },
      ],
      bytes: 24 * tree.length + records * rowBytes(domain),
    },
    range: [0.4, 2.5],
    remarks: [
      `Which ${choices} pairs are measured is chosen privately; they form ${choices === domain.attributes.length - 1 ? 'one tree over all attributes' : 'trees over the attributes whose pairs are small enough'}.`,
    ],
  };
};
