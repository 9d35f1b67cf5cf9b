import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { placeOf } from '../../domain/place-of.js';
import { answerSize } from '../../query/answer.js';
import type { Scores } from '../primitives.js';
import type { Unscored } from '../selection/score-grid.js';
import type { OwnCandidate } from '../session/own-input.js';
import type { AnswerLists, ListedAnswers } from './answer-lists.js';
import { namedCells } from './named-cells.js';

/*
 * Scores for selection, exact in doubles used as integers. A floating-point score would differ between neighbours by its
 * sensitivity plus rounding; here there is no rounding. References and offsets are public, so they are first put on a grid of
 * 1/256 record, and weights on integers up to 1,024; then every |256 answer - reference| is an integer, answers are capped at 2^35
 * in size (which moves no two answers further apart), a sum of such integers is exact below 2^53 and capped at 2^42, and the weighted
 * score, with its offset, is at most 2^53 in size.
 *
 * Most cells of large marginals are empty on both sides, and most others nearly so. Where a candidate names the answers that its
 * references are about, only those and the other answers that are not 0 are gone through, and of these only the ones that may
 * score high are scored at once; all the rest stay unscored, as one group with a bound, and a cell of it is scored only if it is drawn.
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
  /** Reads the exact answers: only after the selection is paid for. The scores stay in the scratch until its next use. */
  read(exact: AnswerLists): Promise<Scores>;
}

/**
 * Memory of one selection at a time, from the scoring of its candidates until one is chosen. It may be left to the next: filling
 * new arrays costs more than a selection.
 */
export interface ScoreScratch {
  /** References in units of the grid, candidate by candidate. */
  units: Float64Array;
  /** Positions among a candidate's references of those that are not low, and these references once more. */
  high: Uint32Array;
  highUnits: Float64Array;
  /** Single scores, and the cells that have them. */
  scores: Float64Array;
  cells: Uint32Array;
}

export const scoreScratch = (): ScoreScratch => ({
  units: new Float64Array(),
  high: new Uint32Array(),
  highUnits: new Float64Array(),
  scores: new Float64Array(),
  cells: new Uint32Array(),
});

export interface ScoringOptions {
  readonly scratch?: ScoreScratch | undefined;
  /**
   * The privacy loss of the selection, where it takes unscored groups: single answers whose weights are within a factor of e^2 of an
   * exact one's are left in one.
   */
  readonly epsilon?: number | undefined;
}

/** Makes sure that there is space for so many scores, the first `used` of which are kept. */
const widen = (scratch: ScoreScratch, used: number, needed: number): void => {
  if (scratch.scores.length >= needed) return;
  const length = Math.max(needed, 2 * used);
  const [scores, cells] = [new Float64Array(length), new Uint32Array(length)];
  scores.set(scratch.scores.subarray(0, used));
  cells.set(scratch.cells.subarray(0, used));
  Object.assign(scratch, { scores, cells });
};

