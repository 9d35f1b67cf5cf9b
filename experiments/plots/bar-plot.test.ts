import { expect, test } from 'vitest';
import { barPlot } from './bar-plot.js';

test('draws a bar and its range for every group and series, and names them', async () => {
  const bars = ['adult', 'loans'].flatMap((group, g) =>
    ['own', 'pgm'].map((series, s) => ({ group, series, median: 0.1 * (g + 1) + 0.3 * s, least: 0.05, most: 0.9 })),
  );
  const svg = await barPlot({
    caption: 'Errors',
    axis: 'error',
    panels: [
      { title: 'one', bars },
      { title: 'two', bars },
    ],
  });
  expect(svg).toMatch(/^<svg/);
  for (const word of ['Errors', 'one', 'two', 'adult', 'loans', 'own', 'pgm']) expect(svg).toContain(word);
  const drawn = [...svg.matchAll(/<g class="mark-rect[^>]*>(.*?)<\/g>/gs)].map(
    ([, inside]) => inside.split('<path').length - 1,
  );
  expect(drawn).toEqual([4, 4]);
});
