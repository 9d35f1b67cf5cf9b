/** Bytes of a tree from which on a replicate is worth a thread of its own: below, fits take less than drawing and asking does, and than starting threads. */
const worthThread = 2 ** 23;
/** How much a fit holds for each byte of its tree: the oracle's tables, messages and vectors, and the tables that it hands over. */
export const fitBytes = 2.5;
/** Bytes that fits may hold together beside the release itself; where two do not fit, one takes all threads. */
const mostBytes = 2 ** 31;

/**
 * How many graphical models are fitted anew at a time, each on one thread: two fits share a machine with less loss than two threads share one fit, because
 * nobody waits for anybody and what is not shared in a fit is done twice at once. By public things alone: the tree's bytes and the number of threads.
 */
export const fittedAtOnce = (treeBytes: number, threads: number): number =>
  treeBytes < worthThread ? 1 : Math.max(1, Math.min(threads, Math.floor(mostBytes / (fitBytes * treeBytes))));
