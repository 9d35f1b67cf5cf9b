import { beforeAll, describe, expect, it, vi } from 'vitest';
import '../adapters/node-workers.js';
import { createEngine, createNetworkEngine, type Engine } from '../src/kernel/engine.js';
import { gemmScratch, type KernelCall, type Kernels, type NetworkKernels } from '../src/kernel/kernels.js';
import { twin } from '../src/kernel/twin/twin.js';
import { webAssembly } from '../src/kernel/web-assembly.js';
import type { Random } from '../src/random/random.js';
import { seeded } from '../src/random/seeded.js';
import { uniform, uniformInteger } from '../src/random/uniform.js';

// As in src/kernel/kernels.test.ts: kernel and twin run on the same memory, filled at random, and afterwards all of it must agree.
const base = 1 << 16;
const bytes = (1 << 19) + gemmScratch;
const scratch = base + (1 << 19);

type NetworkEngine = Engine<NetworkKernels>;
const plain: NetworkEngine[] = [];
const fused: NetworkEngine[] = [];
let reference: Kernels;
const memoryOf = (engine: NetworkEngine) => new Uint8Array(engine.memory.buffer, 0, base + bytes);

beforeAll(async () => {
  for (const shared of [false, true]) {
    plain.push(await createEngine({ shared }));
    fused.push(await createNetworkEngine({ shared }));
  }
  for (const { arena } of [...plain, ...fused]) arena.allocate(bytes);
  reference = twin(plain[0].memory);
});

const run = (kernels: Partial<Kernels>, [name, ...args]: KernelCall): void => {
  (kernels[name] as (...args: number[]) => void)(...args);
};

const floats = (random: Random): Float32Array =>
  Float32Array.from({ length: 1 << 17 }, () => (uniform(random) - 0.5) * 2 ** (uniformInteger(random, 8) - 4));

const memoryAfter = (
  image: Float32Array,
  engine: NetworkEngine,
  kernels: Partial<Kernels>,
  call: KernelCall,
): Float32Array => {
  new Float32Array(engine.memory.buffer, base, image.length).set(image);
  run(kernels, call);
  return new Float32Array(memoryOf(engine).slice(base, scratch).buffer);
};

/**
 * What the memory holds after the call, by the twin and by all builds, as floats; the scratch is left out. What is fused in a matrix product
 * is rounded otherwise: those of the fused builds are compared apart.
 */
const outcomes = (image: Float32Array, call: KernelCall): { expected: Float32Array; got: Float32Array[] } => ({
  expected: memoryAfter(image, plain[0], reference, call),
  got: [...plain, ...(call[0] === 'gemm' ? [] : fused)].map((engine) =>
    memoryAfter(image, engine, engine.kernels, call),
  ),
});

const expectSame = (image: Float32Array, call: KernelCall): void => {
  const { expected, got } = outcomes(image, call);
  for (const floats of got) {
    const where = floats.findIndex((value, i) => !Object.is(value, expected[i]));
    expect(where, `${call.join(' ')}: ${floats[where]} for ${expected[where]}`).toBe(-1);
  }
};

/** Within `error` times the largest that a changed element could have gathered. */
const expectNear = (image: Float32Array, call: KernelCall, error: number): void => {
  const { expected, got } = outcomes(image, call);
  for (const floats of got) {
    const where = floats.findIndex(
      (value, i) => !(Math.abs(value - expected[i]) <= error * Math.max(1e-3, Math.abs(expected[i]))),
    );
    expect(where, `${call.join(' ')}: ${floats[where]} for ${expected[where]}`).toBe(-1);
  }
};

const [a, b, c] = [base + 4, base + (1 << 18) + 8, base + 3 * (1 << 17) + 12];

