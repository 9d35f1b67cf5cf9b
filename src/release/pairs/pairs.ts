import { cliqueKey } from '../../estimate/graphical/targets.js';
import { treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { checkTables } from '../adaptive/options.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { fittedGraphically } from '../fitted-graphically.js';
import type { Released } from '../released.js';
import { publicTotal } from '../reweighted.js';
import { batchOf, candidatePairs, type Pair } from './candidates.js';
import { heldPairs } from './held-pairs.js';
import { checkPairsOptions, type PairsOptions, pairsDefaults } from './options.js';
import { signalsOf } from './signals.js';
import { together } from './together.js';
import { tellingPairs, worthMeasuring } from './worth-measuring.js';

/** Part of the budget for a rough look at all pairs. */
export const lookPart = 0.15;

/**
 * Pairs: a rough look at all attributes and all pairs at once, a closer measurement of the attributes and of those pairs in which the look saw
 * more than noise (of all, where noise is small), and one graphical model of both, stopped before it follows the noise. Nothing is spent on choosing: what is
 * noisy already tells which pairs matter. Private because it only measures.
 *
 * @example
 * ```ts
 * const { model } = await pairs(session, { random: seeded(1) });
 * ```
 */
export const pairs = async (session: Session, options: PairsOptions): Promise<Released> => {
  checkPairsOptions(options);
  const { domain } = session;
  const { maxCells = pairsDefaults.maxCells, modelMegabytes = pairsDefaults.modelMegabytes } = options;
  const modelBytes = modelBytesOf({ modelMegabytes });
  checkTables(domain, modelBytes, 'pairs');
  const candidates = candidatePairs(domain, options.workload, maxCells);
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const measure = (of: readonly Pair[], share: Share): Promise<Measurement[]> => {
    const { queries, weights } = batchOf(session, of);
    return session.measure(queries, share, { weights });
  };

  const look = candidates.length === 0 ? [] : await measure(candidates, lookPart * (session.remaining - end));
  const closer = worthMeasuring(session, candidates, look, session.remaining - end);
  const measurements = [...look, ...(await measure(closer, session.remaining - end))];

  const strongest = signalsOf(domain, measurements).map(({ attributes }) => attributes);
  const isTelling = keysOf([...closer.map(({ attributes }) => attributes), ...tellingPairs(domain, measurements)]);
  const held = heldPairs(
    domain,
    strongest.filter((pair) => isTelling.has(cliqueKey(pair))),
    modelBytes,
  );
  const isHeld = keysOf(held);
  const isUsed = ({ query }: Measurement): boolean => {
    const attributes = attributesOf(query);
    return attributes.length < 2 || isHeld.has(cliqueKey(attributes));
  };
  const { random, threads, workers, signal, onProgress, until, iterations = pairsDefaults.iterations } = options;
  const fitting = { random, threads, workers, signal, onProgress, until, iterations, memory: 2 * modelBytes + 1e9 };
  const { model, trace, chosen, refit } = await fittedGraphically(domain, measurements, fitting, (all) => ({
    measurements: together(all).filter(isUsed),
    total: publicTotal(all, domain),
  }));
  return {
    model,
    measurements,
    refit,
    notes: {
      looked: candidates.length,
      measured: closer.map(({ attributes }) => [...attributes]),
      held: held.length,
      cells: treeSize(model.tree).cells,
      steps: trace.length - 1,
      chosen: { ...chosen },
    },
  };
};

const keysOf = (pairs: readonly (readonly string[])[]): ReadonlySet<string> => new Set(pairs.map(cliqueKey));
