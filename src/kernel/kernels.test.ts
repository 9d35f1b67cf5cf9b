import { beforeAll, describe, expect, it } from 'vitest';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { uniform, uniformInteger } from '../random/uniform.js';
import { createEngine, type Engine } from './engine.js';
import { writeJob } from './job.js';
import { type Joint, jointBytes, writeJoint } from './joint.js';
import { countScratch, jointScratch, type KernelName, type Kernels } from './kernels.js';
import { changeBytes, stepBytes, writeChange, writeStep } from './projection.js';
import { twin } from './twin/twin.js';

// Each kernel and its twin run on the same memory, filled at random; afterwards the whole memory must agree, so that a
// write outside the target is found as well. Addresses have every alignment that the element type allows to be awkward.
const bytes = 1 << 18;
const base = 1 << 16;
const sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 255, 256, 257, 1000, 4095, 4097];
const shifts = [0, 1, 3, 8, 13];

const engines: [string, Engine][] = [];
let reference: Kernels;
const memoryOf = (engine: Engine) => new Uint8Array(engine.memory.buffer, 0, base + bytes);

beforeAll(async () => {
  for (const shared of [false, true]) {
    const engine = await createEngine({ shared });
    engine.arena.allocate(bytes);
    engines.push([shared ? 'shared' : 'plain', engine]);
  }
  reference = twin(engines[0][1].memory);
});

/** Fills the memory, runs the twin and both builds of the kernel on it, and hands the outcomes over. */
const runAll = (fill: (view: DataView) => void, name: KernelName, args: number[]) => {
  const call = (kernels: Kernels) => (kernels[name] as (...args: number[]) => number | undefined)(...args);
  const image = new Uint8Array(base + bytes);
  fill(new DataView(image.buffer));
  const start = engines[0][1];
  memoryOf(start).set(image);
  const expected = { result: call(reference), memory: memoryOf(start).slice() };
  const outcomes = engines.map(([label, engine]) => {
    memoryOf(engine).set(image);
    const result = call(engine.kernels);
    return { label, result, memory: memoryOf(engine).slice() };
  });
  return { expected, outcomes };
};

const expectSameMemory = (
  fill: (view: DataView) => void,
  name: KernelName,
  args: number[],
  scratch?: [number, number],
) => {
  const { expected, outcomes } = runAll(fill, name, args);
  for (const { label, memory } of outcomes) {
    if (scratch) {
      memory.fill(0, ...scratch);
      expected.memory.fill(0, ...scratch);
    }
    const same = Buffer.compare(memory, expected.memory) === 0;
    const where = same ? -1 : memory.findIndex((byte, i) => byte !== expected.memory[i]);
    expect(where, `${label} ${name}(${args}): first differing byte`).toBe(-1);
  }
};

const noise = (random: Random, from: number, to: number) => (view: DataView) => {
  for (let i = from; i < to; i++) view.setUint8(i, random.uint32() & 255);
};

const doubles = (random: Random, address: number, length: number) => (view: DataView) => {
  for (let i = 0; i < length; i++) {
    const value = (uniform(random) - 0.5) * 2 ** (uniformInteger(random, 60) - 30);
    view.setFloat64(address + 8 * i, value, true);
  }
};

