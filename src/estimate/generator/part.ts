import type { KernelCall } from '../../kernel/kernels.js';

/** Rows of f32 in kernel memory, `stride` elements apart. */
export interface Place {
  readonly address: number;
  readonly stride: number;
}

/** Some rows of a batch, worked on by one thread. */
export interface BatchRows {
  readonly rows: number;
  /** The probabilities of all heads. */
  readonly probabilities: Place;
  /** Where gradients by these probabilities are added up. */
  readonly gradients: Place;
  /** A column of ones. */
  readonly ones: Place;
}

/** A part for some rows: where its values are once `forward` has run, and where its gradient goes before `backward` runs. */
export interface PlacedPart {
  readonly forward: readonly KernelCall[];
  readonly value: Place;
  /** Absent for a constant. */
  readonly gradient?: Place | undefined;
  /** Whether others may have put their gradients there: then this one is added. */
  readonly shared: boolean;
  /** Hands the gradient on to the heads. */
  readonly backward: readonly KernelCall[];
}

/**
 * One factor of answers: for each row of the batch, values of so many cells that are made of the heads' probabilities. The answers of
 * a query over two parts are the means over the batch of all products of a cell of one with a cell of the other: a matrix product.
 */
export interface Part {
  readonly cells: number;
  /** Elements a row that it uses at `room`, from `forward` to `backward`. */
  readonly room: number;
  /** About how long it takes, in multiplications of a matrix product for each row. */
  readonly work: number;
  place(on: BatchRows, room: number): PlacedPart;
}

/** The columns of a head. */
export interface HeadColumns {
  readonly first: number;
  readonly size: number;
}

const constant: Part = {
  cells: 1,
  room: 0,
  work: 0,
  place: ({ ones }) => ({ forward: [], value: ones, shared: false, backward: [] }),
};

/** The probabilities of one head. */
export const oneHead = ({ first, size }: HeadColumns): Part => ({
  cells: size,
  room: 0,
  work: 0,
  place: ({ probabilities, gradients }) => ({
    forward: [],
    value: { address: probabilities.address + 4 * first, stride: probabilities.stride },
    gradient: { address: gradients.address + 4 * first, stride: gradients.stride },
    shared: true,
    backward: [],
  }),
});

/** Clears the gradient of a part of so many elements, where nobody else puts theirs, before some are added. */
export const wipe = ({ gradient, shared }: PlacedPart, elements: number): KernelCall[] =>
  gradient === undefined || shared ? [] : [['clear', gradient.address, 4 * elements]];

/** All products of a cell of one part with a cell of another, the second's fastest. */
const productPart = (left: Part, right: Part): Part => {
  const cells = left.cells * right.cells;
  return {
    cells,
    room: left.room + right.room + 2 * cells,
    work: left.work + right.work + 6 * cells,
    place: (on, room) => {
      const { rows } = on;
      const a = left.place(on, room);
      const b = right.place(on, room + 4 * rows * left.room);
      const value = room + 4 * rows * (left.room + right.room);
      const gradient = value + 4 * rows * cells;
      const factors = [a.value.address, a.value.stride, left.cells, b.value.address, b.value.stride, right.cells];
      const wiped = [...wipe(a, rows * left.cells), ...wipe(b, rows * right.cells)];
      const [to, beside] = [a.gradient!, b.gradient!];
      return {
        forward: [...a.forward, ...b.forward, ['outerRows', ...factors, value, rows]],
        value: { address: value, stride: cells },
        gradient: { address: gradient, stride: cells },
        shared: false,
        backward: [
          ...wiped,
          ['outerBack', ...factors, gradient, to.address, to.stride, beside.address, beside.stride, rows],
          ...b.backward,
          ...a.backward,
        ],
      };
    },
  };
};

/** The product of some parts that are no constants, row-major in their order; of none, a constant 1. */
export const productOf = (parts: readonly Part[]): Part => (parts.length === 0 ? constant : parts.reduce(productPart));

/** The product of some heads. */
export const headProduct = (heads: readonly HeadColumns[]): Part => productOf(heads.map(oneHead));
