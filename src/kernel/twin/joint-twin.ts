import type { Kernels } from '../kernels.js';
import { jointScratch } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

export const jointTwin = (memory: WasmMemory): Pick<Kernels, 'scatterJoints' | 'gatherJoints'> => {
  const view = () => new DataView(memory.buffer);
  const word = (address: number): number => view().getUint32(address, true);
  const at = (address: number, i: number): number => view().getFloat64(address + 8 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat64(address + 8 * i, value, true);
  const clear = (address: number, bytes: number): void => {
    new Uint8Array(memory.buffer, address, bytes).fill(0);
  };

  const read = (joint: number) => {
    const [bytes, columns, steps, cells, tableBytes, place] = Array.from({ length: 6 }, (_, i) => word(joint + 4 * i));
    const first = joint + 24;
    const cellOf = (row: number): number => {
      let cell = 0;
      for (let column = first; column < first + 12 * columns; column += 12) {
        const [address, width] = [word(column), word(column + 4)];
        const code =
          width === 1
            ? view().getUint8(address + row)
            : width === 2
              ? view().getUint16(address + 2 * row, true)
              : word(address + 4 * row);
        cell = cell * word(column + 8) + code;
      }
      return cell;
    };
    const stepAt = (i: number) => {
      const step = first + 12 * columns + 24 * i;
      const [from, isMarginal, to, outer, size, inner] = Array.from({ length: 6 }, (_, k) => word(step + 4 * k));
      return { from, isMarginal: isMarginal === 1, to, outer, size, inner };
    };
    return {
      next: joint + bytes,
      cells,
      tableBytes,
      place,
      cellOf,
      steps: Array.from({ length: steps }, (_, i) => stepAt(i)),
    };
  };
  const none = 0xffffffff;

  return {
    scatterJoints: (joint, joints, from, rows, weights, sums, scratch) => {
      const tables = scratch + jointScratch;
      for (let j = 0; j < joints; j++) {
        const { next, cells, place, cellOf, steps } = read(joint);
        const table = place === none ? tables : sums + place;
        clear(table, 8 * cells);
        for (let row = 0; row < rows; row++) {
          const cell = cellOf(from + row);
          put(table, cell, at(table, cell) + at(weights, row));
        }
        for (const step of steps) {
          const target = (step.isMarginal ? sums : tables) + step.to;
          for (let o = 0; o < step.outer; o++)
            for (let i = 0; i < step.inner; i++) {
              const cellAt = (s: number) => at(tables + step.from, (o * step.size + s) * step.inner + i);
              let total = cellAt(0);
              for (let s = 1; s < step.size; s++) total += cellAt(s);
              put(target, o * step.inner + i, total);
            }
        }
        joint = next;
      }
    },
    gatherJoints: (joint, joints, from, rows, values, target, scratch) => {
      const tables = scratch + jointScratch;
      for (let j = 0; j < joints; j++) {
        const { next, tableBytes, place, cellOf, steps } = read(joint);
        const table = place === none ? tables : values + place;
        if (place === none) clear(tables, tableBytes);
        for (const step of steps.reverse()) {
          const source = (step.isMarginal ? values : tables) + step.to;
          for (let o = 0; o < step.outer; o++)
            for (let s = 0; s < step.size; s++)
              for (let i = 0; i < step.inner; i++) {
                const cell = (o * step.size + s) * step.inner + i;
                put(tables + step.from, cell, at(tables + step.from, cell) + at(source, o * step.inner + i));
              }
        }
        for (let row = 0; row < rows; row++) put(target, row, at(target, row) + at(table, cellOf(from + row)));
        joint = next;
      }
    },
  };
};
