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
  /** Shares within a cell of another attribute, and averages by it. */
  readonly derived: Shares;
  /** The worse of measured and unmeasured counts on the worst table and budget. */
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
      trials: 39,
      tables: 10,
      epsilon: [0.1, 3],
      measured: {
        all: 0.959,
        large: 0.957,
      },
      unmeasured: {
        all: 0.96,
        large: 0.96,
      },
      derived: {
        all: 0.966,
        large: 0.96,
      },
      least: {
        all: 0.743,
        large: 0.797,
      },
    },
    drowned: {
      trials: 1,
      tables: 1,
      epsilon: [0.1, 0.1],
      measured: {
        all: 0.959,
        large: 0.926,
      },
      unmeasured: {
        all: 0.757,
        large: 0.746,
      },
      derived: {
        all: 0.968,
        large: 0.95,
      },
      least: {
        all: 0.757,
        large: 0.746,
      },
    },
  },
  'aim with a prior': {
    clear: {
      trials: 24,
      tables: 6,
      epsilon: [0.1, 3],
      measured: {
        all: 0.955,
        large: 0.957,
      },
      unmeasured: {
        all: 0.956,
        large: 0.986,
      },
      derived: {
        all: 0.972,
        large: 0.974,
      },
      least: {
        all: 0.926,
        large: 0.933,
      },
    },
  },
  reweight: {
    clear: {
      trials: 40,
      tables: 10,
      epsilon: [0.1, 3],
      measured: {
        all: 0.931,
        large: 0.957,
      },
      unmeasured: {
        all: 0.933,
        large: 0.952,
      },
      derived: {
        all: 0.928,
        large: 0.946,
      },
      least: {
        all: 0.849,
        large: 0.848,
      },
    },
  },
  'pmw-pub': {
    clear: {
      trials: 24,
      tables: 6,
      epsilon: [0.1, 3],
      measured: {
        all: 0.961,
        large: 0.964,
      },
      unmeasured: {
        all: 0.978,
        large: 0.974,
      },
      derived: {
        all: 0.977,
        large: 0.975,
      },
      least: {
        all: 0.898,
        large: 0.895,
      },
    },
  },
  ide: {
    clear: {
      trials: 16,
      tables: 4,
      epsilon: [0.1, 3],
      measured: {
        all: 0.97,
        large: 0.975,
      },
      unmeasured: {
        all: 0.964,
        large: 0.974,
      },
      derived: {
        all: 0.974,
        large: 0.98,
      },
      least: {
        all: 0.942,
        large: 0.954,
      },
    },
    drowned: {
      trials: 8,
      tables: 2,
      epsilon: [0.1, 3],
      measured: {
        all: 0.921,
        large: 0.955,
      },
      unmeasured: {
        all: 0.923,
        large: 0.973,
      },
      derived: {
        all: 0.963,
        large: 0.966,
      },
      least: {
        all: 0.911,
        large: 0.9,
      },
    },
  },
  mwem: {
    clear: {
      trials: 12,
      tables: 3,
      epsilon: [0.1, 3],
      measured: {
        all: 0.961,
        large: 0.955,
      },
      unmeasured: {
        all: 0.985,
        large: 0.967,
      },
      derived: {
        all: 0.973,
        large: 0.974,
      },
      least: {
        all: 0.944,
        large: 0.874,
      },
    },
    drowned: {
      trials: 4,
      tables: 1,
      epsilon: [0.1, 3],
      measured: {
        all: 0.871,
        large: 0.836,
      },
      unmeasured: {
        all: 0.883,
        large: 0.875,
      },
      derived: {
        all: 0.945,
        large: 0.931,
      },
      least: {
        all: 0.847,
        large: 0.838,
      },
    },
  },
  privbayes: {
    clear: {
      trials: 24,
      tables: 6,
      epsilon: [0.1, 3],
      measured: {
        all: 0.952,
        large: 0.952,
      },
      unmeasured: {
        all: 0.957,
        large: 0.938,
      },
      derived: {
        all: 0.945,
        large: 0.925,
      },
      least: {
        all: 0.906,
        large: 0.652,
      },
    },
  },
  pairs: {
    clear: {
      trials: 18,
      tables: 6,
      epsilon: [0.1, 3],
      measured: {
        all: 0.971,
        large: 0.966,
      },
      unmeasured: {
        all: 0.965,
        large: 0.984,
      },
      derived: {
        all: 0.974,
        large: 0.976,
      },
      least: {
        all: 0.933,
        large: 0.945,
      },
    },
    drowned: {
      trials: 6,
      tables: 2,
      epsilon: [0.1, 1],
      measured: {
        all: 0.974,
        large: 0.929,
      },
      unmeasured: {
        all: 0.96,
        large: 0.9,
      },
      derived: {
        all: 0.956,
        large: 0.927,
      },
      least: {
        all: 0.942,
        large: 0.709,
      },
    },
  },
  mst: {
    clear: {
      trials: 19,
      tables: 6,
      epsilon: [0.1, 3],
      measured: {
        all: 0.951,
        large: 0.949,
      },
      unmeasured: {
        all: 0.967,
        large: 0.971,
      },
      derived: {
        all: 0.972,
        large: 0.974,
      },
      least: {
        all: 0.885,
        large: 0.904,
      },
    },
    drowned: {
      trials: 5,
      tables: 3,
      epsilon: [0.1, 1],
      measured: {
        all: 0.962,
        large: 0.922,
      },
      unmeasured: {
        all: 0.961,
        large: 0.947,
      },
      derived: {
        all: 0.983,
        large: 0.975,
      },
      least: {
        all: 0.883,
        large: 0.854,
      },
    },
  },
  jam: {
    clear: {
      trials: 20,
      tables: 5,
      epsilon: [0.1, 3],
      measured: {
        all: 0.942,
        large: 0.931,
      },
      unmeasured: {
        all: 0.955,
        large: 0.974,
      },
      derived: {
        all: 0.958,
        large: 0.964,
      },
      least: {
        all: 0.664,
        large: 0.884,
      },
    },
  },
  'residual-planner': {
    clear: {
      trials: 12,
      tables: 3,
      epsilon: [0.1, 3],
      measured: {
        all: 0.97,
        large: 0.964,
      },
      unmeasured: {
        all: 0.99,
        large: 0.974,
      },
      derived: {
        all: 0.982,
        large: 0.982,
      },
      least: {
        all: 0.95,
        large: 0.873,
      },
    },
  },
  hdmm: {
    clear: {
      trials: 12,
      tables: 3,
      epsilon: [0.1, 3],
      measured: {
        all: 0.974,
        large: 0.969,
      },
      unmeasured: {
        all: 0.992,
        large: 0.978,
      },
      derived: {
        all: 0.987,
        large: 0.986,
      },
      least: {
        all: 0.958,
        large: 0.89,
      },
    },
  },
};
