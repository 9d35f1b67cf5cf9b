import { InputError } from '../../domain/input-error.js';
import type { Region } from '../../kernel/arena.js';
import type { Engine } from '../../kernel/engine.js';
import type { WasmMemory } from '../../kernel/web-assembly.js';
import type { Level } from './place-plan.js';

/** Numbers of rows in kernel memory. */
export type RowList = Region<Uint32Array>;

/**
 * Weights of rows in kernel memory, unnormalised. What changes is noted for the kernel `follow`, until so much has changed that
 * making all sums anew is faster.
 */
export interface NotedWeights {
  /** Sum of all weights. */
  readonly mass: number;
  /** True when what changed is not noted: all sums are to be made anew. */
  readonly stale: boolean;
  /** Sum of the weights of some rows. */
  weightOf(rows: RowList): number;
  /** Multiplies the weights of these rows by e^c. */
  scale(rows: RowList, c: number): void;
  /** Starts over from these weights, which need not sum to 1. */
  restart(weights: ArrayLike<number>): void;
  /** Probabilities of the rows, a new array. */
  distribution(): Float64Array;
  /** Gives up the notes. */
  spoil(): void;
  /** Readies weights and notes for the kernels; sums the mass anew. */
  present(): void;
  /** Begins new notes once the kernels have seen these. */
  forget(): void;
}

/** Up to this part of the rows a change is followed; beyond it, making all sums anew is faster. */
const mostFollowed = 1 / 32;
/** Beyond this mass, or below its inverse, weights are normalised before a double could over- or underflow. */
const largestMass = 2 ** 64;

/** The rows that an ascending list leaves out. */
const othersThan = (rows: Uint32Array, length: number): Uint32Array => {
  const others = new Uint32Array(length - rows.length);
  for (let row = 0, i = 0, next = 0; row < length; row++)
    if (i < rows.length && rows[i] === row) i++;
    else others[next++] = row;
  return others;
};

/** Which rows have changed and by how much, where the kernel `follow` reads it. */
const changeNotes = (memory: WasmMemory, change: number, length: number) => {
  const words = (address: number, count: number) => new Uint32Array(memory.buffer, address, count);
  const [list, delta, marks] = words(change, 4).slice(1);
  const views = () => ({
    listed: words(list, length),
    differences: new Float64Array(memory.buffer, delta, length),
    marked: new Uint8Array(memory.buffer, marks, length),
  });
  let count = 0;
  return {
    get count() {
      return count;
    },
    /** Scales the weights of rows and notes by how much; gives their mass from what it was before. */
    scale: (weights: Float64Array, rows: Uint32Array, factor: number, before: number): number => {
      const { listed, differences, marked } = views();
      let mass = before;
      for (const row of rows) {
        const difference = weights[row] * factor - weights[row];
        weights[row] += difference;
        mass += difference;
        differences[row] += difference;
        if (marked[row] === 0) {
          marked[row] = 1;
          listed[count++] = row;
        }
      }
      return mass;
    },
    /** Tells the kernel how many there are. */
    present: () => {
      words(change, 1)[0] = count;
    },
    forget: () => {
      const { listed, differences, marked } = views();
      for (const row of listed.subarray(0, count)) {
        differences[row] = 0;
        marked[row] = 0;
      }
      count = 0;
    },
  };
};

/** Sets weights with sum 1 at `sums`, and notes with `change`, as `writeChange` has it. */
export const notedWeights = (
  { kernels, memory }: Engine,
  { sums, change }: Level,
  start: Float64Array,
): NotedWeights => {
  const { length } = start;
  const weights = () => new Float64Array(memory.buffer, sums, length);
  const notes = changeNotes(memory, change, length);
  let mass = 1;
  let stale = true;
  weights().set(start);

  const restart = (given: ArrayLike<number>): void => {
    mass = 0;
    const own = weights();
    for (let row = 0; row < length; row++) {
      own[row] = given[row];
      mass += given[row];
    }
    if (!(mass > 0 && mass < Number.POSITIVE_INFINITY))
      throw new InputError(`weights: must have a positive finite sum, got ${mass}`);
    stale = true;
  };
  const distribution = (): Float64Array => {
    const sum = kernels.sum(sums, length);
    return weights().map((weight) => weight / sum);
  };
  const weightOf = ({ address, length: count }: RowList): number => kernels.sumAt(address, sums, count);

  return {
    get mass() {
      return mass;
    },
    get stale() {
      return stale;
    },
    weightOf,
    scale: (chosen, c) => {
      // Scaling all other rows the other way is the same distribution; the fewer are followed, if any.
      const fewer = Math.min(chosen.length, length - chosen.length);
      if (stale || notes.count + fewer > length * mostFollowed) {
        stale = true;
        mass += weightOf(chosen) * (Math.exp(c) - 1);
        kernels.scaleAt(chosen.address, Math.exp(c), sums, chosen.length);
      } else if (chosen.length === fewer) mass = notes.scale(weights(), chosen.view, Math.exp(c), mass);
      else mass = notes.scale(weights(), othersThan(chosen.view, length), Math.exp(-c), mass);
    },
    restart,
    distribution,
    spoil: () => {
      stale = true;
    },
    present: () => {
      if (!(mass < largestMass && mass > 1 / largestMass)) restart(distribution());
      mass = kernels.sum(sums, length);
      notes.present();
    },
    forget: () => {
      notes.forget();
      stale = false;
    },
  };
};