describe('matrix products', () => {
  const random = seeded(31);
  const shapes = [
    [1, 1, 1],
    [4, 8, 2],
    [5, 9, 3],
    [3, 7, 257],
    [66, 20, 40],
    [13, 33, 300],
    [2, 519, 5],
    [65, 8, 16],
    [7, 3, 0],
  ];

  it('add up in one order, bit for bit, in every orientation, over edges of every block', () => {
    const image = floats(random);
    for (const [m, n, k] of shapes)
      for (const add of [0, 1])
        for (const [aRow, aColumn] of [
          [k + 3, 1],
          [1, m + 2],
          [2 * k + 1, 2],
        ])
          for (const [bRow, bColumn] of [
            [n + 1, 1],
            [1, k + 5],
          ])
            expectSame(image, ['gemm', a, aRow, aColumn, b, bRow, bColumn, c, n + 2, m, n, k, add, scratch]);
  });

  it('are the same within rounding where products and sums are fused, and the same to the bit over shared memory', () => {
    const image = floats(random);
    const sizes = image.map(Math.abs);
    for (const [m, n, k] of shapes)
      for (const add of [0, 1]) {
        const call: KernelCall = ['gemm', a, k + 3, 1, b, n + 1, 1, c, n + 2, m, n, k, add, scratch];
        const expected = memoryAfter(image, plain[0], plain[0].kernels, call);
        const largest = memoryAfter(sizes, plain[0], plain[0].kernels, call);
        const [own, shared] = fused.map((engine) => memoryAfter(image, engine, engine.kernels, call));
        expect(own.findIndex((value, i) => !Object.is(value, shared[i]))).toBe(-1);
        // Both are within (k + 2) roundings of the exact sum, each at most 2^-24 of what has been added up by then.
        const off = own.findIndex(
          (value, i) => !(Math.abs(value - expected[i]) <= 2 * (k + 2) * 2 ** -24 * largest[i]),
        );
        expect(off, `${call.join(' ')}: ${own[off]} for ${expected[off]}`).toBe(-1);
      }
  });

  it('come from the fused build where the platform takes it, and from the plain one otherwise', async () => {
    // The fused build has no other kernels than those of networks.
    for (const engine of fused) expect('count' in engine.kernels).toBe(false);
    const validate = vi.spyOn(webAssembly, 'validate').mockReturnValue(false);
    try {
      const engine = await createNetworkEngine();
      expect('count' in engine.kernels).toBe(true);
      engine.arena.allocate(bytes);
      const image = floats(random);
      const call: KernelCall = ['gemm', a, 40, 1, b, 20, 1, c, 20, 66, 20, 40, 0, scratch];
      expect(memoryAfter(image, engine, engine.kernels, call)).toEqual(
        memoryAfter(image, plain[0], plain[0].kernels, call),
      );
    } finally {
      validate.mockRestore();
    }
  });

  it('are those of exact arithmetic, as far as f32 can hold them', () => {
    const [m, n, k] = [6, 10, 600];
    const image = floats(random);
    const { got } = outcomes(image, ['gemm', a, k, 1, b, n, 1, c, n, m, n, k, 0, scratch]);
    const at = (address: number, i: number): number => image[(address - base) / 4 + i];
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let [exact, size] = [0, 0];
        for (let d = 0; d < k; d++) {
          const term = at(a, i * k + d) * at(b, d * n + j);
          exact += term;
          size += Math.abs(term);
        }
        expect(Math.abs(got[0][(c - base) / 4 + i * n + j] - exact)).toBeLessThan(258 * 2 ** -24 * size);
      }
  });
});

