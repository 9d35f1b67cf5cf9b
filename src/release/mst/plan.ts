import { cellsOf } from '../../domain/domain.js';
import { marginal } from '../../query/marginal.js';
import type { Plan, PublicFacts } from '../plan.js';
import { forestEdges, possibleEdges } from './edges.js';
import { third } from './mst.js';
import type { MstSettings } from './options.js';

/** Nanoseconds for a cell of the measured pairs in one iteration of the fit, and for a cell of a candidate in one choice. */
const [fitTime, lookTime] = [30, 15];
/** Iterations that a fit makes in practice with its probes. */
const iterationsInPractice = 400;

/** The plan of MST: all attributes, choices of edges, the pairs of a tree. */
export const planMst = (facts: PublicFacts, { maxCells, candidates, iterations }: MstSettings): Plan => {
  const { domain } = facts;
  const single = domain.attributes.map(({ name }) => marginal(name));
  const edges = possibleEdges(domain, maxCells);
  const choices = forestEdges(edges);
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
      seconds: 0.5,
      remarks: ['No pair of attributes has few enough cells to be measured: attributes are taken for independent.'],
    };
  const cells = edges.reduce((sum, edge) => sum + cellsOf(domain, edge), 0) / edges.length;
  // What is public costs nothing, and its part goes to the pairs.
  const [noise] = facts.preview(
    edges.slice(0, choices).map((edge) => marginal(...edge)),
    1 - third - (third * noises.filter(({ kind }) => kind !== 'none').length) / single.length,
  );
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
    seconds:
      0.5 +
      choices * looked * lookTime * 1e-9 +
      Math.min(iterations, iterationsInPractice) * choices * cells * fitTime * 1e-9,
    remarks: [
      `Which ${choices} pairs are measured is chosen privately; they form ${choices === domain.attributes.length - 1 ? 'one tree over all attributes' : 'trees over the attributes whose pairs are small enough'}.`,
    ],
  };
};
