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

/** Bytes of kernel memory for answers that lists of hits are about. */
export const roundByRoundBytes = (answers: number, lists: readonly Uint32Array[]): number =>
  4 * (Math.ceil(answers / blockSize) + 1) * (lists.length + 1) + 4 * lists.reduce((sum, list) => sum + list.length, 0);

/**
 * Goes through all rounds: the weight of an answer is multiplied by exp(eta y), and by exp(-eta) where the record counted, as the
 * algorithm itself has it: no exponential but at the beginning. `of` is for answers with (ascending) lists of hits, `unhit` for any number
 * of answers that no record counted.
 */
export const roundByRound = (engine: Engine, rounds: number, eta: number) => {
  const { kernels, arena } = engine;
  const [growth, scratch] = [arena.f64(2 * blockSize), arena.f64(2 * blockSize)];
  const [sums, factors] = [arena.f64(rounds), arena.f64(rounds)];
  const slopes = arena.f64(blockSize);
  const none = noBlocks(engine, rounds);
  const less = Math.exp(-eta);

  /** Calls `visit` for every block, its growth and its inverse in place. */
  const walk = (y: Float64Array, visit: (block: number, from: number, size: number) => void): void => {
    for (let from = 0; from < y.length; from += blockSize) {
      const size = Math.min(blockSize, y.length - from);
      const factors = growth.view;
      for (let i = 0; i < size; i++) {
        factors[i] = Math.exp(eta * y[from + i]);
        factors[size + i] = 1 / factors[i];
      }
      visit(from / blockSize, from, size);
    }
  };
  const partOf = (hits: number, startsOf: (block: number) => number): Part => ({
    addSums: (y, into) => {
      sums.view.fill(0);
      walk(y, (block, _from, size) => {
        kernels.roundSums(startsOf(block), hits, rounds, less, growth.address, size, scratch.address, sums.address);
      });
      sums.view.forEach((sum, round) => {
        into[round] += sum;
      });
    },
    addSlopes: (y, given, into) => {
      factors.view.set(given);
      walk(y, (block, from, size) => {
        slopes.view.set(into.subarray(from, from + size));
        kernels.roundSlopes(
          startsOf(block),
          hits,
          rounds,
          less,
          growth.address,
          size,
          scratch.address,
          factors.address,
          slopes.address,
        );
        into.set(slopes.view.subarray(0, size), from);
      });
    },
  });

  return {
    of: (answers: number, lists: readonly Uint32Array[]): Part => {
      const { hits, starts } = layOut(engine, lists, Math.ceil(answers / blockSize));
      return partOf(hits, (block) => starts[block]);
    },
    unhit: partOf(none, () => none),
  };
};
