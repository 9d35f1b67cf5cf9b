import type { Kernels } from '../kernels.js';
import { stepBytes } from '../projection.js';
import type { WasmMemory } from '../web-assembly.js';

export const projectTwin = (memory: WasmMemory): Pick<Kernels, 'project' | 'follow'> => {
  const view = () => new DataView(memory.buffer);
  const word = (address: number): number => view().getUint32(address, true);
  const putWord = (address: number, value: number): void => view().setUint32(address, value, true);
  const at = (address: number, i: number): number => view().getFloat64(address + 8 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat64(address + 8 * i, value, true);

  const read = (step: number) => {
    const words = Array.from({ length: 8 }, (_, i) => word(step + 4 * i));
    const [map, width, rows, source, change, target, cells, after] = words;
    const cellOf = (row: number) => {
      if (width === 1) return view().getUint8(map + row);
      return width === 2 ? view().getUint16(map + 2 * row, true) : word(map + 4 * row);
    };
    return { rows, source, change, target, cells, after, cellOf };
  };

  return {
    project: (step, steps) => {
      for (let i = 0; i < steps; i++) {
        const { rows, source, target, cells, cellOf } = read(step + stepBytes * i);
        for (let cell = 0; cell < cells; cell++) put(target, cell, 0);
        for (let row = 0; row < rows; row++) put(target, cellOf(row), at(target, cellOf(row)) + at(source, row));
      }
    },
    follow: (step, steps) => {
      for (let i = 0; i < steps; i++) {
        const { change, target, after, cellOf } = read(step + stepBytes * i);
        const listed = (of: number) => Array.from({ length: word(of) }, (_, j) => word(word(of + 4) + 4 * j));
        const [delta, marks] = [word(after + 8), word(after + 12)];
        if (after !== 0) {
          for (const entry of listed(after)) {
            put(delta, entry, 0);
            view().setUint8(marks + entry, 0);
          }
          putWord(after, 0);
        }
        for (const entry of listed(change)) {
          const [cell, difference] = [cellOf(entry), at(word(change + 8), entry)];
          if (after === 0) put(target, cell, at(target, cell) + difference);
          else {
            put(delta, cell, at(delta, cell) + difference);
            // The kernel writes each cell at the end of the list and counts it only when it is new.
            putWord(word(after + 4) + 4 * word(after), cell);
            if (view().getUint8(marks + cell) === 0) putWord(after, word(after) + 1);
            view().setUint8(marks + cell, 1);
          }
        }
      }
    },
  };
};
