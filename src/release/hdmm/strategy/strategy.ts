import type { Block } from '../../../query/block/block.js';
import { kindOf } from '../../../query/block/block-kinds.js';
import { seeded } from '../../../random/seeded.js';
import { gramOf } from './gram.js';
import { type Norm, optimisePIdentity } from './p-identity.js';
import { strategyTrace } from './strategy-trace.js';
import { wholeStrategy } from './whole-strategy.js';

/** What is measured along one axis in place of a block of the workload. */
export interface Strategy {
  readonly block: Block;
  /** trace((A^T A)^-1 W^T W). */
  readonly trace: number;
  /** The squared norm of the largest column: L1 squared or L2 squared. Times `trace`, the error at a given budget. */
  readonly norm: number;
  /** Whether every cell follows from it; otherwise only the answers of the block itself do. */
  readonly whole: boolean;
}

/** Cells of an axis above which nothing is optimised: it would take minutes. */
const mostCells = 1024;
/** Any seed would do: strategies are public, and a plan must find the same as the release that follows it. */
const seed = 1;

const keep: Block = { kind: 'keep' };

export const errorOf = ({ trace, norm }: Strategy): number => trace * norm;

const columnNorm = (block: Block, size: number, norm: Norm): number => {
  const { l1, l2Squared } = kindOf(block).profile(block, size);
  return norm === 'l1' ? Number(l1) ** 2 : Number(l2Squared);
};

/**
 * The best way found to answer a block of a workload along its axis: the cells one by one, the block itself, or a p-Identity strategy
 * optimised for it, in whole numbers. So its error is never above that of the cells.
 */
export const strategyFor = (block: Block, size: number, norm: Norm): Strategy => {
  const gram = gramOf(block, size);
  const own = strategyTrace(keep, gram)!;
  const cells: Strategy = { block: keep, trace: own, norm: 1, whole: true };
  if (block.kind === 'keep' || size === 1) return cells;
  const rows = kindOf(block).rows(block, size);
  const whole = strategyTrace(block, gram);
  // Least squares from the block's own answers; of rank r its error is r, and `rows` bounds r where cells do not follow.
  const itself: Strategy = {
    block,
    trace: whole ?? rows,
    norm: columnNorm(block, size, norm),
    whole: whole !== undefined,
  };
  const found = errorOf(itself) < errorOf(cells) ? [itself] : [];
  if (size <= mostCells && rows > 1) found.push(...optimised(gram, size, norm));
  return found.reduce((best, strategy) => (errorOf(strategy) < errorOf(best) ? strategy : best), cells);
};

const optimised = (gram: ReturnType<typeof gramOf>, size: number, norm: Norm): Strategy[] => {
  // In L2 all starts end at the same error, in L1 within some percent of each other.
  const restarts = norm === 'l2' || size > 256 ? 1 : size <= 128 ? 4 : 2;
  const iterations = norm === 'l2' ? 300 : size <= 256 ? 500 : 1000;
  const rows = optimisePIdentity(gram, norm, { random: seeded(seed), restarts, iterations });
  const block: Block = { kind: 'matrix', rows: wholeStrategy(rows, size, norm) };
  const trace = strategyTrace(block, gram);
  return trace === undefined ? [] : [{ block, trace, norm: columnNorm(block, size, norm), whole: true }];
};
