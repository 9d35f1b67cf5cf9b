import { nearest } from '../../src/advanced.js';

/** The known word that was probably meant: the one that begins like it, or the nearest one, if any is near. */
export const suggest = (word: string, known: readonly string[]): string | undefined => {
  const typed = word.toLowerCase();
  const begins = known.filter((candidate) => typed.length >= 2 && candidate.startsWith(typed));
  return begins.length === 1 ? begins[0] : nearest(typed, known);
};
