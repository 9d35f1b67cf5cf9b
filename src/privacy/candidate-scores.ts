import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { answerSize } from '../query/answer.js';
import type { ExactAnswers } from './exact-answers.js';
import type { Candidate } from './session.js';

/*
 * Scores for selection, exact in doubles used as integers. A floating-point score would differ between neighbours by its
 * sensitivity plus rounding; here there is no rounding. References and offsets are public, so they are first put on a grid of
 * 1/256 record, and weights on integers up to 1,024; then every |256 answer - reference| is an integer, answers are capped at 2^35
 * (which moves no two answers further apart), a sum of such integers is exact below 2^53 and capped at 2^42, and the weighted
 * score, with its offset, is at most 2^53 in size.
 */
const unitsPerRecord = 256;
const largestWeight = 1024;
/** Score of one unit of the grid for a candidate of the largest weight. */
export const scoreUnit = largestWeight;
const largestAnswer = 2 ** 35;
const largestDistance = 2 ** 42;

/** What gets one score: a candidate, by the sum or the largest of its errors, or each single answer of a candidate. */
export type Scoring = 'l1' | 'largest' | 'cells';

export interface CandidateScores {
  /** How far one unit can move a score; both are integers. */
  readonly sensitivity: number;
  /** Position of each candidate's first score; one more entry holds the number of scores. */
  readonly starts: readonly number[];
  /** Reads the exact answers: only after the selection is paid for. Writes all scores into `scores`, a new array by default. */
  read(exact: ExactAnswers, scores?: Float64Array): Promise<Float64Array>;
}

/** The public side of a candidate: references times `factor`, rounded, are on the grid. */
interface Prepared {
  readonly reference: Float64Array;
  /** The answers that the references are about; undefined when they are about all. */
  readonly cells: Uint32Array | undefined;
  readonly factor: number;
  readonly weight: number;
  readonly offset: number;
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

const finite = (value: number, what: string): number => {
  if (!Number.isFinite(value)) throw new InputError(`candidates: ${what} must be finite, got ${value}`);
  return value;
};

/** The references as doubles, not copied where they are already; all finite, also in units of the grid. */
const checked = (reference: ArrayLike<number>, factor: number): Float64Array => {
  const values = reference instanceof Float64Array ? reference : Float64Array.from(reference);
  // A product with 0 is 0, or NaN when the other factor is not finite: one sum finds any such value.
  let zero = 0;
  for (let cell = 0; cell < values.length; cell++) zero += values[cell] * factor * 0;
  if (Number.isNaN(zero)) for (const value of values) finite(value * factor, 'a reference answer');
  return values;
};

const checkCells = (cells: Uint32Array, answers: number, index: number): void => {
  for (let i = 0; i < cells.length; i++)
    if (cells[i] >= answers || (i > 0 && cells[i] <= cells[i - 1]))
      throw new InputError(`candidates: cells of number ${index} must ascend and be below ${answers}, got others`);
};

const prepare = (candidates: readonly Candidate[], domain: Domain): Prepared[] => {
  if (candidates.length === 0) throw new InputError('candidates: must be at least one, got none');
  let heaviest = 0;
  for (const { weight = 1 } of candidates) {
    if (finite(weight, 'a weight') < 0) throw new InputError(`candidates: a weight must be 0 or more, got ${weight}`);
    heaviest = Math.max(heaviest, weight);
  }
  return candidates.map(({ query, reference, cells, scale = 1, weight = 1, offset = 0 }, index) => {
    const answers = answerSize(query, domain);
    if (cells !== undefined) checkCells(cells, answers, index);
    if (reference.length !== (cells?.length ?? answers))
      throw new InputError(
        `candidates: number ${index} has ${cells?.length ?? answers} answers, got ${reference.length} references`,
      );
    const factor = finite(scale, 'a scale') * unitsPerRecord;
    return {
      reference: checked(reference, factor),
      cells,
      factor,
      weight: heaviest === 0 ? 0 : Math.round((weight / heaviest) * largestWeight),
      offset: clamp(Math.round(finite(offset, 'an offset') * unitsPerRecord), largestDistance),
    };
  });
};

/**
 * Distance of an answer in records from a reference, in units of the grid, rounded half up. Compares instead of calling
 * Math.min and Math.round: this runs tens of millions of times a round.
 */
const errorOf = (answer: number, reference: number, factor: number): number => {
  let units = Math.floor(reference * factor + 0.5);
  if (units > largestAnswer * unitsPerRecord) units = largestAnswer * unitsPerRecord;
  else if (units < -largestAnswer * unitsPerRecord) units = -largestAnswer * unitsPerRecord;
  let exact = answer * unitsPerRecord;
  if (exact > largestAnswer * unitsPerRecord) exact = largestAnswer * unitsPerRecord;
  return Math.abs(exact - units);
};

const distanceOf = (answers: Float64Array, candidate: Prepared, scoring: Scoring): number => {
  const { reference, cells, factor } = candidate;
  let distance = 0;
  for (let cell = 0, next = 0; cell < answers.length; cell++) {
    const named = cells === undefined || cells[next] === cell;
    const error = errorOf(answers[cell], named ? reference[next++] : 0, factor);
    distance = scoring === 'l1' ? distance + error : Math.max(distance, error);
  }
  return Math.min(distance, largestDistance);
};

/** Writes weight (error - offset) of every answer from `start` on. */
const scoreCells = (answers: Float64Array, candidate: Prepared, scores: Float64Array, start: number): void => {
  const { reference, cells, factor, weight, offset } = candidate;
  if (cells !== undefined) {
    // Most cells of large marginals are empty on both sides: their pass is kept plain.
    for (let cell = 0; cell < answers.length; cell++) {
      let error = Math.abs(answers[cell] * unitsPerRecord);
      if (error > largestDistance) error = largestDistance;
      scores[start + cell] = weight * (error - offset);
    }
  }
  for (let i = 0; i < reference.length; i++) {
    const cell = cells === undefined ? i : cells[i];
    let error = errorOf(answers[cell], reference[i], factor);
    if (error > largestDistance) error = largestDistance;
    scores[start + cell] = weight * (error - offset);
  }
};

/**
 * Scores of the candidates: weight (distance - offset). `moves[i]` is how far one unit can move the distance of candidate i
 * (or, for single answers, any of its answers), in records.
 */
export const candidateScores = (
  candidates: readonly Candidate[],
  moves: readonly number[],
  scoring: Scoring,
  domain: Domain,
): CandidateScores => {
  const prepared = prepare(candidates, domain);
  const sensitivity = prepared.reduce((most, { weight }, i) => Math.max(most, weight * unitsPerRecord * moves[i]), 1);
  if (!Number.isSafeInteger(sensitivity))
    throw new InputError('candidates: a query has too large a sensitivity to be scored; use coarser queries');
  const starts = [0];
  for (const { query } of candidates)
    starts.push(starts[starts.length - 1] + (scoring === 'cells' ? answerSize(query, domain) : 1));
  return {
    sensitivity,
    starts,
    async read(exact, scores = new Float64Array(starts[candidates.length])) {
      await exact.each(
        candidates.map(({ query }) => query),
        (answers, index) => {
          const { weight, offset } = prepared[index];
          if (scoring === 'cells') scoreCells(answers, prepared[index], scores, starts[index]);
          else scores[index] = weight * (distanceOf(answers, prepared[index], scoring) - offset);
        },
      );
      return scores;
    },
  };
};
