import type { Entropy } from '../../entropy.js';
import type { Journal } from './journal.js';
import { pastRun } from './past.js';

/**
 * Seeded words, counted, and behind those that an interrupted run has drawn: so that what goes on draws as if it had never stopped, and
 * nothing twice. Words that nobody can predict need no counting.
 */
export const countedWords = (
  entropy: Entropy,
  journal: Journal | undefined,
): { readonly counted: Entropy; readonly drawn: (() => number) | undefined } => {
  if (!entropy.seeded || journal === undefined) return { counted: entropy, drawn: undefined };
  let words = pastRun(journal.entries).drawn;
  for (let word = 0; word < words; word++) entropy.uint32();
  return {
    counted: {
      seeded: true,
      uint32: () => {
        words++;
        return entropy.uint32();
      },
    },
    drawn: () => words,
  };
};
