/** A discovery takes between these parts of a budget, unless told. */
export const discoverShares = { least: 0.05, most: 0.33 } as const;

/** What decides how much a discovery should take. Rows are those of a noisy count, all else is public. */
export interface ShareFacts {
  readonly rows: number;
  /** About how many rows must have a value for it to be told, for a share; undefined where no values are asked for. */
  readonly reach?: ((share: number) => number) | undefined;
  /** Whether the map of every pair that is asked for would have entries of values with an average number of rows, for a share. */
  readonly findsMaps?: ((share: number) => boolean) | undefined;
  /** Whether every column that is asked for edges would have some that are better than chance, for a share. */
  readonly findsEdges: (share: number) => boolean;
}

/** Values that this part of the rows have should be told: what is merged is lost to the release, more than a little noise is. */
const toldPart = 0.02;

/** Shares that are tried for edges and maps. */
const tried = [discoverShares.least, 0.07, 0.1, 0.14, 0.2, 0.27, discoverShares.most];

/**
 * The part of the budget that a discovery takes: no more than large tables need, and up to a third for small ones, where rare values would all be merged otherwise. It is the least
 * for which values that one row in fifty has would be told, all edges found, and maps learned of values with an average number of rows; edges and maps that no share would find are not paid for.
 */
export const shareFor = ({ rows, reach, findsEdges, findsMaps = () => true }: ShareFacts): number => {
  const { least, most } = discoverShares;
  // Thresholds fall with the square root of what noise is paid.
  const forValues = reach === undefined ? least : least * (reach(least) / (toldPart * rows)) ** 2;
  const forOthers = [findsEdges, findsMaps].map((finds) => tried.find(finds) ?? least);
  return Math.min(most, Math.max(least, Math.ceil(1000 * Math.max(forValues, ...forOthers)) / 1000));
};
