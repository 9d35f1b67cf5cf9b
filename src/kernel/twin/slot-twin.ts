import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type SlotKernels = Pick<Kernels, 'slotRows' | 'slotBack'>;

const each = (length: number, step: (i: number) => void): void => {
  for (let i = 0; i < length; i++) step(i);
};

/** What persons with these chances count in a cell: each of them, or a household once if any of them is there. */
const counted = (chances: readonly number[], once: number): number =>
  once === 1 ? 1 - chances.reduce((none, p) => none * (1 - p), 1) : chances.reduce((sum, p) => sum + p, 0);

/** How that moves with the chance of one of them: it matters where nobody else is there. */
const slope = (chances: readonly number[], j: number, once: number): number =>
  once === 1 ? chances.reduce((none, p, i) => (i === j ? none : none * (1 - p)), 1) : 1;

/** By definition and in doubles; the kernels come as close as single precision does. */
export const slotTwin = (memory: WasmMemory): SlotKernels => {
  const view = () => new DataView(memory.buffer);
  const at = (address: number, i: number): number => view().getFloat32(address + 4 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat32(address + 4 * i, value, true);
  const add = (address: number, i: number, value: number): void => put(address, i, at(address, i) + value);

  return {
    slotRows: (sizes, sizeStride, slots, slotStride, rowStride, maxSize, cells, once, apart, target, rows) =>
      each(rows, (r) =>
        each(cells, (cell) => {
          const chances = Array.from({ length: maxSize }, (_, j) => at(slots, j * slotStride + r * rowStride + cell));
          const parts = chances.map((_, m) => at(sizes, r * sizeStride + m) * counted(chances.slice(0, m + 1), once));
          if (apart) each(maxSize, (m) => put(target, (r * maxSize + m) * cells + cell, parts[m]));
          else
            put(
              target,
              r * cells + cell,
              parts.reduce((sum, part) => sum + part, 0),
            );
        }),
      ),
    slotBack: (sizes, sizeStride, slots, slotStride, rowStride, maxSize, cells, once, apart, gradient, ...targets) => {
      const [sizeGradient, sizeGradientStride, slotGradient, slotGradientStride, rowGradientStride, , rows] = targets;
      each(rows, (r) => {
        const bySize = new Float64Array(maxSize);
        each(cells, (cell) => {
          const chances = Array.from({ length: maxSize }, (_, j) => at(slots, j * slotStride + r * rowStride + cell));
          const bySlot = new Float64Array(maxSize);
          each(maxSize, (m) => {
            const g = at(gradient, apart ? (r * maxSize + m) * cells + cell : r * cells + cell);
            const there = chances.slice(0, m + 1);
            bySize[m] += g * counted(there, once);
            there.forEach((_, j) => {
              bySlot[j] += g * at(sizes, r * sizeStride + m) * slope(there, j, once);
            });
          });
          if (slotGradient !== 0)
            each(maxSize, (j) => add(slotGradient, j * slotGradientStride + r * rowGradientStride + cell, bySlot[j]));
        });
        each(maxSize, (m) => add(sizeGradient, r * sizeGradientStride + m, bySize[m]));
      });
    },
  };
};
