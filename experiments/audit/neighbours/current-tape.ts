import type { Entropy } from '../../../src/privacy/entropy.js';
import type { Primitives } from '../../../src/privacy/primitives.js';

/*
 * Record and replay. On the first table the primitives run and the tape keeps what they returned; on its neighbour they return
 * just that again, whatever they are asked. Everything that can be seen from outside is written down as lines: if the two runs
 * differ in a line, something private went around the primitives.
 */

/** What a primitive returned. */
export type Output = Float64Array | number;

/** What the primitives returned on the first table, in order. */
export type Recording = readonly Output[];

/** One run: what it recorded or replays, and every line that was seen. */
export interface Tape {
  readonly lines: string[];
  readonly outputs: Output[];
  see(what: string, value?: unknown): void;
  /** Called at every primitive, progress event and ledger call: moments at which an onlooker may look at the disk. */
  onMoment?: (() => void) | undefined;
  /** What the first run's noise comes from; a seed, so that a finding can be seen again. */
  readonly entropy: Entropy;
  /** Primitives that record what these return, or replay. */
  over(real: Primitives): Primitives;
  /** Counts the words drawn from a generator for post-processing. */
  counted(seed: number, uint32: () => number): () => number;
  /** Writes down how many words each generator gave. */
  end(): void;
}

let current: Tape | undefined;

/** The tape of the run that goes on; a process runs one at a time. */
export const currentTape = (): Tape | undefined => current;

/** Runs `work` with its tape in place. */
export const withTape = async <T>(tape: Tape, work: () => Promise<T>): Promise<T> => {
  if (current !== undefined) throw new Error('tape: one run at a time');
  current = tape;
  try {
    return await work();
  } finally {
    current = undefined;
  }
};

/** `exactPrimitives` on the tape of the run that goes on, if there is one. */
export const primitivesOnTape =
  (build: (entropy: Entropy) => Primitives) =>
  (entropy: Entropy): Primitives =>
    current === undefined ? build(entropy) : current.over(build(current.entropy));
