import { inTurns } from '../../domain/turns.js';
import { cliqueKey } from '../../estimate/graphical/targets.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import { treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { checkTables } from '../adaptive/options.js';
import { modelBytesOf } from '../adaptive/workload.js';
import { toldOfFit } from '../as-fitted.js';
import { fittedGraphically } from '../fitted-graphically.js';
import type { Released } from '../released.js';
import { publicTotal } from '../reweighted.js';
import { batchOf, candidatePairs, type Pair, roundCandidates } from './candidates.js';
import { type ExplainOptions, explain, usedOf } from './explain.js';
import { heldPairs } from './held-pairs.js';
import { checkPairsOptions, type PairsOptions, pairsDefaults } from './options.js';
import { firstRound, type Rounds, teachingRounds } from './rounds.js';
import { type Signal, signalsOf } from './signals.js';
import { together } from './together.js';
import { isPlain, isTelling, noiseOfAll, roundsPartAt, standsOutAtAll, worthMeasuring } from './worth-measuring.js';

/** Part of the budget for a rough look at all pairs. */
export const lookPart = 0.15;
/** Part of the model's tables that pairs may take before anything else is in them. */
export const pairsRoom = 0.4;

/**
 * Pairs: a rough look at all attributes and all pairs at once; where noise is not too large for it, rounds in which marginals that a model of the look answers badly are chosen privately
 * and measured, as long as they teach more than their noise; a closer measurement of the attributes and of those pairs that all this leaves open; and one
 * graphical model of everything, stopped before it follows the noise. Private because all it does to the table are the session's acts; models and what stands out from them are post-processing.
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
  const { degree = pairsDefaults.degree, iterations = pairsDefaults.iterations } = options;
  const bytes = modelBytesOf({ modelMegabytes });
  checkTables(domain, bytes, 'pairs');
  const candidates = candidatePairs(domain, options.workload, maxCells);
  const larger = roundCandidates(domain, options.workload, { degree, maxCells });
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const whole = session.remaining - end;
  const measure = (of: readonly Pair[], share: Share): Promise<Measurement[]> => {
    const { queries, weights } = batchOf(session, of);
    return session.measure(queries, share, { weights });
  };
  const { random, threads, workers, signal, onProgress, until } = options;
  const fitting = { random, threads, workers, signal, iterations, memory: 2 * bytes + 1e9 };

  const explained = (of: readonly Measurement[], standsOut: ExplainOptions['standsOut'], chosen: Rounds['chosen']) =>
    explain(domain, of, { chosen, standsOut, bytes: (chosen.length === 0 ? pairsRoom : 1) * bytes, fitting, signal });
  /** What pairs tell beyond independent attributes, strongest first. */
  const signals = async (of: readonly Measurement[]): Promise<readonly Signal[]> => {
    const { model } = await explained(of, () => false, []);
    return inTurns(signalsOf(domain, together(of), model), { signal });
  };

  const look = candidates.length === 0 ? [] : await measure(candidates, lookPart * whole);
  const records = candidates.length === 0 ? 1 : estimateTotal(look, domain);
  const roundsPart = candidates.length === 0 ? 0 : roundsPartAt(noiseOfAll(session, candidates, whole, records));
  const isClear = roundsPart > 0;
  const { measurements: rounds, chosen }: Rounds = !isClear
    ? { measurements: [], chosen: [] }
    : await teachingRounds(session, larger, look, await explained(look, isPlain, []), {
        share: roundsPart * whole,
        first: (firstRound / domain.attributes.length) * whole,
        bytes,
        fitting,
        signal,
        onProgress,
      });
  const before = [...look, ...rounds];
  const closer = await leftOpen();
  const measurements = [...before, ...(await measure(closer, session.remaining - end))];

  const held = await heldOf();
  const isUsed = usedOf(held, chosen);
  const fit = await fittedGraphically(domain, measurements, { ...fitting, onProgress, until }, (all) => ({
    measurements: together(all).filter(isUsed),
    total: publicTotal(all, domain),
  }));
  const { model, trace, refit, refitsAnywhere } = fit;
  return {
    model,
    measurements,
    refit,
    refitsAnywhere,
    notes: {
      looked: candidates.length,
      selected: chosen.map((names) => [...names]),
      measured: closer.map(({ attributes }) => [...attributes]),
      held: held.length,
      cells: treeSize(model.tree).cells,
      steps: trace.length - 1,
      chosen: toldOfFit(fit),
    },
  };

  /** Pairs that what is measured so far leaves open. */
  async function leftOpen(): Promise<readonly Pair[]> {
    if (candidates.length === 0) return [];
    const open = isClear
      ? (await explained(before, worthMeasuring, chosen)).held
      : (await signals(before)).filter(standsOutAtAll).map(({ attributes }) => attributes);
    const isOpen = new Set(open.map(cliqueKey));
    return candidates.filter(({ attributes }) => isOpen.has(cliqueKey(attributes)));
  }

  /** Pairs that the last model holds, besides those within what rounds chose. */
  async function heldOf(): Promise<readonly (readonly string[])[]> {
    if (candidates.length === 0) return [];
    if (isClear) return (await explained(measurements, isTelling, chosen)).held;
    const isCloser = new Set(closer.map(({ attributes }) => cliqueKey(attributes)));
    const telling = (await signals(measurements)).filter(
      (each) => isCloser.has(cliqueKey(each.attributes)) || standsOutAtAll(each),
    );
    const names = telling.map(({ attributes }) => attributes);
    return inTurns(heldPairs(domain, names, pairsRoom * bytes), { signal });
  }
};
