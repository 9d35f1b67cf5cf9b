import type { Random } from './random.js';

/** A uniform double in [0, 1) with 53 random bits. */
export const uniform = (random: Random): number =>
  ((random.uint32() >>> 5) * 0x4000000 + (random.uint32() >>> 6)) / 0x20000000000000;

/** A uniform integer in [0, bound), exactly uniform by rejection, for 1 <= bound <= 2^53. */
export const uniformInteger = (random: Random, bound: number): number => {
  if (bound <= 0x100000000) {
    const limit = 0x100000000 - (0x100000000 % bound);
    for (;;) {
      const word = random.uint32();
      if (word < limit) return word % bound;
    }
  }
  const limit = 0x20000000000000 - (0x20000000000000 % bound);
  for (;;) {
    const word = (random.uint32() >>> 11) * 0x100000000 + random.uint32();
    if (word < limit) return word % bound;
  }
};
