import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type FloatKernels = Pick<
  Kernels,
  | 'scatterAdd'
  | 'gatherScale'
  | 'gatherAdd'
  | 'carry'
  | 'sumAt'
  | 'scaleAt'
  | 'exp'
  | 'log'
  | 'sum'
  | 'dot'
  | 'max'
  | 'min'
  | 'distance'
  | 'maxDistance'
  | 'scale'
  | 'scaleAbove'
  | 'axpy'
  | 'multiply'
>;

/** Neumaier's compensated sum: the error is below a few units of 2^-53 times the sum of absolute terms. */
const compensated = (length: number, term: (i: number) => number): number => {
  let total = 0;
  let rest = 0;
  for (let i = 0; i < length; i++) {
    const x = term(i);
    const next = total + x;
    rest += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total;
    total = next;
  }
  return Number.isFinite(total) ? total + rest : total;
};

const largest = (length: number, from: number, term: (i: number) => number): number => {
  let result = from;
  for (let i = 0; i < length; i++) result = Math.max(result, term(i));
  return result;
};

export const floatTwin = (memory: WasmMemory): FloatKernels => {
  const view = () => new DataView(memory.buffer);
  const at = (address: number, i: number): number => view().getFloat64(address + 8 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat64(address + 8 * i, value, true);
  const cell = (index: number, i: number): number => view().getUint32(index + 4 * i, true);
  const each = (length: number, step: (i: number) => void): void => {
    for (let i = 0; i < length; i++) step(i);
  };

  return {
    scatterAdd: (index, weights, table, rows) =>
      each(rows, (i) => put(table, cell(index, i), at(table, cell(index, i)) + at(weights, i))),
    gatherScale: (index, ratio, weights, rows) =>
      each(rows, (i) => put(weights, i, at(weights, i) * at(ratio, cell(index, i)))),
    gatherAdd: (index, table, factor, target, rows) =>
      each(rows, (i) => put(target, i, at(target, i) + factor * at(table, cell(index, i)))),

    carry: (table, columns, given, base, rows, rest, width, target) =>
      each(rows, (r) =>
        each(width, (j) =>
          each(columns, (i) => {
            const to = (cell(base, r) + cell(rest, j)) * columns + i;
            put(target, to, at(target, to) + at(given, r * width + j) * at(table, r * columns + i));
          }),
        ),
      ),

    sumAt: (index, x, length) => compensated(length, (i) => at(x, cell(index, i))),
    scaleAt: (index, factor, x, length) => each(length, (i) => put(x, cell(index, i), at(x, cell(index, i)) * factor)),

    exp: (x, target, length) => each(length, (i) => put(target, i, Math.exp(at(x, i)))),
    log: (x, target, length) => each(length, (i) => put(target, i, Math.log(at(x, i)))),

    sum: (x, length) => compensated(length, (i) => at(x, i)),
    dot: (x, y, length) => compensated(length, (i) => at(x, i) * at(y, i)),
    max: (x, length) => largest(length, Number.NEGATIVE_INFINITY, (i) => at(x, i)),
    min: (x, length) => -largest(length, Number.NEGATIVE_INFINITY, (i) => -at(x, i)),
    distance: (x, y, length) => compensated(length, (i) => Math.abs(at(x, i) - at(y, i))),
    maxDistance: (x, y, length) => largest(length, 0, (i) => Math.abs(at(x, i) - at(y, i))),

    scale: (x, factor, length) => each(length, (i) => put(x, i, at(x, i) * factor)),
    scaleAbove: (x, factor, least, length) =>
      each(length, (i) => {
        const scaled = at(x, i) * factor;
        put(x, i, scaled < least ? 0 : scaled);
      }),
    axpy: (factor, x, y, length) => each(length, (i) => put(y, i, at(y, i) + factor * at(x, i))),
    multiply: (x, y, target, length) => each(length, (i) => put(target, i, at(x, i) * at(y, i))),
  };
};
