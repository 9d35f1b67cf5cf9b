import { limits } from '../../domain/limits.js';
import { independentModel } from '../../estimate/graphical/independent-model.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { Session } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import { graphicallyTo } from '../fitted-graphically.js';
import type { Released } from '../released.js';
import { type Edge, forestEdges, forestOf, knownEdges, lookedAt, possibleEdges } from './edges.js';
import { checkMstOptions, type MstOptions, mstDefaults } from './options.js';

/** Parts of the budget, as in the paper: a third for the attributes, a third to choose the tree, the rest for its pairs. */
export const third = 1 / 3;

/**
 * MST (McKenna, Miklau, Sheldon 2021), the mechanism that won the NIST contest of 2018 in its general form: measures every attribute, chooses a
 * spanning tree of pairs, one edge after the other, by how badly independent attributes answer them, measures its pairs, and fits a
 * graphical model to everything. Private because all it does to the table are the session's acts.
 *
 * @example
 * ```ts
 * const { model } = await mst(session, { random: seeded(1) });
 * ```
 */
export const mst = async (session: Session, options: MstOptions): Promise<Released> => {
  checkMstOptions(options);
  const { maxCells = mstDefaults.maxCells, candidates = mstDefaults.candidates } = options;
  const { domain } = session;
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const edges = possibleEdges(domain, maxCells);
  const known = knownEdges(domain);
  const choices = forestEdges(edges, known);
  const part = third * (session.remaining - end);

  const oneWays = domain.attributes.map(({ name }) => marginal(name));
  const measurements = await session.measure(oneWays, choices === 0 ? session.remaining - end : part);
  const independent = independentModel(domain, measurements, estimateTotal(measurements));

  const forest = forestOf(known);
  const tree: Edge[] = [];
  while (tree.length < choices) {
    options.signal?.throwIfAborted();
    const open = lookedAt(edges.filter(forest.joins), tree.length, candidates);
    const answers = independent.marginals(open);
    const worst = await session.select(
      open.map((edge, i) => ({ query: marginal(...edge), reference: answers[i] })),
      part / choices,
    );
    tree.push(open[worst]);
    forest.add(open[worst]);
    options.onProgress?.({ stage: 'rounds', done: tree.length, total: choices });
  }
  if (choices > 0) {
    const pairs = tree.map((edge) => marginal(...edge));
    measurements.push(...(await session.measure(pairs, session.remaining - end)));
  }

  const { random, threads, workers, signal, onProgress, until, iterations = mstDefaults.iterations } = options;
  // What was paid for must not be lost: pairs too large for exact tables are fitted approximately.
  const room = { memory: limits.modelBytes, approximate: true };
  const fitting = { random, threads, workers, signal, onProgress, until, iterations, ...room };
  const fitted = await graphicallyTo(domain, measurements, fitting);
  return { ...fitted, measurements, notes: { tree: tree.map((edge) => [...edge]), ...fitted.notes } };
};
