import { describe, expect, it } from 'vitest';
import type { ContestOutcome } from '../../evaluate/compare-mechanisms.js';
import { textOf } from '../html.js';
import { contestPlot } from './contest-plot.js';
import { attributeDistancePlot, pairDistancePlot } from './distance-plots.js';
import { drawer } from './draw.js';
import { plotFile, plotPage } from './plot-page.js';

const hostile = '<script>alert("1")</script>&.csv';
const draw = await drawer();
const spread = (mean: number) => ({ mean, deviation: mean / 10, runs: 3 });
const outcome: ContestOutcome = {
  pairs: 3,
  contestants: [0.1, 1].flatMap((epsilon) =>
    [hostile, 'other'].map((mechanism, i) => ({
      mechanism,
      budget: { epsilon, delta: 1e-9 },
      error: spread((0.1 + i / 10) / epsilon / 10),
      largest: spread(0.1),
      seconds: spread(1),
    })),
  ),
  asIs: { error: spread(0.2), largest: spread(0.1) },
  sample: { error: spread(0.01), largest: spread(0.1) },
  unable: [],
};

describe('plots of comparisons', () => {
  it('stand as files of their own, with a caption and a warning above them and everything escaped', async () => {
    const svg = plotFile(await draw(contestPlot(outcome)), { caption: hostile, warning: 'NOT PRIVATE' });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).not.toMatch(/<script|NaN|undefined/);
    expect(svg.indexOf('NOT PRIVATE')).toBeLessThan(svg.indexOf('&lt;script&gt;'));
    expect(svg).toContain('--paper:');
    const plain = plotFile(await draw(contestPlot(outcome)));
    const [tall, low] = [svg, plain].map((text) => Number(/ height="([\d.]+)"/.exec(text)?.[1]));
    expect(tall).toBe(low + 46);
  });

  it('draw a point for every mechanism and budget, both lines, and nothing where nothing is wrong', async () => {
    const svg = textOf(await draw(contestPlot(outcome)));
    expect(svg.match(/over 3 runs/g)).toHaveLength(4);
    expect(svg).toContain('the public table as it is');
    expect(svg).toContain('another sample of the same size');
    const exact = { ...outcome, contestants: [{ ...outcome.contestants[0], error: spread(0) }] };
    expect(textOf(await draw(contestPlot(exact)))).not.toMatch(/NaN|Infinity/);
    const { asIs: _, ...alone } = { ...outcome, contestants: [] };
    expect(textOf(await draw(contestPlot(alone)))).not.toMatch(/NaN|Infinity|as it is/);
  });

  it('show distances of attributes and of pairs, the farthest first, and leave blank what was not compared', async () => {
    const ways = ['a', 'b', hostile].map((name, i) => ({ attributes: [name], distance: i / 10 }));
    const bars = textOf(await draw(attributeDistancePlot(ways)));
    expect(bars.match(/ apart<\/title>/g)).toHaveLength(3);
    expect(bars).not.toMatch(/<script>|NaN/);
    const pairs = [{ attributes: ['a', 'b'], distance: 0.25 }];
    const heat = textOf(await draw(pairDistancePlot(['a', 'b', 'c'], pairs)));
    expect(heat.match(/ apart<\/title>/g)).toHaveLength(1);
    expect(heat).toContain('b and a: 25.0% apart');
  });

  it('stand in pages that load nothing, with a warning at both ends', () => {
    const page = plotPage({ kind: 'x', title: hostile, lead: hostile, warning: 'NOT PRIVATE', sections: [] });
    expect(page).not.toContain('<script');
    expect(page.split('NOT PRIVATE')).toHaveLength(3);
    expect(page).toContain('default-src &#39;none&#39;');
  });
});