describe('counting', () => {
  const random = seeded(7);
  // Cells, column widths and copies: both index widths, every code width, one cell, no column.
  const shapes: { sizes: number[]; bytes: number[]; copies: number }[] = [
    { sizes: [], bytes: [], copies: 1 },
    { sizes: [1], bytes: [1], copies: 1 },
    { sizes: [256], bytes: [1], copies: 2 },
    { sizes: [3, 5, 7], bytes: [1, 1, 1], copies: 4 },
    { sizes: [2, 2, 2, 2, 2, 2, 2], bytes: [1, 2, 1, 1, 1, 1, 1], copies: 4 },
    { sizes: [300, 11], bytes: [2, 1], copies: 2 },
    { sizes: [4, 300, 3], bytes: [4, 2, 1], copies: 1 },
    { sizes: [3001, 7, 1], bytes: [2, 1, 1], copies: 1 },
  ];

  const layout = (shape: (typeof shapes)[number], rows: number, shift: number) => {
    const job = base;
    let next = base + 1024;
    const columns = shape.sizes.map((size, i) => {
      const address = next + shift;
      next = address + shape.bytes[i] * rows;
      return { address, bytes: shape.bytes[i], size };
    });
    const cells = shape.sizes.reduce((a, b) => a * b, 1);
    const table = next + 16;
    const fill = (view: DataView) => {
      writeJob(new Uint32Array(view.buffer, job, 64), { columns, cells, copies: shape.copies, table });
      for (const { address, bytes: width, size } of columns)
        for (let row = 0; row < rows; row++) {
          // The smaller of two codes: skewed, as real columns are.
          const code = Math.min(uniformInteger(random, size), uniformInteger(random, size));
          if (width === 1) view.setUint8(address + row, code);
          else if (width === 2) view.setUint16(address + 2 * row, code, true);
          else view.setUint32(address + 4 * row, code, true);
        }
    };
    return { job, table, cells, end: table + 4 * cells * shape.copies, fill };
  };

  it('adds each row to its cell exactly as the twin does, for every width, size and offset', () => {
    for (const shape of shapes)
      for (const rows of sizes) {
        const shift = shifts[rows % shifts.length];
        const { job, table, cells, end, fill } = layout(shape, rows, shift);
        const from = Math.floor(rows / 3);
        const scratch = end + 16 + shift;
        const { expected, outcomes } = runAll(fill, 'count', [job, 1, from, rows, scratch]);
        for (const { label, memory } of outcomes) {
          const view = new DataView(memory.buffer);
          const counts = (source: DataView) =>
            Array.from({ length: cells }, (_, cell) => {
              let total = 0;
              for (let copy = 0; copy < shape.copies; copy++)
                total += source.getUint32(table + 4 * (copy * cells + cell), true);
              return total;
            });
          expect(counts(view), `${label} ${shape.sizes} rows ${rows}`).toEqual(
            counts(new DataView(expected.memory.buffer)),
          );
          const outside = (image: Uint8Array) =>
            image
              .slice()
              .fill(0, table, end)
              .fill(0, scratch, scratch + 16384);
          expect(Buffer.compare(outside(memory), outside(expected.memory)), `${label}: wrote outside`).toBe(0);
        }
      }
  });

  it('counts several jobs in one pass', () => {
    const columns = [0, 1].map((i) => ({ address: base + 1024 + 5000 * i, bytes: 1, size: 9 }));
    const fill = (view: DataView) => {
      const at = (job: number, words: number) => new Uint32Array(view.buffer, job, words);
      writeJob(at(base, 7), { columns: columns.slice(1), cells: 9, copies: 1, table: base + 20000 });
      writeJob(at(base + 28, 10), { columns, cells: 81, copies: 1, table: base + 21000 });
      for (let i = 0; i < 10000; i++) view.setUint8(base + 1024 + i, uniformInteger(random, 9));
    };
    expectSameMemory(fill, 'count', [base, 2, 17, 4999, base + 30000], [base + 30000, base + 46384]);
  });

  it('counts a household once in each cell that one of its persons falls into, wherever the rows are split', () => {
    for (const [number, shape] of shapes.entries())
      for (const [i, rows] of sizes.entries()) {
        const largest = number === 3 && rows > 1000 ? 255 : 1 + ((number + i) % 6);
        const { job, end, fill } = layout({ ...shape, copies: 1 }, rows, shifts[rows % shifts.length]);
        const places = end + 5;
        const scratch = places + rows + 11;
        const withPlaces = (view: DataView) => {
          fill(view);
          for (let row = 0, size = 0, place = 0; row < rows; row++, place++) {
            if (place === size) [size, place] = [1 + uniformInteger(random, largest), 0];
            view.setUint8(places + row, place);
          }
        };
        const args = [job, 1, Math.floor(rows / 3), rows, places, scratch];
        expectSameMemory(withPlaces, 'countHoldings', args, [scratch, scratch + countScratch]);
      }
  });

  it('computes cell indices bit for bit', () => {
    for (const shape of shapes)
      for (const rows of sizes) {
        const { job, end, fill } = layout(shape, rows, shifts[rows % shifts.length]);
        expectSameMemory(fill, 'cellIndex', [job, Math.floor(rows / 4), rows, end + 16 + shifts[rows % 5]]);
      }
  });

  it('sums an axis of a table away bit for bit, also in place', () => {
    for (const outer of [0, 1, 2, 5])
      for (const size of [1, 2, 3, 4, 7, 22])
        for (const inner of [1, 2, 3, 4, 5, 8, 11, 64]) {
          const table = base + 3;
          const fill = noise(random, table, table + 4 * outer * size * inner);
          expectSameMemory(fill, 'sumAxis', [table, base + 100001, outer, size, inner]);
          if (outer === 1) expectSameMemory(fill, 'sumAxis', [table, table, outer, size, inner]);
        }
  });

  it('clears exactly the bytes it is told to', () => {
    for (const size of sizes) expectSameMemory(noise(random, base, base + 6000), 'clear', [base + 5, size]);
  });
});

