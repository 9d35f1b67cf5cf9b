import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Marginal } from '../../query/marginal.js';
import { type MixtureRows, rowCells } from '../../query/mixture.js';
import type { OwnCandidate } from '../session/own-input.js';
import { answerLists } from './answer-lists.js';
import { candidateScores, scoreUnit } from './candidate-scores.js';
import type { ExactAnswers } from './exact-answers.js';
import { solveMixture } from './solve-mixture.js';

/*
 * Private statistics that are one number: a largest error, in whole units of 1/256 record, so that exact integer noise applies.
 * Each is a minimum or maximum of functions that one unit moves by at most `moves` records, and so moves by no more itself
 * (PMW-Pub, Lemma A.8).
 */
export const unitsPerRecord = 256;

/**
 * How far neighbours can differ in units, when a unit moves every answer by at most `moves` records: a largest error by no more, and a
 * best mixture error, as the solver gives it, by `solverSlack` more.
 */
export const errorSensitivity = (kind: 'largest' | 'best mixture', moves: number): number =>
  unitsPerRecord * Math.max(1, moves) + (kind === 'largest' ? 0 : solverSlack);

/** At least 1: a statistic that cannot move would need no noise, and there is no need to know. */
const mostOf = (moves: readonly number[]): number => moves.reduce((most, move) => Math.max(most, move), 1);

export interface ErrorStatistic {
  /** How far neighbours can differ, in units. */
  readonly sensitivity: number;
  /** The exact value in units, an integer: only after it is paid for. */
  read(exact: ExactAnswers): Promise<number>;
}

/** The largest |answer - reference| over all answers of all candidates: exact, so it moves by `moves` records and no more. */
export const largestErrorStatistic = (
  candidates: readonly OwnCandidate[],
  moves: readonly number[],
  domain: Domain,
): ErrorStatistic => {
  const plain = candidates.map(({ weight: _, offset: __, ...candidate }) => candidate);
  const { read } = candidateScores(plain, moves, 'largest', domain);
  return {
    sensitivity: errorSensitivity('largest', mostOf(moves)),
    read: async (exact) =>
      (await read(answerLists(exact, 0))).single.reduce((most, score) => Math.max(most, score), 0) / scoreUnit,
  };
};

/** What the linear programme may take: entries of its matrix, and cells. */
const mostEntries = 400_000;
const mostCells = 50_000;
/** How far the solver may stay above the best mixture, in units; it is checked by a bound that does not trust the solver. */
const tolerance = 1;
/** With the rounding to a unit. */
const solverSlack = tolerance + 1;

/**
 * The best mixture error. The value found lies between the true one and `tolerance` units above it, and is rounded to a unit: so
 * neighbours differ by `moves` records and two units at most.
 */
export const bestMixtureStatistic = (
  rows: MixtureRows,
  marginals: readonly Marginal[],
  total: number,
  moves: readonly number[],
): ErrorStatistic => {
  if (rows.length === 0 || marginals.length === 0)
    throw new InputError('best mixture: needs at least one row and one marginal, got none');
  if (!(total > 0 && total < 2 ** 40)) throw new InputError(`best mixture: total must be positive, got ${total}`);
  const entries = rows.length * marginals.length;
  if (entries > mostEntries)
    throw new InputError(
      `best mixture: exact for at most ${mostEntries} rows x marginals, got ${rows.length} x ${marginals.length}; give fewer, or bound it by the error of a mixture found in rounds`,
    );
  const cells = rowCells(rows, marginals);
  if (cells.count > mostCells)
    throw new InputError(
      `best mixture: exact for at most ${mostCells} cells, got ${cells.count}; use coarser marginals`,
    );
  return {
    sensitivity: errorSensitivity('best mixture', mostOf(moves)),
    async read(exact) {
      const answers = new Float64Array(cells.count);
      let start = 0;
      await exact.each(marginals, (counts) => {
        for (let cell = 0; cell < counts.length; cell++) answers[start + cell] = Math.min(counts[cell], 2 ** 40);
        start += counts.length;
      });
      const { error, gap } = await solveMixture(cells, answers, total);
      if (!(gap * unitsPerRecord <= tolerance))
        throw new Error('best mixture: the solver stopped short of the precision that the noise allows for');
      return Math.round(error * unitsPerRecord);
    },
  };
};
