import type { Random } from './random.js';

const known = new WeakSet<Random>();

/** Remembers a generator whose words nobody can predict. Only who made it from the platform's own source may say so. */
export const markCryptographic = <R extends Random>(random: R): R => {
  const sealed = Object.freeze(random);
  known.add(sealed);
  return sealed;
};

/** Whether a generator is one of those: any other, whatever it says of itself, counts as one that somebody could predict. */
export const isCryptographic = (random: Random): boolean => known.has(random);
