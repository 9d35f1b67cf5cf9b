import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../src/kernel/engine.js';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine();
});

const apply = (name: 'exp' | 'log', inputs: readonly number[]): number[] => {
  const { arena, kernels } = engine;
  const mark = arena.mark();
  const x = arena.f64(inputs.length);
  const target = arena.f64(inputs.length);
  x.view.set(inputs);
  kernels[name](x.address, target.address, x.length);
  const results = [...target.view];
  arena.release(mark);
  return results;
};

// Fixed-point numbers of 160 fractional bits (an error below 2^-140 in what follows), to know the true values.
const bits = 160n;
const one = 1n << bits;
const times = (a: bigint, b: bigint): bigint => (a * b) >> bits;

/** The exact value of a double as fixed point; below 2^-1074 nothing is lost since |x| >= 2^-60 here. */
const fixed = (x: number): bigint => {
  const scaled = x * 2 ** 60;
  const whole = BigInt(Math.trunc(scaled));
  const rest = BigInt((scaled - Math.trunc(scaled)) * 2 ** 53);
  return (whole << (bits - 60n)) + (rest << (bits - 113n));
};

const bigExp = (x: bigint): bigint => {
  // exp x = (exp(x / 2^16))^(2^16), with a Taylor series inside; fixed-point error grows by 2^16 only.
  const small = x >> 16n;
  let term = one;
  let sum = one;
  for (let i = 1n; term !== 0n && term !== -1n; i++) {
    term = times(term, small) / i;
    sum += term;
  }
  for (let i = 0; i < 16; i++) sum = times(sum, sum);
  return sum;
};

const relative = (got: bigint, want: bigint): number => {
  const gap = got > want ? got - want : want - got;
  return Number((gap * 10n ** 24n) / want) / 1e24;
};

describe('exp', () => {
  it('is within 4e-16 of the true value, relative, where 160 bits decide', () => {
    const random = seeded(1);
    const inputs = Array.from({ length: 3000 }, () => (uniform(random) - 0.5) * 40);
    const outputs = apply('exp', inputs);
    const worst = Math.max(...inputs.map((x, i) => relative(fixed(outputs[i]), bigExp(fixed(x)))));
    expect(worst).toBeLessThan(4e-16);
  });

  it('is within 1e-15 of the twin over the whole normal range, for every length', () => {
    const random = seeded(2);
    for (const length of [0, 1, 2, 3, 7, 8, 9, 17, 10_001]) {
      const inputs = Array.from({ length }, () => -708 + uniform(random) * (709.7 + 708));
      const outputs = apply('exp', inputs);
      inputs.forEach((x, i) => {
        expect(Math.abs(outputs[i] / Math.exp(x) - 1), `exp(${x})`).toBeLessThan(1e-15);
      });
    }
  });

  it('treats zero, infinities, NaN, overflow and subnormals as the standard does', () => {
    const inputs = [
      0,
      -0,
      Infinity,
      -Infinity,
      NaN,
      709.782712893384,
      709.7827128933841,
      710,
      1e308,
      -1e308,
      5e-324,
      -746,
    ];
    const results = [1, 1, Infinity, 0, NaN, undefined, Infinity, Infinity, Infinity, 0, 1, 0];
    apply('exp', inputs).forEach((y, i) => {
      if (results[i] === undefined) expect(Math.abs(y / 1.797693134862273e308 - 1)).toBeLessThan(1e-13);
      else expect(y, `exp(${inputs[i]})`).toBe(results[i]);
    });
    for (let x = -745.2; x < -708; x += 0.37)
      expect(Math.abs(apply('exp', [x])[0] - Math.exp(x)), `exp(${x})`).toBeLessThanOrEqual(
        Math.max(2 ** -1074, Math.exp(x) * 1e-15),
      );
  });

  it('takes its own input as target', () => {
    const x = engine.arena.f64(11);
    x.view.fill(1);
    engine.kernels.exp(x.address, x.address, 11);
    for (const y of x.view) expect(Math.abs(y / Math.E - 1)).toBeLessThan(4e-16);
  });
});

describe('log', () => {
  it('is within 4e-16 of the true value, relative, where 160 bits decide', () => {
    // With y = log x computed, log x - y = log(x exp(-y)), and x exp(-y) - 1 is that to first order.
    const random = seeded(3);
    const inputs = Array.from({ length: 3000 }, (_, i) =>
      i % 2 ? 2 ** ((uniform(random) - 0.5) * 40) : 1 + (uniform(random) - 0.5) * 2 ** -(i % 20),
    );
    apply('log', inputs).forEach((y, i) => {
      const gap = Number(times(fixed(inputs[i]), bigExp(-fixed(y))) - one) / Number(one);
      expect(Math.abs(gap), `log(${inputs[i]})`).toBeLessThanOrEqual(4e-16 * Math.abs(y));
    });
  });

  it('is within 1e-15 of the twin over all positive numbers, for every length', () => {
    const random = seeded(4);
    for (const length of [0, 1, 2, 3, 7, 8, 9, 17, 10_001]) {
      const inputs = Array.from(
        { length },
        () => (1 + uniform(random)) * 2 ** Math.floor(uniform(random) * 2098 - 1074),
      );
      const outputs = apply('log', inputs);
      inputs.forEach((x, i) => {
        const want = Math.log(x);
        expect(Math.abs(outputs[i] - want), `log(${x})`).toBeLessThanOrEqual(1e-15 * Math.abs(want));
      });
    }
  });

  it('treats zero, infinity, NaN, negative numbers and subnormals as the standard does', () => {
    const inputs = [0, -0, 1, Infinity, -Infinity, NaN, -1, -5e-324];
    expect(apply('log', inputs)).toEqual([-Infinity, -Infinity, 0, Infinity, NaN, NaN, NaN, NaN]);
    for (const x of [5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308])
      expect(Math.abs(apply('log', [x])[0] / Math.log(x) - 1)).toBeLessThan(1e-15);
  });
});
