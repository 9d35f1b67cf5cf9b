import type { Engine } from '../../kernel/engine.js';
import type { Part } from './part.js';

/** Answers that are taken through all rounds before the next: their weights stay in the fastest memory. */
const blockSize = 512;

/** The lists of hits by block of answers, in kernel memory: places within the block, and where each round's begin. */
interface Blocks {
  readonly hits: number;
  /** For each block the address of its starts, one for each round and one more. */
  readonly starts: readonly number[];
}

const noBlocks = (engine: Engine, rounds: number): number => {
  const none = engine.arena.u32(rounds + 1);
  none.view.fill(0);
  return none.address;
};

/** Lays the lists out block by block, round by round within a block: as they are gone through. */
const layOut = (engine: Engine, lists: readonly Uint32Array[], blocks: number): Blocks => {
  const rounds = lists.length;
  const starts = engine.arena.u32(blocks * (rounds + 1));
  const hits = engine.arena.u32(lists.reduce((sum, list) => sum + list.length, 0));
  const [from, to] = [starts.view, hits.view];
  const next = new Uint32Array(rounds);
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const first = block * blockSize;
    for (const [round, list] of lists.entries()) {
      from[block * (rounds + 1) + round] = at;
      while (next[round] < list.length && list[next[round]] < first + blockSize) to[at++] = list[next[round]++] - first;
    }
    from[block * (rounds + 1) + rounds] = at;
  }
  return {
    hits: hits.address,
    starts: Array.from({ length: blocks }, (_, block) => starts.address + 4 * block * (rounds + 1)),
  };
};

/** Bytes of kernel memory for so many answers and these lists, at most. */
export const roundByRoundBytes = (answers: number, lists: readonly Uint32Array[]): number => {
  const blocks = Math.ceil(answers / blockSize) + 2;
  const hits = lists.reduce((sum, { length }) => sum + length, 0);
  return 24 * answers + 4 * hits + 4 * blocks * (lists.length + 1) + 16 * (lists.length + 2 * blockSize) + 1024;
};

/**
 * Goes through all rounds: the weight of an answer is multiplied by exp(eta y), and by exp(-eta) where the record counted, as the
 * algorithm itself has it: no exponential but at the beginning. `of` is for answers with (ascending) lists of hits, `unhit` for up to so
 * many answers that no record counted.
 */
export const roundByRound = (engine: Engine, rounds: number, eta: number) => {
  const { kernels, arena } = engine;
  const scratch = arena.f64(2 * blockSize);
  const [sums, factors] = [arena.f64(rounds), arena.f64(rounds)];
  const less = Math.exp(-eta);

  const partOf = (most: number, hits: number, startsOf: (block: number) => number): Part => {
    // By block: what its weights are multiplied by, and the inverses.
    const growth = arena.f64(2 * most);
    const slopes = arena.f64(most);
    let answers = 0;
    const eachBlock = (visit: (from: number, size: number, growth: number, starts: number) => void): void => {
      for (let from = 0; from < answers; from += blockSize)
        visit(from, Math.min(blockSize, answers - from), growth.address + 16 * from, startsOf(from / blockSize));
    };
    return {
      set: (y) => {
        answers = y.length;
        const { view } = growth;
        for (let from = 0; from < answers; from += blockSize) {
          const size = Math.min(blockSize, answers - from);
          for (let i = 0; i < size; i++) {
            view[2 * from + i] = eta * y[from + i];
            view[2 * from + size + i] = -view[2 * from + i];
          }
        }
        kernels.exp(growth.address, growth.address, 2 * answers);
      },
      addSums: (into) => {
        sums.view.fill(0);
        eachBlock((_from, size, factor, starts) => {
          kernels.roundSums(starts, hits, rounds, less, factor, size, scratch.address, sums.address);
        });
        const { view } = sums;
        for (let round = 0; round < rounds; round++) into[round] += view[round];
      },
      slopes: (given) => {
        factors.view.set(given);
        kernels.clear(slopes.address, 8 * answers);
        eachBlock((from, size, factor, starts) => {
          const into = slopes.address + 8 * from;
          kernels.roundSlopes(starts, hits, rounds, less, factor, size, scratch.address, factors.address, into);
        });
        return slopes.view.subarray(0, answers);
      },
    };
  };

  return {
    of: (answers: number, lists: readonly Uint32Array[]): Part => {
      const { hits, starts } = layOut(engine, lists, Math.ceil(answers / blockSize));
      return partOf(answers, hits, (block) => starts[block]);
    },
    unhit: (most: number): Part => {
      const none = noBlocks(engine, rounds);
      return partOf(most, none, () => none);
    },
  };
};
