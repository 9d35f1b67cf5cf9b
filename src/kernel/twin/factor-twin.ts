import type { Kernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type FactorKernels = Pick<
  Kernels,
  | 'multiplyTables'
  | 'multiplySumTables'
  | 'sumTables'
  | 'addTables'
  | 'peakTables'
  | 'expSumTables'
  | 'expShift'
  | 'divide'
  | 'subtractLogs'
  | 'fitSquares'
>;

/** Where the four tables of a walk stand, as addresses. */
type Places = readonly [a: number, b: number, target: number, sums: number];

export const factorTwin = (memory: WasmMemory): FactorKernels => {
  const view = () => new DataView(memory.buffer);
  const get = (address: number): number => view().getFloat64(address, true);
  const put = (address: number, value: number): void => view().setFloat64(address, value, true);

  /** Visits every cell of a shape, the last axis fastest. */
  const walk = (shape: number, places: Places, visit: (...places: Places) => void): void => {
    const words = new Uint32Array(memory.buffer.slice(shape, shape + 4));
    const axes = new Uint32Array(memory.buffer.slice(shape + 4, shape + 4 + 20 * words[0]));
    const along = (axis: number, at: Places): void => {
      if (axis === words[0]) {
        visit(...at);
        return;
      }
      const [length, ...steps] = axes.subarray(5 * axis, 5 * axis + 5);
      for (let i = 0; i < length; i++) along(axis + 1, at.map((place, k) => place + i * steps[k]) as unknown as Places);
    };
    along(0, places);
  };
  const exp = (x: number): number => (x < -708 ? 0 : Math.exp(x));
  const total = (length: number, term: (i: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += term(i);
    return sum;
  };

  return {
    multiplyTables: (shape, a, b, target) => walk(shape, [a, b, target, 0], (x, y, t) => put(t, get(x) * get(y))),
    multiplySumTables: (shape, a, b, target, sums) =>
      walk(shape, [a, b, target, sums], (x, y, t, s) => {
        const value = get(x) * get(y);
        put(t, value);
        put(s, get(s) + value);
      }),
    sumTables: (shape, a, b, sums) => walk(shape, [a, b, 0, sums], (x, y, _, s) => put(s, get(s) + get(x) * get(y))),
    addTables: (shape, a, b, target) => walk(shape, [a, b, target, 0], (x, y, t) => put(t, get(x) + get(y))),
    peakTables: (shape, a, b, peaks) =>
      walk(shape, [a, b, 0, peaks], (x, y, _, s) => put(s, Math.max(get(s), get(x) + get(y)))),
    expSumTables: (shape, a, b, peaks, sums) =>
      walk(shape, [a, b, 0, sums], (x, y, _, s) => {
        const peak = get(s - sums + peaks);
        put(s, get(s) + exp(get(x) + get(y) - (peak === Number.NEGATIVE_INFINITY ? 0 : peak)));
      }),

    expShift: (x, shift, least, target, length) =>
      total(length, (i) => {
        const power = get(x + 8 * i) - shift;
        put(target + 8 * i, power < least ? 0 : exp(power));
        return get(target + 8 * i);
      }),
    divide: (x, y, target, length) => {
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < 8 * length; i += 8) {
        const ratio = get(y + i) === 0 ? 0 : get(x + i) / get(y + i);
        put(target + i, ratio);
        most = Math.max(most, ratio);
      }
      return most;
    },
    subtractLogs: (x, y, target, length) => {
      for (let i = 0; i < 8 * length; i += 8) {
        const least = get(y + i) === Number.NEGATIVE_INFINITY;
        put(target + i, least ? Number.NEGATIVE_INFINITY : get(x + i) - get(y + i));
      }
    },
    fitSquares: (x, factor, y, weight, target, length) =>
      total(length, (i) => {
        const residual = factor * get(x + 8 * i) - get(y + 8 * i);
        put(target + 8 * i, weight * residual);
        return residual * (weight * residual);
      }),
  };
};
