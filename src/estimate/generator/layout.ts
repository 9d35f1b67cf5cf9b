import { InputError } from '../../domain/input-error.js';
import { bytesText } from '../../domain/limits.js';
import type { Arena } from '../../kernel/arena.js';
import { gemmScratch } from '../../kernel/kernels.js';
import { type AnswerTask, taskCells, taskRoom } from './answer-task.js';
import { headColumns, innerColumns, type NetworkShape, parameterCount } from './network-shape.js';

/** What a generator is to hold. */
export interface GeneratorNeeds {
  readonly shape: NetworkShape;
  /** Noise vectors B. */
  readonly batch: number;
  /** Everything that it is to answer. */
  readonly tasks: readonly AnswerTask[];
  /** Cells of the tasks of one step together, at most. */
  readonly trainCells: number;
}

/**
 * The batch is always worked on in so many pieces, whose sums are added in their order: results do not depend on the number of threads.
 */
export const pieces = 4;

const pieceRows = (batch: number): number => Math.ceil(batch / pieces);

/** Elements of f32 of every region, by its name. */
const lengths = ({ shape, batch, tasks, trainCells }: GeneratorNeeds) => {
  const parameters = parameterCount(shape);
  const room = tasks.reduce((most, task) => Math.max(most, taskRoom(task)), 0);
  return {
    parameters,
    first: parameters,
    second: parameters,
    parameterGradients: pieces * parameters,
    inner: batch * innerColumns(shape),
    innerGradients: batch * (innerColumns(shape) - shape.noise),
    probabilities: batch * headColumns(shape),
    gradients: batch * headColumns(shape),
    ones: batch,
    rooms: pieces * room * pieceRows(batch),
    scratches: (pieces * gemmScratch) / 4,
    sums: pieces * trainCells,
    answers: trainCells,
    answerGradients: trainCells,
    scores: tasks.reduce((sum, task) => sum + taskCells(task), 0),
  };
};

/** Bytes of kernel memory that a generator needs. */
export const generatorBytes = (needs: GeneratorNeeds): number =>
  4 * Object.values(lengths(needs)).reduce((sum, length) => sum + length + 4, 0);

const mostBytes = 3.5e9;

/** Refuses what kernel memory does not hold: for whoever must know before something is spent. */
export const checkGenerator = (needs: GeneratorNeeds): void => {
  const bytes = generatorBytes(needs);
  if (bytes > mostBytes)
    throw new InputError(
      `generator: must fit in ${bytesText(mostBytes)} of kernel memory, got a need of ${bytesText(bytes)}; ask for fewer or smaller marginals, or use coarser attributes`,
    );
};

/** The regions of a generator in kernel memory. */
export const placeGenerator = (needs: GeneratorNeeds, arena: Arena) => {
  const sizes = arena.u32(needs.shape.heads.length);
  sizes.view.set(needs.shape.heads);
  const own = lengths(needs);
  const regions = Object.fromEntries(Object.entries(own).map(([name, length]) => [name, arena.f32(length)])) as Record<
    keyof typeof own,
    ReturnType<Arena['f32']>
  >;
  regions.ones.view.fill(1);
  return { ...regions, sizes };
};

export type GeneratorLayout = ReturnType<typeof placeGenerator>;

/** One piece of the batch: its rows, and the memory that whoever works on it may use. */
export interface Piece {
  readonly index: number;
  readonly from: number;
  readonly rows: number;
  readonly room: number;
  readonly scratch: number;
}

export const piecesOf = ({ batch }: GeneratorNeeds, { rooms, scratches }: GeneratorLayout): Piece[] =>
  Array.from({ length: pieces }, (_, index) => {
    const from = Math.floor((batch * index) / pieces);
    return {
      index,
      from,
      rows: Math.floor((batch * (index + 1)) / pieces) - from,
      room: rooms.address + (rooms.length / pieces) * 4 * index,
      scratch: scratches.address + gemmScratch * index,
    };
  });
