import { describe, expect, it } from 'vitest';
import { isBehind, isStill, isSwing } from './stopping-rule.js';

const at = (iteration: number, risk: number, freedom = 1000) => ({ iteration, risk, freedom });

describe('a validated fit', () => {
  it('has left the least risk behind after a quarter more steps that raised it by 2% of the freedom, and not by fewer or less', () => {
    const best = at(200, 500);
    expect(isBehind(at(271, 521), best)).toBe(true);
    expect(isBehind(at(270, 900), best)).toBe(false);
    expect(isBehind(at(400, 520), best)).toBe(false);
  });

  it('swings where its freedom falls by more than half a percent and half a parameter', () => {
    expect(isSwing(1000, 994)).toBe(true);
    expect(isSwing(1000, 996)).toBe(false);
    expect(isSwing(10, 9.6)).toBe(false);
    expect(isSwing(10, 9.4)).toBe(true);
    // At first there is next to no freedom, and what probes say of it may be below zero.
    expect(isSwing(0.2, -0.1)).toBe(false);
    expect(isSwing(0, 5)).toBe(false);
  });

  it('has arrived where neither risk nor freedom changed in the last fifth of its steps', () => {
    const trace = (risk: (i: number) => number, freedom: (i: number) => number, length = 100) =>
      Array.from({ length }, (_, i) => at(i, risk(i), freedom(i)));
    const still = () => 1000;
    expect(isStill(trace((i) => (i < 80 ? 5000 - i : 500), still))).toBe(true);
    expect(isStill(trace((i) => 5000 - i, still))).toBe(false);
    expect(isStill(trace(still, (i) => 1000 + i))).toBe(false);
    expect(isStill(trace(still, still, 49))).toBe(false);
  });
});
