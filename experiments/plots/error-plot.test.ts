import { expect, test } from 'vitest';
import { errorPlot } from './error-plot.js';

test('draws each panel with its levels and series, and no broken number', async () => {
  const points = [0.1, 1].flatMap((epsilon) =>
    ['first way', 'second way'].map((series) => ({ series, epsilon, error: 0.01 / epsilon, standardError: 0.02 })),
  );
  const svg = await errorPlot({
    caption: 'Errors & levels',
    panels: [
      { title: 'first <panel>', levels: [{ name: 'untouched', error: 0.07 }], points },
      { title: 'second', levels: [{ name: 'untouched', error: 0.5 }], points },
    ],
  });
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  expect(svg).toContain('Errors &amp; levels');
  expect(svg).toContain('first &lt;panel&gt;');
  expect(svg.match(/>untouched</g)).toHaveLength(2);
  expect(svg.match(/>first way</g)).toHaveLength(1);
});
