import { expect, it } from 'vitest';
import { expectedError } from './expected-error.js';

it('has the expected size that a sum over its law gives', () => {
  for (const scale of [0.3, 1, 2.5, 7.9, 30]) {
    const mean = (weight: (k: number) => number): number => {
      let [mass, sum] = [0, 0];
      for (let k = -2000; k <= 2000; k++) {
        mass += weight(k);
        sum += Math.abs(k) * weight(k);
      }
      return sum / mass;
    };
    const gaussian = mean((k) => Math.exp(-(k * k) / (2 * scale * scale)));
    const laplace = mean((k) => Math.exp(-Math.abs(k) / scale));
    expect(expectedError({ kind: 'gaussian', scale }) / gaussian).toBeCloseTo(1, 2);
    expect(expectedError({ kind: 'laplace', scale }) / laplace).toBeCloseTo(1, 6);
  }
  expect(expectedError({ kind: 'none', scale: 0 })).toBe(0);
});
