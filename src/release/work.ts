import type { WorkKind } from '../kernel/calibrate.js';
import type { OracleWork } from '../model/graphical/oracle/oracle.js';
import type { JointWork } from '../model/support/joint-rows.js';

/** Amounts of work by kind, in the units of `Rates`. */
export type Amounts = { readonly [Kind in WorkKind]?: number };

/** A stage of a run, as progress events call it, and how much is done in it. Counted from public things alone. */
export interface StageWork {
  readonly stage: string;
  readonly amounts: Amounts;
  /** Whether all threads take part; one does by default. */
  readonly shared?: boolean | undefined;
  /** Whether so much is done at a time, each piece by one thread; nothing is by default. */
  readonly atOnce?: number | undefined;
}

/** A stage as often as that. */
export const times = (factor: number, { amounts, ...stage }: StageWork): StageWork => ({
  ...stage,
  amounts: Object.fromEntries(Object.entries(amounts).map(([kind, amount]) => [kind, factor * amount])),
});

/** What a fit of weighted rows goes over, again and again. */
interface RowsFit {
  /** Rows, or households with all their persons. */
  readonly rows: number;
  readonly marginals: number;
  /** How often all rows are gone over in all marginals. */
  readonly passes: number;
  /** Where marginals are summed out of joint tables (`openJointRows`): the tables, and the cells of all marginals. */
  readonly joint?: (JointWork & { readonly answers: number }) | undefined;
}

/** Script for one pass, for messages to workers, for one marginal in it, and for an answer, which is put together and compared by plain script. */
const passSteps = 2_000;
const marginalSteps = 150;
const answerSteps = 2.5;
/** Cells' worth of arithmetic for each row of a pass: weights are exponentiated, scaled and summed. */
const rowCells = 6;
/** How much longer visits take where rows and their cells do not fit the processor's own memory, as they do when rates are measured. */
const farther = 1.7;

/** Times that the cells of a joint table are gone over in a pass. */
const tablePasses = 4;
/**
 * How much longer visits to joint tables take than those that rates are measured with: a row's cell is found anew each time, from the codes of
 * several attributes, and rows beyond what a processor keeps to itself wait for memory.
 */
const jointFarther = (rows: number): number => 10 + 5 * Math.min(1, Math.max(0, Math.log2(rows / 1e5)));

/** Passes of a fit over weighted rows. */
export const rowsFit = (stage: string, { rows, marginals, passes, joint }: RowsFit): StageWork => ({
  stage,
  amounts:
    joint === undefined
      ? {
          visits: passes * rows * marginals * farther,
          cells: passes * rows * rowCells,
          steps: passes * (passSteps + marginalSteps * marginals),
        }
      : {
          visits: passes * rows * joint.joints * jointFarther(rows),
          cells: passes * (rows * rowCells + tablePasses * joint.cells),
          steps: passes * (passSteps + marginalSteps * marginals + answerSteps * joint.answers),
        },
  shared: true,
});

/** Passes over its vectors in one step of a fit: exponentials, gradients, momentum, residuals. */
const vectorPasses = 14;
/** Script for one run of the oracle with the step around it, and for one step of its plan. */
const runSteps = 1500;
const planSteps = 60;
/**
 * How much longer cells of real tables take than of the one that rates are measured on: axes are short, and tables beyond what a processor keeps
 * to itself wait for memory.
 */
const slower = (bytes: number): number => 1.6 + Math.min(1.4, Math.max(0, 0.8 * Math.log2(bytes / 4e6)));
/** Cells walked in a run from which on threads have something to share. */
const sharedCells = 4e5;

/** So many runs of a marginal oracle and the steps of a fit between them, by the oracle's own plan. */
export const treeFit = (stage: string, { walked, length, steps, bytes }: OracleWork, runs: number): StageWork => ({
  stage,
  amounts: {
    cells: runs * (walked + vectorPasses * length) * slower(bytes),
    steps: runs * (runSteps + planSteps * steps),
  },
  shared: walked > sharedCells,
});

/** Walks over a tree to ask it for marginals, as long as so many runs of the oracle. */
export const treeWalks = (stage: string, { walked, bytes }: OracleWork, runs: number): StageWork => ({
  stage,
  amounts: { cells: runs * walked * slower(bytes) },
});

/** Pairs of attributes that a report asks a tree for one by one, at most, and walks for each. */
const [askedPairs, walksAPair] = [150, 5.5];

/**
 * What the rows and the report of a graphical model take beside those of other models: all its pairs are asked for. Sums over one clique at a time, by plain script: they
 * take as long for a cell of a large tree as of a small one.
 */
export const askingPairs = ({ walked }: OracleWork, attributes: number): StageWork => ({
  stage: 'draw',
  amounts: { cells: walksAPair * walked * Math.min(askedPairs, (attributes * (attributes - 1)) / 2) },
});

/** Rows of the private table counted in so many marginals of so many cells together, `rounds` times. */
export const counting = (rows: number, marginals: number, cells: number, rounds = 1): StageWork => ({
  stage: 'measure',
  amounts: {
    counts: rounds * rows * marginals,
    cells: rounds * cells * 4,
    steps: rounds * (marginals * 60 + cells * 0.3),
  },
  shared: true,
});
