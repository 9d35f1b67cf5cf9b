import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type CountKernels = Pick<Kernels, 'clear' | 'count' | 'countHoldings' | 'cellIndex' | 'sumAxis'>;

export const countTwin = (memory: WasmMemory): CountKernels => {
  // A DataView reads at any alignment; it is made anew since the memory may have grown.
  const view = () => new DataView(memory.buffer);
  const word = (address: number): number => view().getUint32(address, true);
  const putWord = (address: number, value: number): void => view().setUint32(address, value, true);

  const codeOf = (column: number, row: number): number => {
    const [address, bytes] = [word(column), word(column + 4)];
    if (bytes === 1) return view().getUint8(address + row);
    if (bytes === 2) return view().getUint16(address + 2 * row, true);
    return word(address + 4 * row);
  };

  const cellOf = (job: number, row: number): number => {
    let cell = 0;
    for (let i = 0; i < word(job); i++) {
      const column = job + 16 + 12 * i;
      cell = cell * word(column + 8) + codeOf(column, row);
    }
    return cell;
  };

  return {
    clear: (address, bytes) => {
      new Uint8Array(memory.buffer, address, bytes).fill(0);
    },
    count: (job, jobs, from, to) => {
      for (let j = 0; j < jobs; j++) {
        const table = word(job + 12);
        for (let row = from; row < to; row++) {
          const counter = table + 4 * cellOf(job, row);
          putWord(counter, word(counter) + 1);
        }
        job += 16 + 12 * word(job);
      }
    },
    countHoldings: (job, jobs, from, to, places) => {
      for (let j = 0; j < jobs; j++) {
        const table = word(job + 12);
        for (let row = from; row < to; row++) {
          const first = row - view().getUint8(places + row);
          let before = first;
          while (before < row && cellOf(job, before) !== cellOf(job, row)) before++;
          const counter = table + 4 * cellOf(job, row);
          if (before === row) putWord(counter, word(counter) + 1);
        }
        job += 16 + 12 * word(job);
      }
    },
    cellIndex: (job, from, to, target) => {
      for (let row = from; row < to; row++) putWord(target + 4 * (row - from), cellOf(job, row));
    },
    sumAxis: (table, target, outer, size, inner) => {
      for (let o = 0; o < outer; o++)
        for (let i = 0; i < inner; i++) {
          let total = 0;
          for (let s = 0; s < size; s++) total += word(table + 4 * ((o * size + s) * inner + i));
          putWord(target + 4 * (o * inner + i), total);
        }
    },
  };
};
