import type { Running } from '../../../domain/running.js';
import type { Region } from '../../../kernel/arena.js';
import type { Engine } from '../../../kernel/engine.js';
import type { Threads } from '../../support/weighted-rows.js';
import type { JunctionTree } from '../tree/junction-tree.js';

/** Where one factor's table lies in a vector of the oracle. */
export interface OracleFactor {
  /** In the tree's order; the table is row-major in it, the last attribute fastest. */
  readonly attributes: readonly string[];
  readonly cells: number;
  /** In elements, from the start of a vector. */
  readonly offset: number;
}

/**
 * Log potentials to marginals, for one fixed list of factors. The tables of all factors lie one after the other in one vector of
 * kernel memory, so that the steps of an estimator are single kernel calls over `length` elements.
 */
export interface MarginalOracle {
  readonly tree: JunctionTree;
  /** False: the marginals are those of an approximation, consistent among factors but not of one distribution. */
  readonly exact: boolean;
  readonly engine: Engine;
  /** In the order of the cliques that the oracle was opened with. */
  readonly factors: readonly OracleFactor[];
  /** Elements of a vector. */
  readonly length: number;
  /** A vector of zeros in the engine's arena; it lives as long as the oracle. */
  vector(): Region<Float64Array>;
  /**
   * Overwrites `marginals` with probabilities (each factor sums to 1) and gives log Z, where Z sums the exponentials of all
   * potentials over the whole domain. Events are let through on the way where that is long, and the signal that the oracle was opened with ends it. -Infinity
   * among the potentials is a structural zero; when nothing else is left, log Z is -Infinity and the marginals are 0.
   */
  run(potentials: Region<Float64Array>, marginals: Region<Float64Array>): number | Promise<number>;
  /**
   * The probabilities of all cells of each clique of the tree, as it lists them, at these potentials, by the same kernels; `marginals` are overwritten. What is less likely
   * than losses of a run are certain to matter may be 0. Undefined where linear space would not do, or the oracle has no tree.
   */
  beliefs(potentials: Region<Float64Array>, marginals: Region<Float64Array>): Promise<Float64Array[] | undefined>;
  /** Ends the workers. */
  close(): void;
}

/** Which cliques an oracle serves, and on how many threads. */
export interface OracleOptions extends Threads, Pick<Running, 'signal'> {
  /** Bytes that tables, messages and two vectors may take; 2e9 unless said. */
  readonly memory?: number | undefined;
  /** Approximate where the exact tree needs more memory than that. Without it, that is an error. */
  readonly approximate?: boolean | undefined;
}