describe('rows seen through joint tables', () => {
  const random = seeded(21);
  const [joint, codes, weights, cells, scratch] = [base, base + 2048, base + 20_000, base + 60_000, base + 120_000];
  const columnsOf = (widths: readonly number[], sizes: readonly number[], shift: number) =>
    widths.map((bytes, i) => ({ address: codes + shift + 4100 * i, bytes, size: sizes[i] }));

  // Of 3 x 4 x 5 cells: both pairs with the last, a pair of which a single is summed, and that pair itself; then a table that is itself a marginal.
  const jointsFor = (widths: readonly number[], shift: number): Joint[] => [
    {
      columns: columnsOf(widths, [3, 4, 5], shift),
      cells: 60,
      bytes: 8 * (60 + 12),
      steps: [
        { from: 0, isMarginal: true, to: 0, outer: 1, size: 3, inner: 20 },
        { from: 0, isMarginal: true, to: 160, outer: 3, size: 4, inner: 5 },
        { from: 0, isMarginal: false, to: 480, outer: 12, size: 5, inner: 1 },
        { from: 480, isMarginal: true, to: 280, outer: 1, size: 3, inner: 4 },
        { from: 480, isMarginal: true, to: 312, outer: 1, size: 1, inner: 12 },
      ],
    },
    { columns: columnsOf(widths, [3, 4, 5], shift).slice(1), cells: 20, bytes: 0, steps: [], place: 408 },
    { columns: [], cells: 1, bytes: 0, steps: [], place: 568 },
  ];

  it('sums weights and gathers values bit for bit, for every width of codes, size and offset', () => {
    for (const widths of [
      [1, 1, 1],
      [2, 1, 1],
      [1, 4, 2],
    ])
      for (const rows of sizes.filter((size) => size <= 1000)) {
        const joints = jointsFor(widths, shifts[rows % shifts.length]);
        const from = Math.floor(rows / 3);
        const fill = (view: DataView) => {
          noise(random, scratch, scratch + jointScratch + 1024)(view);
          doubles(random, weights, rows)(view);
          doubles(random, cells, 80)(view);
          let at = joint;
          for (const one of joints) {
            writeJoint(new Uint32Array(view.buffer, at, jointBytes(one) / 4), one);
            for (const { address, bytes: width, size } of one.columns)
              for (let row = 0; row < rows; row++) {
                const code = uniformInteger(random, size);
                if (width === 1) view.setUint8(address + row, code);
                else if (width === 2) view.setUint16(address + 2 * row, code, true);
                else view.setUint32(address + 4 * row, code, true);
              }
            at += jointBytes(one);
          }
        };
        const used: [number, number] = [scratch, scratch + jointScratch + 8 * 72];
        const args = [joint, joints.length, from, rows - from];
        expectSameMemory(fill, 'scatterJoints', [...args, weights, cells, scratch], used);
        expectSameMemory(fill, 'gatherJoints', [...args, cells, weights, scratch], used);
      }
  });
});

