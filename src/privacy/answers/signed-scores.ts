import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { answerSize } from '../../query/answer.js';
import type { OwnDrawn } from '../session/own-input.js';
import type { ExactAnswers } from './exact-answers.js';

/*
 * Scores sign x (answer - reference) of single answers, exact in doubles used as integers, as `candidate-scores` has distances.
 * References are public: they are put on a grid of 2^-16 record before anything private is read. Answers and references are capped
 * at 2^35 records, which moves no two answers further apart, so that a score is an integer of at most 2^52.
 */
const unitsPerRecord = 2 ** 16;
const largest = 2 ** 35;

/** Bytes for each answer: its reference, two scores, and where these stand among their layers. */
const bytesPerAnswer = 8 + 2 * 8 + 2 * 4;

export interface SignedScores {
  /** How far one unit can move a score, an integer. */
  readonly sensitivity: number;
  /** Number of the first answer of each candidate; one more entry holds how many there are. Public. */
  readonly starts: readonly number[];
  /** Reads the exact answers: only after the draws are paid for. Answer i scores at 2 i for the sign 1, and behind it for -1. */
  read(exact: ExactAnswers): Promise<Float64Array>;
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

/** How far one unit can move a score where it moves an answer by at most `move` records. */
export const signedSensitivity = (moves: readonly number[]): number => {
  if (moves.length === 0) throw new InputError('candidates: must be at least one, got none');
  const sensitivity = unitsPerRecord * Math.max(...moves);
  if (!Number.isSafeInteger(sensitivity))
    throw new InputError('candidates: a query has too large a sensitivity to be scored; use coarser queries');
  return Math.max(1, sensitivity);
};

/** Log-odds of one record more in a draw with this epsilon: scores are divided by twice the sensitivity and one step of their grid. */
export const logOddsPerRecord = (epsilon: number, sensitivity: number): number =>
  (epsilon * unitsPerRecord) / (2 * (sensitivity + 1));

/** The references of a candidate in units of the grid, from `start` on. */
const putOnGrid = ({ reference, scale = 1 }: OwnDrawn, units: Float64Array, start: number): void => {
  if (!Number.isFinite(scale)) throw new InputError(`candidates: a scale must be finite, got ${scale}`);
  const factor = scale * unitsPerRecord;
  for (let i = 0; i < reference.length; i++) {
    const unit = Math.round(reference[i] * factor);
    if (!Number.isFinite(unit))
      throw new InputError(`candidates: a reference answer must be finite, got ${reference[i]}`);
    units[start + i] = clamp(unit, largest * unitsPerRecord);
  }
};

/** Scores of all answers of the candidates; `moves[i]` is how far one unit can move any answer of candidate i, in records. */
export const signedScores = (
  candidates: readonly OwnDrawn[],
  moves: readonly number[],
  domain: Domain,
  memory: number,
): SignedScores => {
  const sensitivity = signedSensitivity(moves);
  const starts = [0];
  for (const [i, { query, reference }] of candidates.entries()) {
    const size = answerSize(query, domain);
    if (reference.length !== size)
      throw new InputError(`candidates: number ${i} has ${size} answers, got ${reference.length} references`);
    starts.push(starts[i] + size);
  }
  const answers = starts[candidates.length];
  if (answers * bytesPerAnswer > memory)
    throw new InputError(
      `candidates: must have at most ${Math.floor(memory / bytesPerAnswer)} answers together to be drawn from, got ${answers}; use fewer or coarser queries, or raise the session's memory`,
    );
  const units = new Float64Array(answers);
  for (const [i, candidate] of candidates.entries()) putOnGrid(candidate, units, starts[i]);
  const queries = candidates.map(({ query }) => query);
  return {
    sensitivity,
    starts,
    async read(exact) {
      const scores = new Float64Array(2 * answers);
      await exact.each(queries, (values, index) => {
        const start = starts[index];
        for (let i = 0; i < values.length; i++) {
          const score = clamp(values[i], largest) * unitsPerRecord - units[start + i];
          scores[2 * (start + i)] = score;
          scores[2 * (start + i) + 1] = -score;
        }
      });
      return scores;
    },
  };
};
