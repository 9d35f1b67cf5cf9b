import type { Mutator } from './mutate/mutator.js';

/** Something that reads bytes from outside, and how it is attacked. */
export interface Target {
  readonly name: string;
  /**
   * Gives the bytes to the product as a user would. May throw an `InputError` and nothing else; a broken law (what is written reads
   * back the same) throws a `BrokenLaw`. Gives what a user would see, to be searched for secrets.
   */
  readonly run: (bytes: Uint8Array) => Promise<string> | string;
  /** A new input from old ones. */
  readonly mutate: Mutator;
  /** The same bytes with their seals made anew: hashes, lengths, links. Used on a part of the inputs, so that they get past the seals. */
  readonly repair?: (bytes: Uint8Array) => Uint8Array;
  /** Inputs to start from where the corpus has none. */
  readonly seeds?: () => Promise<readonly Uint8Array[]>;
  /** What stands in the private tables of this target and must never come out. */
  readonly secrets?: readonly string[];
  /** Its part of the time; 1 unless told. */
  readonly share?: number;
}

/** A law that the product promises did not hold. */
export class BrokenLaw extends Error {
  override readonly name: string = 'BrokenLaw';
}