describe('layers and heads', () => {
  const random = seeded(32);

  it('add biases, cut off, mask and sum rows bit for bit', () => {
    const image = floats(random);
    for (const columns of [0, 1, 3, 4, 7, 16, 33])
      for (const rows of [0, 1, 5]) {
        expectSame(image, ['biasMax', a, columns + 3, b, 0, rows, columns]);
        expectSame(image, ['biasMax', a, columns, b, Number.NEGATIVE_INFINITY, rows, columns]);
        expectSame(image, ['maskBelow', a, columns + 1, b, columns + 2, rows, columns]);
        expectSame(image, ['sumRows', a, columns + 1, rows, columns, c]);
      }
  });

  it('make a step of Adam by gradients in parts, bit for bit', () => {
    const image = floats(random).map((value, i) => (4 * i >= c - base ? Math.abs(value) : value));
    for (const length of [0, 1, 4, 6, 100])
      for (const parts of [1, 4])
        expectSame(image, ['adam', a, b, 200, parts, b + 8000, c, 0.01, 1.5, 0.9, 0.999, 1e-8, length]);
  });

  it('make distributions of heads of any size, and small numbers of hopeless logits', () => {
    const image = floats(random).map((value, i) => (i % 5 === 0 ? 40 * value : value));
    const sizes = new Uint32Array(image.buffer, c - base, 5);
    sizes.set([1, 2, 7, 16, 33]);
    for (const rows of [0, 1, 4]) expectNear(image, ['softmaxHeads', a, 64, rows, c, 5], 2e-6);
    const { got } = outcomes(image, ['softmaxHeads', a, 64, 1, c, 5]);
    let first = 1;
    for (const size of sizes) {
      const total = got[0].subarray(first, first + size).reduce((sum, value) => sum + value, 0);
      expect(Math.abs(total - 1)).toBeLessThan(1e-6);
      first += size;
    }
  });

  it('hand gradients back through heads bit for bit', () => {
    const image = floats(random);
    new Uint32Array(image.buffer, c - base, 3).set([1, 6, 12]);
    for (const rows of [0, 1, 3]) expectSame(image, ['softmaxBack', a, 20, b, 19, rows, c, 3]);
  });

  it('multiply heads row by row bit for bit, and hand gradients back', () => {
    const image = floats(random);
    for (const [left, right] of [
      [1, 1],
      [3, 2],
      [2, 4],
      [5, 11],
      [3, 8],
      [2, 13],
      [1, 38],
    ])
      for (const rows of [0, 1, 3]) {
        expectSame(image, ['outerRows', a, left + 2, left, b, right + 1, right, c, rows]);
        const gradients = [c, a + 40000, left + 1, b + 40000, right + 3, rows];
        expectNear(image, ['outerBack', a, left + 2, left, b, right + 1, right, ...gradients], 1e-5);
      }
  });
});

describe('slots of persons', () => {
  const random = seeded(33);
  const [d, e, work] = [base + (1 << 17) + 4, base + (1 << 17) + (1 << 16), base + (1 << 18) + (1 << 16)];

  it('count households once a cell and persons each, by size and in all, and hand gradients back, as their definitions say', () => {
    // Chances, a certain one and one that cannot be among them.
    const image = Float32Array.from({ length: 1 << 17 }, (_, i) =>
      i % 17 === 0 ? 1 : i % 19 === 0 ? 0 : uniform(random),
    );
    for (const cells of [1, 4, 6])
      for (const maxSize of [1, 4])
        for (const once of [0, 1])
          for (const apart of [0, 1])
            for (const rows of [0, 1, 3]) {
              const slots = [b, 40 * cells, cells + 2, maxSize, cells, once, apart];
              expectNear(image, ['slotRows', a, maxSize + 1, ...slots, c, rows], 2e-6);
              for (const to of [e, 0])
                expectNear(
                  image,
                  ['slotBack', a, maxSize + 1, ...slots, c, d, maxSize + 3, to, 30 * cells, cells + 1, scratch, rows],
                  1e-5,
                );
            }
  });

  it('count constant persons that have no place of their own', () => {
    const image = new Float32Array(1 << 17).fill(1);
    image.set([0.25, 0.5, 0.25], (a - base) / 4);
    const { got } = outcomes(image, ['slotRows', a, 3, work, 0, 0, 3, 1, 0, 0, c, 1]);
    expect(got[0][(c - base) / 4]).toBe(0.25 + 2 * 0.5 + 3 * 0.25);
  });
});
