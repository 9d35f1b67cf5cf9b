import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { answerSize } from '../query/answer.js';
import type { AnswerLists, ListedAnswers } from './answer-lists.js';
import type { Scores } from './primitives.js';
import type { Crowd } from './selection/score-grid.js';
import type { Candidate } from './session.js';

/*
 * Scores for selection, exact in doubles used as integers. A floating-point score would differ between neighbours by its
 * sensitivity plus rounding; here there is no rounding. References and offsets are public, so they are first put on a grid of
 * 1/256 record, and weights on integers up to 1,024; then every |256 answer - reference| is an integer, answers are capped at 2^35
 * (which moves no two answers further apart), a sum of such integers is exact below 2^53 and capped at 2^42, and the weighted
 * score, with its offset, is at most 2^53 in size.
 *
 * Most cells of large marginals are empty on both sides. Where a candidate names the answers that its references are about, only
 * those and the other answers that are not 0 are gone through; all the rest score alike and are one crowd.
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
  /** Number of the first score of each candidate; one more entry holds how many there are. Public. */
  readonly starts: readonly number[];
  /** Reads the exact answers: only after the selection is paid for. The scores stay in the room until its next use. */
  read(exact: AnswerLists): Promise<Scores>;
}

/** What one selection leaves for the next, so that it need not be made again. */
export interface ScoreRoom {
  /** Memory: filling a new array costs more than a selection. */
  scores: Float64Array;
  /** Checked copies of cells, by the arrays that were given. */
  readonly copies: WeakMap<Uint32Array, Uint32Array>;
}

export const scoreRoom = (): ScoreRoom => ({ scores: new Float64Array(), copies: new WeakMap() });

/** Makes sure that there is room for so many scores, the first `used` of which are kept. */
const widen = (room: ScoreRoom, used: number, needed: number): void => {
  if (room.scores.length >= needed) return;
  const wider = new Float64Array(Math.max(needed, 2 * used));
  wider.set(room.scores.subarray(0, used));
  room.scores = wider;
};

const sameList = (a: Uint32Array, b: Uint32Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

const ascends = (cells: Uint32Array): boolean => {
  for (let i = 1; i < cells.length; i++) if (cells[i] <= cells[i - 1]) return false;
  return true;
};

/**
 * A copy of a candidate's cells that nobody else can change: it matters to privacy that no cell is there twice. The same copy
 * while the given array stays the same.
 */
const ownCells = (given: Uint32Array, answers: number, index: number, { copies }: ScoreRoom): Uint32Array => {
  let own = copies.get(given);
  if (own === undefined || !sameList(own, given)) {
    own = given.slice();
    copies.set(given, own);
  } else if (own.length === 0 || own[own.length - 1] < answers) return own;
  if (!ascends(own) || own[own.length - 1] >= answers) {
    copies.delete(given);
    throw new InputError(`candidates: cells of number ${index} must ascend and be below ${answers}, got others`);
  }
  return own;
};

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

const prepare = (candidates: readonly Candidate[], domain: Domain, room: ScoreRoom): Prepared[] => {
  if (candidates.length === 0) throw new InputError('candidates: must be at least one, got none');
  let heaviest = 0;
  for (const { weight = 1 } of candidates) {
    if (finite(weight, 'a weight') < 0) throw new InputError(`candidates: a weight must be 0 or more, got ${weight}`);
    heaviest = Math.max(heaviest, weight);
  }
  return candidates.map(({ query, reference, cells: given, scale = 1, weight = 1, offset = 0 }, index) => {
    const answers = answerSize(query, domain);
    const cells = given === undefined ? undefined : ownCells(given, answers, index, room);
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

const distanceOf = (answers: ListedAnswers, candidate: Prepared, scoring: Scoring): number => {
  const { reference, factor } = candidate;
  const { named, otherAnswers } = answers;
  let distance = 0;
  const add = (error: number): void => {
    distance = scoring === 'l1' ? distance + error : Math.max(distance, error);
  };
  for (let i = 0; i < named.length; i++) add(errorOf(named[i], reference[i], factor));
  for (let i = 0; i < otherAnswers.length; i++) add(errorOf(otherAnswers[i], 0, factor));
  return Math.min(distance, largestDistance);
};

/** Writes weight (error - offset) of the named answers from `start` on, then of the others that are not 0. */
const scoreCells = (answers: ListedAnswers, candidate: Prepared, scores: Float64Array, start: number): void => {
  const { reference, factor, weight, offset } = candidate;
  const { named, otherAnswers } = answers;
  for (let i = 0; i < named.length; i++) {
    let error = errorOf(named[i], reference[i], factor);
    if (error > largestDistance) error = largestDistance;
    scores[start + i] = weight * (error - offset);
  }
  for (let i = 0; i < otherAnswers.length; i++) {
    let error = errorOf(otherAnswers[i], 0, factor);
    if (error > largestDistance) error = largestDistance;
    scores[start + named.length + i] = weight * (error - offset);
  }
};

/** The n-th number (both from 0) that is in neither of two ascending lists, which have none in common. */
const nthOutside = (a: Uint32Array, b: Uint32Array, n: number): number => {
  let number = n;
  for (let i = 0, j = 0; i < a.length || j < b.length; number++) {
    const next = i < a.length && !(j < b.length && b[j] < a[i]) ? a[i++] : b[j++];
    if (next > number) break;
  }
  return number;
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
  room: ScoreRoom = scoreRoom(),
): CandidateScores => {
  const prepared = prepare(candidates, domain, room);
  const sensitivity = prepared.reduce((most, { weight }, i) => Math.max(most, weight * unitsPerRecord * moves[i]), 1);
  if (!Number.isSafeInteger(sensitivity))
    throw new InputError('candidates: a query has too large a sensitivity to be scored; use coarser queries');
  const starts = [0];
  for (const { query } of candidates)
    starts.push(starts[starts.length - 1] + (scoring === 'cells' ? answerSize(query, domain) : 1));
  return {
    sensitivity,
    starts,
    async read(exact) {
      const others: Uint32Array[] = [];
      /** Where the single scores of each candidate start, and its crowd's position behind all of them. */
      const [firsts, behind] = [[0], [0]];
      const crowds: Crowd[] = [];
      await exact.each(
        candidates.map(({ query }) => query),
        prepared.map(({ cells }) => cells),
        (answers, index) => {
          const { weight, offset } = prepared[index];
          const first = firsts[index];
          const single = scoring === 'cells' ? answers.named.length + answers.others.length : 1;
          widen(room, first, first + single);
          if (scoring === 'cells') scoreCells(answers, prepared[index], room.scores, first);
          else room.scores[first] = weight * (distanceOf(answers, prepared[index], scoring) - offset);
          // The rest have no reference and no record.
          const times = starts[index + 1] - starts[index] - single;
          if (times > 0) crowds.push({ score: weight * (0 - offset), times });
          firsts.push(first + single);
          behind.push(behind[index] + times);
          others.push(answers.others);
        },
      );
      const singles = firsts[candidates.length];
      return {
        single: room.scores.subarray(0, singles),
        crowds,
        numberAt(position) {
          const bounds = position < singles ? firsts : behind;
          let within = position < singles ? position : position - singles;
          let index = 0;
          while (bounds[index + 1] <= within) index++;
          within -= bounds[index];
          const { cells } = prepared[index];
          if (scoring !== 'cells' || cells === undefined) return starts[index] + within;
          if (position >= singles) return starts[index] + nthOutside(cells, others[index], within);
          return starts[index] + (within < cells.length ? cells[within] : others[index][within - cells.length]);
        },
      };
    },
  };
};
