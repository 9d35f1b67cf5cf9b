/** A discovery takes between these parts of a budget, unless told. */
export const discoverShares = { least: 0.05, most: 0.33 } as const;

/** What decides how much a discovery should take. Rows are those of a noisy count, all else is public. */
export interface ShareFacts {
  readonly rows: number;
  /** About how many rows must have a value for it to be told, for a share; undefined where no values are asked for. */
  readonly reach?: ((share: number) => number) | undefined;
  /** Whether every column that is asked for edges would have some that are better than chance, for a share. */
  readonly findsEdges: (share: number) => boolean;
}

/** Values that this part of the rows have should be told: what is merged is lost to the release, more than a little noise is. */
const toldPart = 0.02;

/** Shares that are tried for edges. */
const tried = [discoverShares.least, 0.07, 0.1, 0.14, 0.2, 0.27, discoverShares.most];

/**
 * The part of the budget that a discovery takes: no more than large tables need, and up to a third for small ones, where rare values would all be merged otherwise. It is the least
 * for which values that one row in fifty has would be told and all edges found; edges that no share would find are not paid for.
 */
export const shareFor = ({ rows, reach, findsEdges }: ShareFacts): number => {
  const { least, most } = discoverShares;
  // Thresholds fall with the square root of what noise is paid.
  const forValues = reach === undefined ? least : least * (reach(least) / (toldPart * rows)) ** 2;
  const forEdges = tried.find(findsEdges) ?? least;
  return Math.min(most, Math.max(least, Math.ceil(1000 * Math.max(forValues, forEdges)) / 1000));
};
