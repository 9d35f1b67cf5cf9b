import type { Running } from '../../domain/running.js';
import { eventYielder } from '../../domain/turns.js';
import type { Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Random } from '../../random/random.js';
import { cellRows, rowsEach } from './cell-rows.js';
import { chooseWidening } from './choose-widening.js';
import { type WidePrior, widePrior } from './wide-prior.js';
import { defaultDraws, drawnFirst, drawsBeside, recordsBehind, type Widening } from './widening.js';

/** What a public support is widened by. */
export interface WideningOptions {
  /** Nothing by default; `lambda` is found on the public rows unless it is given, and 0 keeps to them. */
  readonly widening?:
    | {
        readonly lambda?: number | undefined;
        /** Rows drawn at most; `defaultDraws` by default. */
        readonly draws?: number | undefined;
        /** Records that the support was counted from; as far as its weights tell by default. */
        readonly records?: number | undefined;
      }
    | undefined;
}

/** A prior that was widened, before any fit. */
export interface OpenedWidening {
  readonly wide: WidePrior;
  /** Rows that are left to be drawn after a first fit. */
  readonly later: number;
  /** What a release tells of it. */
  readonly notes: { readonly widening?: Widening & { readonly ownCells: number } };
}

/** Weight that the rows of a cell of its own have together, in public records. */
const ownWeight = 0.5;

/** Widens a public support as it is told, or as the public rows themselves suggest. */
export const openWidening = async (
  prior: Support,
  measurements: readonly Measurement[],
  options: WideningOptions & Running & { readonly random: Random; readonly total?: number | undefined },
): Promise<OpenedWidening> => {
  const { records = recordsBehind(prior), ...given } = options.widening ?? { lambda: 0 };
  const draws = drawsBeside(
    prior,
    measurements.map(({ query }) => query),
    given.draws ?? defaultDraws,
  );
  const lambda = draws > 0 ? given.lambda : 0;
  const cliqueCells = Math.min(mostPairCells, records);
  if (lambda === 0)
    return { wide: widePrior(prior, { lambda, rows: 0, cliqueCells, records }, options.random), later: 0, notes: {} };
  const { total, onProgress, signal } = options;
  const widening =
    lambda === undefined
      ? await chooseWidening(prior, measurements, { draws, records, total, onProgress, signal })
      : { lambda, rows: draws, cliqueCells, records };
  const yieldToEvents = eventYielder(signal);
  await yieldToEvents();
  const first = widePrior(prior, widening, options.random);
  await yieldToEvents();
  const rows = cellRows(first.support, measurements, options.random);
  return {
    wide: rows === undefined ? first : first.withRows(rows, ownWeight / records / rowsEach),
    later: Math.floor((1 - drawnFirst) * widening.rows),
    notes: { widening: { ...widening, ownCells: (rows?.length ?? 0) / rowsEach } },
  };
};