/** The public side of a candidate. Its references are on the grid, in the scratch from `start` on. */
interface Prepared {
  readonly start: number;
  /** The answers that the references are about; undefined when they are about all. */
  readonly cells: Uint32Array | undefined;
  readonly weight: number;
  readonly offset: number;
  /** Other public answers on the grid, whose distance is taken off. */
  readonly rival: Float64Array | undefined;
  /** References from 0 to `limit` are low; the others are listed in the scratch from `high[0]` to `high[1]`. Unused where all are scored. */
  readonly limit: number;
  readonly high: readonly [number, number];
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

const finite = (value: number, what: string): number => {
  if (!Number.isFinite(value)) throw new InputError(`candidates: ${what} must be finite, got ${value}`);
  return value;
};

/** Weights as integers, the largest being 1,024. */
const wholeWeights = (candidates: readonly OwnCandidate[]): number[] => {
  let heaviest = 0;
  for (const { weight = 1 } of candidates) {
    if (finite(weight, 'a weight') < 0) throw new InputError(`candidates: a weight must be 0 or more, got ${weight}`);
    heaviest = Math.max(heaviest, weight);
  }
  return candidates.map(({ weight = 1 }) => (heaviest === 0 ? 0 : Math.round((weight / heaviest) * largestWeight)));
};

/**
 * Writes references times `factor`, rounded half up and capped, from `start` on, and those that are not between 0 and `limit`, with
 * their positions, once more from `next` on unless that is undefined, returning where these end.
 */
const putOnGrid = (
  values: Float64Array,
  factor: number,
  limit: number,
  { units, high, highUnits }: ScoreScratch,
  start: number,
  next: number | undefined,
): number => {
  let end = next ?? 0;
  for (let i = 0; i < values.length; i++) {
    const scaled = values[i] * factor;
    let unit = Math.floor(scaled + 0.5);
    // Nearly all are low, and so finite and within the cap.
    if (!(unit >= 0 && unit <= limit)) {
      finite(scaled, 'a reference answer');
      unit = clamp(unit, largestAnswer * unitsPerRecord);
      if (next !== undefined) {
        high[end] = i;
        highUnits[end++] = unit;
      }
    }
    units[start + i] = unit;
  }
  return end;
};

/** The rival answers of a candidate on the grid, once it is known that they are as many as its answers. */
const rivalUnits = (
  { rival, cells, scale = 1 }: OwnCandidate,
  index: number,
  size: number,
  scoring: Scoring,
): Float64Array | undefined => {
  if (rival === undefined) return undefined;
  if (scoring !== 'l1' || cells !== undefined)
    throw new InputError(
      `candidates: number ${index} has a rival, which needs the distance l1 and references for all answers, got ${cells === undefined ? scoring : 'named cells'}`,
    );
  if (rival.length !== size)
    throw new InputError(`candidates: number ${index} has ${size} answers, got ${rival.length} of its rival`);
  const factor = finite(scale, 'a scale') * unitsPerRecord;
  return rival.map((value) =>
    clamp(Math.floor(finite(value * factor, 'a rival answer') + 0.5), largestAnswer * unitsPerRecord),
  );
};

const prepare = (
  candidates: readonly OwnCandidate[],
  sizes: readonly number[],
  weights: readonly number[],
  scratch: ScoreScratch,
  reach: number | undefined,
  scoring: Scoring,
): Prepared[] => {
  /** Whether low answers of a candidate are left unscored. */
  const leavesSome = ({ cells }: OwnCandidate): boolean => cells !== undefined && reach !== undefined;
  const lengthOf = (some: readonly OwnCandidate[]): number =>
    some.reduce((sum, { reference }) => sum + reference.length, 0);
  const [all, listed] = [lengthOf(candidates), lengthOf(candidates.filter(leavesSome))];
  if (scratch.units.length < all) scratch.units = new Float64Array(all);
  if (scratch.high.length < listed) {
    scratch.high = new Uint32Array(listed);
    scratch.highUnits = new Float64Array(listed);
  }
  let [start, next] = [0, 0];
  return candidates.map((candidate, index): Prepared => {
    const { reference, cells: named, scale = 1, offset = 0 } = candidate;
    const cells = named === undefined ? undefined : namedCells(named);
    if (cells !== undefined && cells.length > 0 && cells[cells.length - 1] >= sizes[index])
      throw new InputError(`candidates: cells of number ${index} must be below ${sizes[index]}, got others`);
    const { length } = reference;
    if (length !== (cells?.length ?? sizes[index]))
      throw new InputError(
        `candidates: number ${index} has ${cells?.length ?? sizes[index]} answers, got ${length} references`,
      );
    const rival = rivalUnits(candidate, index, sizes[index], scoring);
    const factor = finite(scale, 'a scale') * unitsPerRecord;
    const weight = weights[index];
    const limit = Math.min(largestDistance, Math.floor((reach ?? Infinity) / weight));
    const [first, from] = [start, next];
    if (leavesSome(candidate)) next = putOnGrid(reference, factor, limit, scratch, first, from);
    else putOnGrid(reference, factor, limit, scratch, first, undefined);
    start += length;
    const clamped = clamp(Math.round(finite(offset, 'an offset') * unitsPerRecord), largestDistance);
    return { start: first, cells, weight, offset: clamped, rival, limit, high: [from, next] };
  });
};

/** Distance of an answer in records from a reference on the grid, in units. */
const errorOf = (answer: number, unit: number): number => {
  let exact = answer * unitsPerRecord;
  if (exact > largestAnswer * unitsPerRecord) exact = largestAnswer * unitsPerRecord;
  else if (exact < -largestAnswer * unitsPerRecord) exact = -largestAnswer * unitsPerRecord;
  return Math.abs(exact - unit);
};

const distanceOf = (answers: ListedAnswers, { start }: Prepared, units: Float64Array, scoring: Scoring): number => {
  const { named, otherAnswers } = answers;
  let distance = 0;
  const add = (error: number): void => {
    distance = scoring === 'l1' ? distance + error : Math.max(distance, error);
  };
  for (let i = 0; i < named.length; i++) add(errorOf(named[i], units[start + i]));
  for (let i = 0; i < otherAnswers.length; i++) add(errorOf(otherAnswers[i], 0));
  return Math.min(distance, largestDistance);
};

/** How much nearer than the reference the rival is, or how far the reference is where there is none. */
const gainOf = (answers: ListedAnswers, candidate: Prepared, units: Float64Array, scoring: Scoring): number => {
  const distance = distanceOf(answers, candidate, units, scoring);
  const { rival } = candidate;
  return rival === undefined ? distance : distance - distanceOf(answers, { ...candidate, start: 0 }, rival, scoring);
};

const scoreOf = (answer: number, unit: number, { weight, offset }: Prepared): number =>
  weight * (Math.min(errorOf(answer, unit), largestDistance) - offset);

/** Writes the score of every answer from `first` on, all of them up to `end`. */
const scoreAll = (
  { named, others, otherAnswers }: ListedAnswers,
  candidate: Prepared,
  { units, scores }: ScoreScratch,
  first: number,
  end: number,
): void => {
  const { start, cells } = candidate;
  if (cells !== undefined) {
    scores.fill(scoreOf(0, 0, candidate), first, end);
    for (let i = 0; i < others.length; i++) scores[first + others[i]] = scoreOf(otherAnswers[i], 0, candidate);
  }
  for (let i = 0; i < named.length; i++)
    scores[first + (cells === undefined ? i : cells[i])] = scoreOf(named[i], units[start + i], candidate);
};

/**
 * Writes the scores and cells of those named answers, and then of those others, that may be further than the limit from their
 * references: of all the rest, answer and reference are both between 0 and the limit. Returns where the others start and end.
 */
const scoreHigh = (
  answers: ListedAnswers,
  candidate: Prepared,
  { units, high, highUnits, scores, cells }: ScoreScratch,
  first: number,
): [number, number] => {
  const { start, limit } = candidate;
  const { named } = answers;
  const outside = answers.outside(limit / unitsPerRecord);
  const names = candidate.cells!;
  let end = first;
  // Both lists ascend and mostly agree; what they hold lies close together in memory, unlike the answers and references.
  let [i, j] = [candidate.high[0], 0];
  const [lastReference, lastAnswer] = [candidate.high[1], outside.named.length];
  while (i < lastReference || j < lastAnswer) {
    const byReference = i < lastReference ? high[i] : named.length;
    const byAnswer = j < lastAnswer ? outside.named[j] : named.length;
    if (byReference < byAnswer) {
      scores[end] = scoreOf(named[byReference], highUnits[i++], candidate);
      cells[end++] = names[byReference];
    } else {
      const unit = byReference === byAnswer ? highUnits[i++] : units[start + byAnswer];
      scores[end] = scoreOf(outside.namedAnswers[j], unit, candidate);
      cells[end++] = outside.cells[j++];
    }
  }
  const middle = end;
  for (let k = 0; k < outside.others.length; k++) {
    scores[end] = scoreOf(outside.otherAnswers[k], 0, candidate);
    cells[end++] = outside.others[k];
  }
  return [middle, end];
};

/** The score of one cell of a candidate that names cells. */
const scoreOfCell = (cell: number, answers: ListedAnswers, candidate: Prepared, { units }: ScoreScratch): number => {
  const place = placeOf(candidate.cells!, cell);
  if (place >= 0) return scoreOf(answers.named[place], units[candidate.start + place], candidate);
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
 * Scores of the candidates: weight (distance - offset), or weight (distance - distance of the rival - offset). `moves[i]` is how far one
 * unit can move a distance of candidate i (or, for single answers, any of its answers), in records; a difference of two moves twice as far.
 */
export const candidateScores = (
  candidates: readonly OwnCandidate[],
  moves: readonly number[],
  scoring: Scoring,
  domain: Domain,
  { scratch = scoreScratch(), epsilon }: ScoringOptions = {},
): CandidateScores => {
  if (candidates.length === 0) throw new InputError('candidates: must be at least one, got none');
  const weights = wholeWeights(candidates);
  const sensitivity = weights.reduce(
    (most, weight, i) =>
      Math.max(most, weight * unitsPerRecord * moves[i] * (candidates[i].rival === undefined ? 1 : 2)),
    1,
  );
  if (!Number.isSafeInteger(sensitivity))
    throw new InputError('candidates: a query has too large a sensitivity to be scored; use coarser queries');
  const sizes = candidates.map(({ query }) => answerSize(query, domain));
  const leavesSome = scoring === 'cells' && epsilon !== undefined;
  const prepared = prepare(
    candidates,
    sizes,
    weights,
    scratch,
    leavesSome ? (4 * sensitivity) / epsilon : undefined,
    scoring,
  );
  const starts = [0];
  for (const size of sizes) starts.push(starts[starts.length - 1] + (scoring === 'cells' ? size : 1));
  return {
    sensitivity,
    starts,
    async read(exact) {
      /** Where the single scores of each candidate start, and its unscored cells behind all of them. */
      const [firsts, behind] = [[0], [0]];
      const unscored: Unscored[] = [];
      /** The n-th unscored cell of each candidate that has some, once all are in the scratch. */
      const unscoredCells: ((member: number) => number)[] = [];
      const scoreSome = (answers: ListedAnswers, index: number): number => {
        const candidate = prepared[index];
        const first = firsts[index];
        const [middle, end] = scoreHigh(answers, candidate, scratch, first);
        const cellOf = (member: number): number =>
          nthOutside(scratch.cells.subarray(first, middle), scratch.cells.subarray(middle, end), member);
        const times = starts[index + 1] - starts[index] - (end - first);
        const most = candidate.weight * (candidate.limit - candidate.offset);
        const scoreOfMember = (member: number) => scoreOfCell(cellOf(member), answers, candidate, scratch);
        if (times > 0) unscored.push({ most, times, scoreOf: scoreOfMember });
        unscoredCells[index] = cellOf;
        return end;
      };
      await exact.each(
        candidates.map(({ query }) => query),
        prepared.map(({ cells }) => cells),
        (answers, index) => {
          const { cells, weight, offset } = prepared[index];
          const first = firsts[index];
          const all = starts[index + 1] - starts[index];
          const some = leavesSome && cells !== undefined;
          let end = first + all;
          widen(scratch, first, some ? first + answers.named.length + answers.others.length : end);
          if (some) end = scoreSome(answers, index);
          else if (scoring === 'cells') scoreAll(answers, prepared[index], scratch, first, end);
          else scratch.scores[first] = weight * (gainOf(answers, prepared[index], scratch.units, scoring) - offset);
          firsts.push(end);
          behind.push(behind[index] + all - (end - first));
        },
      );
      const singles = firsts[candidates.length];
      return {
        single: scratch.scores.subarray(0, singles),
        unscored,
        numberAt(position) {
          const bounds = position < singles ? firsts : behind;
          let within = position < singles ? position : position - singles;
          let index = 0;
          while (bounds[index + 1] <= within) index++;
          within -= bounds[index];
          if (position >= singles) return starts[index] + unscoredCells[index](within);
          return starts[index] + (unscoredCells[index] === undefined ? within : scratch.cells[position]);
        },
      };
    },
  };
};