describe('weighted support and vectors', () => {
  const random = seeded(8);
  const [a, b, c] = [base, base + 60000, base + 120000];

  it('scatters, gathers and scales bit for bit', () => {
    for (const length of sizes)
      for (const shift of shifts) {
        const [index, weights, table] = [a + shift, b + shift, c + shift];
        const cells = 1 + uniformInteger(random, 50);
        const fill = (view: DataView) => {
          for (let i = 0; i < length; i++) view.setUint32(index + 4 * i, uniformInteger(random, cells), true);
          doubles(random, weights, length)(view);
          doubles(random, table, cells)(view);
        };
        expectSameMemory(fill, 'scatterAdd', [index, weights, table, length]);
        expectSameMemory(fill, 'gatherScale', [index, table, weights, length]);
        expectSameMemory(fill, 'gatherAdd', [index, table, -1.7, weights, length]);
        expectSameMemory(fill, 'scaleAt', [index, 0.7, table, length]);
      }
  });

  it('carries rows from cells to cells bit for bit', () => {
    for (const columns of [0, 1, 2, 3, 7, 16, 33])
      for (const [rows, width] of [
        [0, 3],
        [1, 1],
        [5, 4],
        [40, 3],
      ]) {
        const cells = 12;
        const [table, given, bases, rest, target] = [a + 1, a + 30000, b, b + 4000, c];
        const fill = (view: DataView) => {
          doubles(random, table, rows * columns)(view);
          doubles(random, given, rows * width)(view);
          // Some are impossible.
          for (let i = 0; i < rows * width; i += 3) view.setFloat64(given + 8 * i, 0, true);
          for (let i = 0; i < rows; i++) view.setUint32(bases + 4 * i, uniformInteger(random, cells), true);
          for (let i = 0; i < width; i++) view.setUint32(rest + 4 * i, uniformInteger(random, cells), true);
          doubles(random, target, 2 * cells * columns)(view);
        };
        expectSameMemory(fill, 'carry', [table, columns, given, bases, rows, rest, width, target]);
      }
  });

  it('scales, adds and multiplies vectors bit for bit', () => {
    for (const length of sizes)
      for (const shift of shifts) {
        const fill = (view: DataView) => {
          doubles(random, a + shift, length)(view);
          doubles(random, b, length)(view);
        };
        expectSameMemory(fill, 'scale', [a + shift, 0.3, length]);
        expectSameMemory(fill, 'scaleAbove', [a + shift, 0.3, 0.1, length]);
        expectSameMemory(fill, 'axpy', [0.1, a + shift, b, length]);
        expectSameMemory(fill, 'multiply', [a + shift, b, c + shift, length]);
        expectSameMemory(fill, 'multiply', [a + shift, b, b, length]);
      }
  });

  it('reduces within 40 * 2^-53 of the sum of absolute terms', () => {
    for (const length of sizes) {
      const x = a + shifts[length % 5];
      const fill = (view: DataView) => {
        doubles(random, x, length)(view);
        doubles(random, b, length)(view);
      };
      const image = new DataView(new ArrayBuffer(base + bytes));
      const terms = (term: (x: number, y: number) => number) => {
        let total = 0;
        for (let i = 0; i < length; i++)
          total += Math.abs(term(image.getFloat64(x + 8 * i, true), image.getFloat64(b + 8 * i, true)));
        return total;
      };
      fill(image);
      const same = (view: DataView) => new Uint8Array(view.buffer).set(new Uint8Array(image.buffer));
      const cases: [KernelName, number[], number][] = [
        ['sum', [x, length], terms((p) => p)],
        ['dot', [x, b, length], terms((p, q) => p * q)],
        ['distance', [x, b, length], terms((p, q) => p - q)],
        ['max', [x, length], 0],
        ['min', [x, length], 0],
        ['maxDistance', [x, b, length], 0],
      ];
      for (const [name, args, scale] of cases) {
        const { expected, outcomes } = runAll(same, name, args);
        for (const { label, result } of outcomes) {
          if (result === expected.result) continue;
          const error = Math.abs((result as number) - (expected.result as number));
          expect(error, `${label} ${name} of ${length}`).toBeLessThanOrEqual(41 * 2 ** -53 * scale);
        }
      }
    }
  });

  it('sums listed elements within length * 2^-53 of the sum of absolute terms', () => {
    for (const length of sizes) {
      const [index, x] = [a + shifts[length % 5], b];
      const fill = (view: DataView) => {
        for (let i = 0; i < length; i++) view.setUint32(index + 4 * i, uniformInteger(random, 100), true);
        doubles(random, x, 100)(view);
      };
      const image = new DataView(new ArrayBuffer(base + bytes));
      fill(image);
      const same = (view: DataView) => new Uint8Array(view.buffer).set(new Uint8Array(image.buffer));
      let scale = 0;
      for (let i = 0; i < length; i++)
        scale += Math.abs(image.getFloat64(x + 8 * image.getUint32(index + 4 * i, true), true));
      const { expected, outcomes } = runAll(same, 'sumAt', [index, x, length]);
      for (const { label, result } of outcomes)
        expect(Math.abs((result as number) - (expected.result as number)), `${label} ${length}`).toBeLessThanOrEqual(
          (length + 1) * 2 ** -53 * scale,
        );
    }
  });

  it('keeps a long sum of equal terms as exact as a short one', () => {
    const { kernels, arena } = engines[0][1];
    const mark = arena.mark();
    const x = arena.f64(1_000_003);
    x.view.fill(0.1);
    expect(Math.abs(kernels.sum(x.address, x.length) / 100_000.3 - 1)).toBeLessThan(40 * 2 ** -53);
    arena.release(mark);
  });

  it('passes NaN and infinities on as the twin does', () => {
    const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of special)
      for (const position of [0, 3, 11]) {
        const fill = (view: DataView) => {
          for (let i = 0; i < 13; i++) view.setFloat64(a + 8 * i, i === position ? value : i, true);
        };
        const calls: [KernelName, number[]][] = [
          ['sum', [a, 13]],
          ['dot', [a, a, 13]],
          ['max', [a, 13]],
          ['min', [a, 13]],
          ['distance', [a, b, 13]],
          ['maxDistance', [a, b, 13]],
        ];
        for (const [name, args] of calls) {
          const { expected, outcomes } = runAll(fill, name, args);
          for (const { result } of outcomes) expect(result, `${name} with ${value}`).toBe(expected.result);
        }
      }
  });
});

