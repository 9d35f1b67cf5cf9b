import { describe, expect, it } from 'vitest';
import { heatMap } from './heat-map.js';

/** The names of all elements, in order; throws where tags do not nest or attributes are not quoted. */
const parseXml = (text: string): { name: string; attributes: Record<string, string> }[] => {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const tag = /^([^<]*)<(\/?)([a-z]+)((?:\s+[a-zA-Z-]+="[^"<&]*")*)\s*(\/?)>/.exec(rest);
    if (tag === null) throw new Error(`not a tag: ${rest.slice(0, 60)}`);
    const [whole, before, closing, name, attributes, empty] = tag;
    if (/&(?!amp;|lt;|gt;|quot;)/.test(before)) throw new Error(`bare ampersand: ${before}`);
    if (closing) {
      if (open.pop() !== name) throw new Error(`unexpected </${name}>`);
    } else {
      const pairs = [...attributes.matchAll(/([a-zA-Z-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      found.push({ name, attributes: Object.fromEntries(pairs) });
      if (!empty) open.push(name);
    }
    rest = rest.slice(whole.length);
  }
  if (open.length > 0) throw new Error(`left open: ${open.join()}`);
  return found;
};

describe('heatMap', () => {
  const map = {
    title: 'Error of "a" & <b>',
    rowLabels: ['2012', '2013'],
    columns: '3 places',
    values: [
      [0, 0.49, 2],
      [undefined, 1, -5],
    ],
    from: 0,
    to: 1,
  };

  it('is well-formed, and escapes what titles hold', () => {
    const svg = heatMap(map);
    const elements = parseXml(svg);
    expect(elements[0].name).toBe('svg');
    expect(svg).toContain('Error of &quot;a&quot; &amp; &lt;b&gt;');
    expect(() => parseXml(svg.replace('</title>', ''))).toThrow();
  });

  it('draws a cell for every value and none for what is missing, in the colour of its size', () => {
    const elements = parseXml(heatMap(map));
    const cells = elements
      .filter(({ name }) => name === 'path')
      .map(({ attributes }) => [attributes.class, attributes.d.split('M').length - 1]);
    // 0 and -5 in the first of eight colours, 0.49 in the fourth, 1 and 2 in the last.
    expect(cells).toEqual([
      ['c0', 2],
      ['c3', 1],
      ['c7', 2],
    ]);
  });

  it('takes under 20 KB for 700 cells', () => {
    const values = Array.from({ length: 7 }, (_, r) =>
      Array.from({ length: 100 }, (_, c) => ((r * 31 + c * 17) % 100) / 100),
    );
    expect(heatMap({ ...map, values }).length).toBeLessThan(20_000);
  });
});
