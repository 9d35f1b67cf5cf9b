import type { NetworkKernels } from '../kernels.js';
import type { WasmMemory } from '../web-assembly.js';

type LayerKernels = Omit<NetworkKernels, 'clear' | 'slotRows' | 'slotBack'>;

const { fround } = Math;

/** What is added up before it goes to the sum of the blocks before. */
const depth = 256;

export const networkTwin = (memory: WasmMemory): LayerKernels => {
  const view = () => new DataView(memory.buffer);
  const at = (address: number, i: number): number => view().getFloat32(address + 4 * i, true);
  const put = (address: number, i: number, value: number): void => view().setFloat32(address + 4 * i, value, true);
  const each = (length: number, step: (i: number) => void): void => {
    for (let i = 0; i < length; i++) step(i);
  };
  /** A sum of f32, each step rounded. */
  const sum = (length: number, term: (i: number) => number): number => {
    let total = 0;
    each(length, (i) => {
      total = fround(total + fround(term(i)));
    });
    return total;
  };
  /** Visits each head of a row: its first column and its size. */
  const eachHead = (sizes: number, heads: number, visit: (first: number, size: number) => void): void => {
    let first = 0;
    each(heads, (head) => {
      const size = view().getUint32(sizes + 4 * head, true);
      visit(first, size);
      first += size;
    });
  };

  return {
    gemm: (a, aRow, aColumn, b, bRow, bColumn, c, cRow, m, n, k, add) =>
      each(m, (i) =>
        each(n, (j) => {
          let total = add ? at(c, i * cRow + j) : Number.NaN;
          for (let from = 0; from < k; from += depth) {
            const block = sum(Math.min(depth, k - from), (d) => {
              const [x, y] = [i * aRow + (from + d) * aColumn, (from + d) * bRow + j * bColumn];
              return at(a, x) * at(b, y);
            });
            total = add || from > 0 ? fround(total + block) : block;
          }
          if (k > 0) put(c, i * cRow + j, total);
        }),
      ),
    biasMax: (x, stride, bias, least, rows, columns) =>
      each(rows, (r) =>
        each(columns, (i) => put(x, r * stride + i, Math.max(fround(at(x, r * stride + i) + at(bias, i)), least))),
      ),
    maskBelow: (gradient, stride, value, valueStride, rows, columns) =>
      each(rows, (r) =>
        each(columns, (i) => {
          if (!(at(value, r * valueStride + i) > 0)) put(gradient, r * stride + i, 0);
        }),
      ),
    sumRows: (x, stride, rows, columns, target) =>
      each(columns, (i) =>
        put(
          target,
          i,
          sum(rows, (r) => at(x, r * stride + i)),
        ),
      ),
    adam: (x, gradient, stride, parts, first, second, rate, scale, beta1, beta2, least, length) =>
      each(length, (i) => {
        let g = at(gradient, i);
        for (let p = 1; p < parts; p++) g = fround(g + at(gradient, p * stride + i));
        const [keep1, keep2] = [fround(1 - fround(beta1)), fround(1 - fround(beta2))];
        put(first, i, at(first, i) + fround(keep1 * fround(g - at(first, i))));
        put(second, i, at(second, i) + fround(keep2 * fround(fround(g * g) - at(second, i))));
        const below = fround(fround(fround(scale) * fround(Math.sqrt(at(second, i)))) + fround(least));
        put(x, i, at(x, i) - fround(fround(fround(rate) * at(first, i)) / below));
      }),
    softmaxHeads: (x, stride, rows, sizes, heads) =>
      each(rows, (r) =>
        eachHead(sizes, heads, (first, size) => {
          const own = Array.from({ length: size }, (_, i) => at(x, r * stride + first + i));
          const most = Math.max(...own);
          const powers = own.map((value) => Math.exp(value - most));
          const total = powers.reduce((all, power) => all + power, 0);
          each(size, (i) => put(x, r * stride + first + i, powers[i] / total));
        }),
      ),
    softmaxBack: (p, stride, g, gStride, rows, sizes, heads) =>
      each(rows, (r) =>
        eachHead(sizes, heads, (first, size) => {
          const [own, grad] = [r * stride + first, r * gStride + first];
          const mean = sum(size, (i) => at(p, own + i) * at(g, grad + i));
          each(size, (i) => put(g, grad + i, at(p, own + i) * fround(at(g, grad + i) - mean)));
        }),
      ),
    outerRows: (left, leftStride, leftCells, right, rightStride, rightCells, target, rows) =>
      each(rows, (r) =>
        each(leftCells, (i) =>
          each(rightCells, (j) =>
            put(
              target,
              (r * leftCells + i) * rightCells + j,
              at(left, r * leftStride + i) * at(right, r * rightStride + j),
            ),
          ),
        ),
      ),
    outerBack: (left, leftStride, leftCells, right, rightStride, rightCells, gradient, ...targets) => {
      const [leftGradient, leftGradientStride, rightGradient, rightGradientStride, rows] = targets;
      each(rows, (r) =>
        each(leftCells, (i) => {
          const g = (j: number): number => at(gradient, (r * leftCells + i) * rightCells + j);
          let total = 0;
          each(rightCells, (j) => {
            total += g(j) * at(right, r * rightStride + j);
            const to = r * rightGradientStride + j;
            put(rightGradient, to, at(rightGradient, to) + fround(at(left, r * leftStride + i) * g(j)));
          });
          const to = r * leftGradientStride + i;
          put(leftGradient, to, at(leftGradient, to) + total);
        }),
      );
    },
  };
};
