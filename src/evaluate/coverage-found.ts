/** Shares of 95% bounds that held the truth: of all cells, and of those with a hundredth of the records or more; 0 where there were none. */
interface Shares {
  readonly all: number;
  readonly large: number;
}

/** What trials found of a mechanism's bounds. */
export interface TrialsFound {
  /** Releases that were tried, on how many tables, from the least epsilon to the largest. */
  readonly trials: number;
  readonly tables: number;
  readonly epsilon: readonly [number, number];
  /** One-way counts, and pairs that measurements determine. */
  readonly measured: Shares;
  /** Pairs that they do not determine, and triples. */
  readonly unmeasured: Shares;
  /** The worse of the two on the worst table and budget. */
  readonly least: Shares;
}

/** What they found where the noise did not drown most of what was measured (`drowning.ts`), and where it did. */
export interface CoverageFound {
  readonly clear?: TrialsFound | undefined;
  readonly drowned?: TrialsFound | undefined;
}

/**
 * By mechanism, from `experiments/results/bootstrap-coverage.json`, rounded down: `npm run experiment -- bootstrap-coverage --keep` prints
 * what belongs here, and a test holds the two together.
 */
export const coverageFound: Readonly<Record<string, CoverageFound>> = {
  aim: {
    clear: {
      trials: 33,
      tables: 10,
      epsilon: [0.1, 3],
      measured: { all: 0.958, large: 0.952 },
      unmeasured: { all: 0.946, large: 0.959 },
      least: { all: 0.687, large: 0.642 },
    },
  },
  'aim with a prior': {
    clear: {
      trials: 8,
      tables: 4,
      epsilon: [0.1, 1],
      measured: { all: 0.961, large: 0.957 },
      unmeasured: { all: 0.95, large: 0.986 },
      least: { all: 0.926, large: 0.933 },
    },
  },
  reweight: {
    clear: {
      trials: 16,
      tables: 4,
      epsilon: [0.1, 3],
      measured: { all: 0.96, large: 0.953 },
      unmeasured: { all: 0.95, large: 0.956 },
      least: { all: 0.89, large: 0.889 },
    },
  },
  'pmw-pub': {
    clear: {
      trials: 8,
      tables: 4,
      epsilon: [0.1, 1],
      measured: { all: 0.989, large: 0.987 },
      unmeasured: { all: 0.985, large: 0.989 },
      least: { all: 0.968, large: 0.973 },
    },
  },
  ide: {
    clear: {
      trials: 23,
      tables: 6,
      epsilon: [0.1, 3],
      measured: { all: 0.925, large: 0.958 },
      unmeasured: { all: 0.939, large: 0.975 },
      least: { all: 0.906, large: 0.9 },
    },
  },
  mwem: {
    clear: {
      trials: 16,
      tables: 4,
      epsilon: [0.1, 3],
      measured: { all: 0.891, large: 0.931 },
      unmeasured: { all: 0.907, large: 0.948 },
      least: { all: 0.847, large: 0.838 },
    },
  },
  privbayes: {
    clear: {
      trials: 24,
      tables: 6,
      epsilon: [0.1, 3],
      measured: { all: 0.951, large: 0.949 },
      unmeasured: { all: 0.958, large: 0.934 },
      least: { all: 0.906, large: 0.652 },
    },
  },
  'residual-planner': {
    clear: {
      trials: 4,
      tables: 2,
      epsilon: [0.3, 3],
      measured: { all: 0.972, large: 0.968 },
      unmeasured: { all: 0.995, large: 0.988 },
      least: { all: 0.956, large: 0.958 },
    },
  },
};
