import { expect, test } from 'vitest';
import { floorPlot } from './floor-plot.js';

test('draws each panel with its floor and levels, and no broken number', async () => {
  const points = [0.1, 1].flatMap((epsilon) =>
    ['PMW-Pub', 'noisy cells'].map((series) => ({ series, epsilon, error: 0.01 / epsilon, standardError: 0.02 })),
  );
  const svg = await floorPlot({
    caption: 'Errors & floors',
    panels: [
      { title: 'first <panel>', asIs: 0.07, floor: 0.002, points },
      { title: 'second', asIs: 0.05, floor: 0.004, points },
    ],
  });
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg).toContain('Errors &amp; floors');
  expect(svg).toContain('first &lt;panel&gt;');
  expect(svg.match(/>best mixture error</g)).toHaveLength(2);
  expect(svg.match(/>public as it is</g)).toHaveLength(2);
  expect(svg.match(/>PMW-Pub</g)).toHaveLength(1);
});
