import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../src/kernel/engine.js';
import type { KernelName, Kernels } from '../src/kernel/kernels.js';
import { type ShapeAxis, writeShape } from '../src/kernel/table-shape.js';
import { twin } from '../src/kernel/twin/twin.js';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';

// Both builds of each kernel and its twin run on the same memory of numbers; afterwards all of it must agree, so that a write
// outside the target is found as well.
const doubles = 6000;
const [a, b, target, sums, peaks] = [0, 1, 2, 3, 4].map((i) => 0x10000 + 1024 + 8 * 1200 * i);
const shape = 0x10000;
const engines: Engine[] = [];

beforeAll(async () => {
  for (const shared of [false, true]) {
    const engine = await createEngine({ shared });
    engine.arena.allocate(1024 + 8 * doubles);
    engines.push(engine);
  }
});

const compare = (
  fill: (numbers: Float64Array) => void,
  axes: readonly ShapeAxis[],
  name: KernelName,
  args: readonly number[],
) => {
  const run = (kernels: Kernels, engine: Engine) => {
    writeShape(new Uint32Array(engine.memory.buffer, shape, 256), axes);
    const numbers = new Float64Array(engine.memory.buffer, shape + 1024, doubles);
    fill(numbers);
    const result = (kernels[name] as (...args: number[]) => number | undefined)(...args) ?? 0;
    return [result, ...numbers];
  };
  const expected = run(twin(engines[0].memory), engines[0]);
  for (const engine of engines) {
    const found = run(engine.kernels, engine);
    const bad = found.findIndex((value, i) => !(Object.is(value, expected[i]) || near(value, expected[i])));
    expect(bad, `${name}: element ${bad} is ${found[bad]}, must be ${expected[bad]}`).toBe(-1);
  }
};

const near = (x: number, y: number): boolean =>
  x === y || Math.abs(x - y) <= 1e-13 * Math.max(Math.abs(x), Math.abs(y));

/** Positive numbers, so that sums do not cancel. */
const positive = (seed: number) => (numbers: Float64Array) => {
  const random = seeded(seed);
  for (let i = 0; i < numbers.length; i++) numbers[i] = uniform(random);
};

/** Logarithms in a wide range, some of them of zero. */
const logarithms = (seed: number) => (numbers: Float64Array) => {
  const random = seeded(seed);
  for (let i = 0; i < numbers.length; i++)
    numbers[i] = uniform(random) < 0.2 ? Number.NEGATIVE_INFINITY : 50 * uniform(random) - 25;
};

/** Axes whose operands and sums each hold some of them, laid out row-major; the target holds all. */
const shapes = fc
  .array(fc.record({ length: fc.integer({ min: 1, max: 4 }), a: fc.boolean(), b: fc.boolean(), sums: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((outer) =>
    fc
      .record({ length: fc.integer({ min: 1, max: 18 }), a: fc.boolean(), b: fc.boolean(), sums: fc.boolean() })
      .map((inner) => [...outer, inner]),
  )
  .map((held) => {
    const steps = { a: 8, b: 8, target: 8, sums: 8 };
    return held
      .toReversed()
      .map((axis): ShapeAxis => {
        const step = (name: 'a' | 'b' | 'target' | 'sums', holds: boolean): number => {
          if (!holds) return 0;
          const now = steps[name];
          steps[name] *= axis.length;
          return now;
        };
        return {
          length: axis.length,
          a: step('a', axis.a),
          b: step('b', axis.b),
          target: step('target', true),
          sums: step('sums', axis.sums),
        };
      })
      .toReversed();
  });

describe('tables', () => {
  const each = (name: KernelName, args: number[], fill: typeof positive) => {
    fc.assert(fc.property(shapes, fc.nat(), (axes, seed) => compare(fill(seed), axes, name, args)));
  };
  it('multiply as the twin says, whatever each table holds', () =>
    each('multiplyTables', [shape, a, b, target], positive));
  it('multiply and sum in one pass', () => each('multiplySumTables', [shape, a, b, target, sums], positive));
  it('sum products', () => each('sumTables', [shape, a, b, sums], positive));
  it('add', () => each('addTables', [shape, a, b, target], logarithms));
  it('find peaks', () => each('peakTables', [shape, a, b, sums], logarithms));
  it('sum exponentials', () =>
    each('expSumTables', [shape, a, b, peaks, sums], (seed) => (numbers) => {
      logarithms(seed)(numbers);
      const from = (sums - shape - 1024) / 8;
      numbers.fill(0, from, from + 1200);
    }));

  it('multiply in place', () => {
    for (const length of [1, 2, 3, 8, 9, 17]) {
      const wide = { length, a: 8, b: 0, target: 8, sums: 0 };
      const outer = { length: 4, a: 8 * length, b: 8, target: 8 * length, sums: 0 };
      compare(positive(length), [outer, wide], 'multiplyTables', [shape, a, b, a]);
    }
  });
});

describe('vectors of a graphical model', () => {
  const lengths = [0, 1, 2, 3, 7, 8, 9, 31, 64, 255, 256, 257, 1000];

  it('take exponentials and sum them', () => {
    for (const length of lengths)
      for (const into of [a, target]) compare(logarithms(length), [], 'expShift', [a, 3.5, -2, into, length]);
  });

  it('take exponentials of everything up to the largest number', () => {
    const fill = (numbers: Float64Array) => {
      for (let i = 0; i < 1000; i++) numbers[i] = 1.5 * i - 790;
      numbers.set([-708, -708.01, 0, -0, 708.9, Number.NaN, Number.NEGATIVE_INFINITY], 990);
    };
    compare(fill, [], 'expShift', [a, 0, -708, target, 997]);
    compare(fill, [], 'expShift', [a, 0, -322, target, 997]);
  });

  it('divide, with 0 where the divisor is 0, and find the largest quotient', () => {
    const fill = (seed: number) => (numbers: Float64Array) => {
      positive(seed)(numbers);
      for (let i = 0; i < numbers.length; i += 5) numbers[i] = 0;
    };
    for (const length of lengths)
      for (const into of [a, b, target]) compare(fill(length), [], 'divide', [a, b, into, length]);
  });

  it('subtract logarithms, and keep that of zero', () => {
    for (const length of lengths) compare(logarithms(length), [], 'subtractLogs', [a, b, target, length]);
  });

  it('weigh residuals and sum their squares', () => {
    for (const length of lengths)
      for (const into of [a, target]) compare(positive(length), [], 'fitSquares', [a, 3.7, b, 0.3, into, length]);
  });
});
