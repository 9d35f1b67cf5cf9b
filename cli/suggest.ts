/** Number of single-character edits, swaps of neighbours included, between two words (optimal string alignment). */
const distance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => new Array<number>(b.length + 1).fill(i));
  for (let j = 0; j <= b.length; j++) rows[0][j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.length][b.length];
};

/** The known word that was probably meant, if one is near: at most a third of its letters differ, or it begins alike. */
export const suggest = (word: string, known: readonly string[]): string | undefined => {
  const typed = word.toLowerCase();
  const scored = known
    .map((candidate) => {
      const begins = typed.length >= 2 && candidate.startsWith(typed);
      return { candidate, edits: begins ? 0.5 : distance(typed, candidate) };
    })
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return scored[0]?.candidate;
};
