import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type RoundKernels = Pick<Kernels, 'roundSums' | 'roundSlopes'>;

export const roundTwin = (memory: WasmMemory): RoundKernels => {
  const view = () => new DataView(memory.buffer);
  const at = (address: number, i: number): number => view().getFloat64(address + 8 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat64(address + 8 * i, value, true);
  const word = (address: number, i: number): number => view().getUint32(address + 4 * i, true);

  /** Calls `visit` with every round and the address of its weights; their inverses follow them. */
  const walk = (
    [starts, hits, rounds, less, growth, size, scratch]: readonly number[],
    visit: (round: number) => void,
  ): void => {
    for (let i = 0; i < 2 * size; i++) put(scratch, i, 1);
    for (let round = 0; round < rounds; round++) {
      for (let k = word(starts, round); k < word(starts, round + 1); k++) {
        const place = word(hits, k);
        put(scratch, place, at(scratch, place) * less);
        put(scratch, size + place, at(scratch, size + place) * (1 / less));
      }
      for (let i = 0; i < 2 * size; i++) put(scratch, i, at(scratch, i) * at(growth, i));
      visit(round);
    }
  };

  return {
    roundSums: (starts, hits, rounds, less, growth, size, scratch, sums) =>
      walk([starts, hits, rounds, less, growth, size, scratch], (round) => {
        let sum = 0;
        for (let i = 0; i < 2 * size; i++) sum += at(scratch, i);
        put(sums, round, at(sums, round) + sum);
      }),
    roundSlopes: (starts, hits, rounds, less, growth, size, scratch, factors, slopes) =>
      walk([starts, hits, rounds, less, growth, size, scratch], (round) => {
        for (let i = 0; i < size; i++) {
          const gap = at(scratch, i) - at(scratch, size + i);
          put(slopes, i, at(slopes, i) + at(factors, round) * gap);
        }
      }),
  };
};
