import type { TopLevelSpec } from 'vega-lite';
import { escaped, type Html, trusted } from '../html.js';

/** A plot to draw: what a person reads of it who cannot see it, and how it is made. */
export interface Plot {
  /** Names the plot for those who cannot see it: a short sentence. */
  readonly label: string;
  readonly spec: TopLevelSpec;
}

/** How all plots look. Colours are custom properties of the page, so they follow it from light to dark and to paper. */
const config = {
  background: 'transparent',
  font: 'inherit',
  view: { stroke: null },
  axis: {
    aria: false,
    domain: false,
    ticks: false,
    grid: true,
    gridColor: 'var(--grid)',
    labelColor: 'var(--muted)',
    labelFontSize: 10,
    labelPadding: 4,
    title: null,
  },
  text: { fontSize: 11, fill: 'var(--ink)' },
} as const;

/**
 * Draws plots as still SVG, in any runtime, with no part of the page's own script. Loads Vega when it is first used; then some 20
 * milliseconds a plot.
 */
export const drawer = async (): Promise<(plot: Plot) => Promise<Html>> => {
  const [vega, lite, { expressionInterpreter: expr }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ]);
  return async ({ label, spec }) => {
    const { spec: compiled } = lite.compile({ ...spec, config });
    // Expressions are interpreted: Vega would compile them, which pages with a strict policy forbid.
    const runtime = vega.parse(compiled, undefined, { ast: true });
    const view = new vega.View(runtime, { expr, renderer: 'none', logLevel: vega.Error });
    try {
      return trusted(compact(await view.toSVG(), label));
    } finally {
      view.finalize();
    }
  };
};

const attributePattern = /\s([\w:-]+)="([^"]*)"/g;
/** What the page does not need: positions of a pointer that nobody listens to, and roles inside what is one picture. */
const needless = /^(aria-|role$|pointer-events$|xmlns|version$|font-family$|stroke-miterlimit$)/;

/**
 * Vega's SVG without what only an interactive page needs, and with the description of a mark as its title, which
 * a pointer shows. Vega escapes `<`, `>` and quotes in attributes and texts, so tags can be told from texts.
 */
const compact = (svg: string, label: string): string =>
  svg
    .replace(/<path class="(?:background|foreground)"[^>]*\/>/g, '')
    .replace(/<(\w+)((?:\s[\w:-]+="[^"]*")*)\s*(\/?)>/g, (_, tag: string, list: string, end: string) => {
      const attributes = [...list.matchAll(attributePattern)].map(([, name, value]) => ({ name, value }));
      const own = attributes
        .filter(({ name, value }) => !needless.test(name) && !(name === 'opacity' && value === '1'))
        .map(({ name, value }) => ` ${name}="${name === 'class' ? value : shorter(value)}"`)
        .join('');
      if (tag === 'svg') return `<svg role="img" aria-label="${escaped(label)}"${own}>`;
      const title = attributes.find(({ name }) => name === 'aria-label')?.value;
      if (title === undefined || title === '') return `<${tag}${own}${end}>`;
      return `<${tag}${own}><title>${title}</title>${end === '' ? '' : `</${tag}>`}`;
    })
    .replace(/<g><\/g>/g, '');

/** Tenths of a pixel are enough. */
const shorter = (value: string): string =>
  value.replace(/-?\d+\.\d{2,}/g, (digits) => String(Number(Number(digits).toFixed(1))));
