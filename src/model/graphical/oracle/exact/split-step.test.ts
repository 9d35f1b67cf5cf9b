import { describe, expect, it } from 'vitest';
import type { ShapeAxis } from '../../../../kernel/table-shape.js';
import { type Table, table, tableStep } from '../table-step.js';
import { type StepPart, splitStep } from './split-step.js';

const sizes = [2, 5, 12, 30, 46];
const of = (...attributes: number[]): Table => table(attributes, sizes);
const whole = of(0, 1, 2, 3, 4);

/** The bytes that a part writes in a table, from the first to behind the last, in stretches without a gap. */
const stretches = ({ axes, ...from }: StepPart, name: 'target' | 'sums'): [number, number][] => {
  let starts = [from[name]];
  for (const axis of axes.filter((each: ShapeAxis) => each[name] > 0))
    starts = starts.flatMap((start) => Array.from({ length: axis.length }, (_, i) => start + i * axis[name]));
  const merged: [number, number][] = [];
  for (const start of starts.sort((a, b) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && last[1] === start) last[1] = start + 8;
    else merged.push([start, start + 8]);
  }
  return merged;
};

const steps = {
  'a product': tableStep({ a: of(2, 3, 4), b: of(0, 1, 2), target: whole }, sizes),
  'a product and its sums': tableStep({ a: whole, b: of(0, 1, 3, 4), target: whole, sums: of(0, 1, 3, 4) }, sizes),
  'sums over the middle': tableStep({ a: whole, b: of(), sums: of(0, 1, 4) }, sizes),
  'sums of the last axes': tableStep({ a: whole, b: of(1, 2), sums: of(3, 4) }, sizes),
  'sums of the first ones': tableStep({ a: whole, b: of(1, 2), sums: of(0, 1, 2) }, sizes),
};

describe('parts of a step', () => {
  it.each(Object.entries(steps))('cover it once, and write 4 KiB in a row or more, apart: %s', (_, step) => {
    for (const count of [2, 4]) {
      const split = splitStep(step, count);
      if (split === undefined) continue;
      const { parts, shared } = split;
      const cells = parts.map(({ axes }) => axes.reduce((product, { length }) => product * length, 1));
      expect(cells.reduce((sum, each) => sum + each, 0)).toBe(step.cells);
      for (const name of ['target', 'sums'] as const) {
        // Sums that parts have in common are each part's own until they are added up.
        if (step[name] === undefined || (name === 'sums' && shared)) continue;
        const written = parts.map((part) => stretches(part, name));
        for (const part of written) for (const [from, to] of part) expect(to - from).toBeGreaterThanOrEqual(4096);
        const all = written.flat().sort(([a], [b]) => a - b);
        all.slice(1).forEach(([from], i) => {
          expect(from).toBeGreaterThanOrEqual(all[i][1]);
        });
        expect(all.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(8 * step[name].cells);
      }
    }
  });

  it('are none where they would write among each other', () => {
    expect(splitStep(tableStep({ a: of(0, 4), b: of(), sums: of(0, 4) }, sizes), 2)).toBeUndefined();
  });
});