describe('projection', () => {
  const random = seeded(9);

  /**
   * Two steps that make the same small table from a source, one handing its change on, then one from the small table to a
   * large one; the second step shares its target and change with the first, as siblings in a tree do.
   */
  const layout = (rows: number, inner: number, cells: number, width: number, listedRows: number) => {
    let next = base;
    const place = (length: number) => {
      const address = next;
      next += Math.ceil(length / 16) * 16;
      return address;
    };
    const program = place(4 * stepBytes);
    const [before, between] = [place(changeBytes), place(changeBytes)];
    const scratch = (entries: number) => ({
      list: place(4 * entries + 4),
      delta: place(8 * entries),
      marks: place(entries),
    });
    const [outer, middle] = [scratch(rows), scratch(inner)];
    const [source, small, large] = [place(8 * rows), place(8 * inner), place(8 * cells)];
    const maps = [place(width * rows), place(width * rows), place(width * inner)];
    const fill = (view: DataView) => {
      const put = (address: number, i: number, code: number) => {
        if (width === 1) view.setUint8(address + i, code);
        else if (width === 2) view.setUint16(address + 2 * i, code, true);
        else view.setUint32(address + 4 * i, code, true);
      };
      const words = (address: number, length: number) => new Uint32Array(view.buffer, address, length);
      writeChange(words(before, 4), outer);
      writeChange(words(between, 4), middle);
      for (const map of maps.slice(0, 2))
        for (let row = 0; row < rows; row++) put(map, row, uniformInteger(random, inner));
      for (let entry = 0; entry < inner; entry++) put(maps[2], entry, uniformInteger(random, cells));
      doubles(random, source, rows)(view);
      doubles(random, large, cells)(view);
      words(before, 1)[0] = listedRows;
      for (let i = 0; i < listedRows; i++) {
        const row = Math.floor((i * rows) / listedRows);
        view.setUint32(outer.list + 4 * i, row, true);
        view.setFloat64(outer.delta + 8 * row, uniform(random) - 0.5, true);
      }
      const shared = { width, rows, source, change: before, target: small, cells: inner, after: between };
      const last = { width, rows: inner, source: small, change: between, target: large, cells, after: 0 };
      const steps = [
        { ...shared, map: maps[0] },
        { ...last, map: maps[2] },
        { ...shared, map: maps[1] },
        { ...last, map: maps[2] },
      ];
      for (const [i, step] of steps.entries()) writeStep(words(program + stepBytes * i, 8), step);
    };
    return { program, fill };
  };

  it('makes sums anew and follows changes bit for bit, narrow and wide', () => {
    for (const rows of [1, 2, 3, 5, 33, 257, 1000])
      for (const [inner, cells] of [
        [1, 1],
        [7, 40],
        [100, 3],
        [256, 200],
      ])
        for (const width of [1, 2, 4])
          for (const name of ['project', 'follow'] as const)
            for (const steps of [0, 1, 4]) {
              const listed = uniformInteger(random, rows + 1);
              const { program, fill } = layout(rows, inner, cells, width, listed);
              const image = new DataView(new ArrayBuffer(base + bytes));
              fill(image);
              const same = (view: DataView) => new Uint8Array(view.buffer).set(new Uint8Array(image.buffer));
              expectSameMemory(same, name, [program, steps]);
            }
  });
});
