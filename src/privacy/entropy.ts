import { InputError } from '../domain/input-error.js';
import { markCryptographic } from '../random/cryptographic.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';

/**
 * The randomness that privacy rests on. Noise and selection take an `Entropy`, never a plain `Random`, so that a generator
 * somebody could predict cannot reach them unmarked: whoever releases something reads `seeded` and says so.
 */
export interface Entropy extends Random {
  /** True when the words follow from a seed: fit for tests and experiments only, nothing made with it is private. */
  readonly seeded: boolean;
}

/** Web Crypto refuses more than this many bytes in one call. */
const BLOCK_BYTES = 65_536;

/**
 * Cryptographic words from `crypto.getRandomValues`, fetched 64 KiB at a time. A word is overwritten in the buffer as it is
 * handed out, so that memory read later does not give away noise drawn earlier.
 */
export const webEntropy = (): Entropy => {
  const crypto = (globalThis as { crypto?: { getRandomValues(array: Uint32Array): unknown } | undefined }).crypto;
  if (crypto === undefined)
    throw new InputError('entropy: needs Web Crypto, got a runtime without it; use Node 20+ or a current browser');
  const block = new Uint32Array(BLOCK_BYTES / 4);
  let next = block.length;
  return markCryptographic({
    seeded: false,
    uint32: () => {
      if (next === block.length) {
        crypto.getRandomValues(block);
        next = 0;
      }
      const word = block[next];
      block[next++] = 0;
      return word;
    },
  });
};

/** Reproducible words for tests and experiments. What is drawn from it is noise to look at, not protection. */
export const seededEntropy = (seed: number): Entropy => ({ seeded: true, uint32: seeded(seed).uint32 });
