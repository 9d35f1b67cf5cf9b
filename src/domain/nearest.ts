/** The known word nearest to a mistyped one, when it is near enough to be what was meant (case counts for little). */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase()) + (candidate === word ? 0 : 0.1);
    const limit = Math.floor(Math.max(word.length, candidate.length) / 3) + 0.5;
    if (distance < Math.min(limit, bestDistance)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other (optimal string alignment). */
export const editDistance = (a: string, b: string): number => {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length];
};
