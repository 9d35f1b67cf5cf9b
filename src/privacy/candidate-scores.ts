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
 * Most cells of large marginals are empty on both sides, and most others nearly so. Where a candidate names the answers that its
 * references are about, only those and the other answers that are not 0 are gone through, and of these only the ones that may
 * score high are scored at once; all the rest are a crowd, scored one by one if they are drawn.
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
  /**
   * Reads the exact answers: only after the selection is paid for. The scores stay in the room until its next use. With `reach`,
   * single answers of a candidate that names cells are left in a crowd if they score at most so much above an exact one.
   */
  read(exact: AnswerLists, reach?: number): Promise<Scores>;
}

/** What one selection leaves for the next, so that it need not be made again. */
export interface ScoreRoom {
  /** Memory for scores and the cells that have them: filling new arrays costs more than a selection. */
  scores: Float64Array;
  cells: Uint32Array;
  /** Checked copies of cells, by the arrays that were given. */
  readonly copies: WeakMap<Uint32Array, Uint32Array>;
}

export const scoreRoom = (): ScoreRoom => ({
  scores: new Float64Array(),
  cells: new Uint32Array(),
  copies: new WeakMap(),
});

/** Makes sure that there is room for so many scores, the first `used` of which are kept. */
const widen = (room: ScoreRoom, used: number, needed: number): void => {
  if (room.scores.length >= needed) return;
  const length = Math.max(needed, 2 * used);
  const [scores, cells] = [new Float64Array(length), new Uint32Array(length)];
  scores.set(room.scores.subarray(0, used));
  cells.set(room.cells.subarray(0, used));
  Object.assign(room, { scores, cells });
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

const scoreOf = (answer: number, reference: number, { factor, weight, offset }: Prepared): number =>
  weight * (Math.min(errorOf(answer, reference, factor), largestDistance) - offset);

/** Writes the score of every answer from `start` on, all of them up to `end`. */
const scoreAll = (
  { named, others, otherAnswers }: ListedAnswers,
  candidate: Prepared,
  scores: Float64Array,
  start: number,
  end: number,
): void => {
  const { reference, cells } = candidate;
  if (cells !== undefined) {
    scores.fill(scoreOf(0, 0, candidate), start, end);
    for (let i = 0; i < others.length; i++) scores[start + others[i]] = scoreOf(otherAnswers[i], 0, candidate);
  }
  for (let i = 0; i < named.length; i++)
    scores[start + (cells === undefined ? i : cells[i])] = scoreOf(named[i], reference[i], candidate);
};

/**
 * Writes the scores and cells of those named answers, and then of those others, that may be further than `limit` units from their
 * references, which lie between 0 and `limit` units for all the rest. Returns where the others start and where they end.
 */
const scoreHigh = (
  answers: ListedAnswers,
  candidate: Prepared,
  limit: number,
  { scores, cells }: ScoreRoom,
  start: number,
): [number, number] => {
  const { reference, factor } = candidate;
  const { named, others, otherAnswers } = answers;
  const records = limit / unitsPerRecord;
  const outside = answers.outside(records);
  let end = start;
  for (let i = 0; i < named.length; i++) {
    const units = reference[i] * factor;
    if (units >= 0 && units <= limit && outside[i] === 0) continue;
    scores[end] = scoreOf(named[i], reference[i], candidate);
    cells[end++] = candidate.cells![i];
  }
  const middle = end;
  for (let i = 0; i < others.length; i++) {
    const answer = otherAnswers[i];
    if (answer >= 0 && answer <= records) continue;
    scores[end] = scoreOf(answer, 0, candidate);
    cells[end++] = others[i];
  }
  return [middle, end];
};

/** The position of a number in an ascending list; -1 if it is not there. */
const placeOf = (list: Uint32Array, number: number): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] < number) low = middle + 1;
    else high = middle;
  }
  return list[low] === number ? low : -1;
};

/** The score of one cell of a candidate that names cells. */
const scoreOfCell = (cell: number, answers: ListedAnswers, candidate: Prepared): number => {
  const place = placeOf(candidate.cells!, cell);
  if (place >= 0) return scoreOf(answers.named[place], candidate.reference[place], candidate);
  const other = placeOf(answers.others, cell);
  return scoreOf(other < 0 ? 0 : answers.otherAnswers[other], 0, candidate);
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
    async read(exact, reach) {
      /** Where the single scores of each candidate start, and its crowd behind all of them. */
      const [firsts, behind] = [[0], [0]];
      const crowds: Crowd[] = [];
      /** The cell of a crowd's member, for each candidate, once all are in the room. */
      const memberCells: ((member: number) => number)[] = [];
      const scoreSome = (answers: ListedAnswers, index: number, within: number): number => {
        const candidate = prepared[index];
        const { weight, offset } = candidate;
        const first = firsts[index];
        const limit = weight === 0 ? largestDistance : Math.min(largestDistance, Math.floor(within / weight));
        const [middle, end] = scoreHigh(answers, candidate, limit, room, first);
        const cellOf = (member: number): number =>
          nthOutside(room.cells.subarray(first, middle), room.cells.subarray(middle, end), member);
        const times = starts[index + 1] - starts[index] - (end - first);
        const scoreOfMember = (member: number): number => scoreOfCell(cellOf(member), answers, candidate);
        if (times > 0) crowds.push({ most: weight * (limit - offset), times, scoreOf: scoreOfMember });
        memberCells[index] = cellOf;
        return end;
      };
      await exact.each(
        candidates.map(({ query }) => query),
        prepared.map(({ cells }) => cells),
        (answers, index) => {
          const { cells, weight, offset } = prepared[index];
          const first = firsts[index];
          const all = starts[index + 1] - starts[index];
          const some = scoring === 'cells' && cells !== undefined && reach !== undefined;
          let end = first + all;
          widen(room, first, some ? first + answers.named.length + answers.others.length : end);
          if (some) end = scoreSome(answers, index, reach);
          else if (scoring === 'cells') scoreAll(answers, prepared[index], room.scores, first, end);
          else room.scores[first] = weight * (distanceOf(answers, prepared[index], scoring) - offset);
          firsts.push(end);
          behind.push(behind[index] + all - (end - first));
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
          if (position >= singles) return starts[index] + memberCells[index](within);
          return starts[index] + (memberCells[index] === undefined ? within : room.cells[position]);
        },
      };
    },
  };
};
