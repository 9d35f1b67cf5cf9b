import { type Html, html, textOf } from '../html.js';
import type { Section } from '../layout.js';
import { pageText } from '../page.js';
import { style } from '../style.js';

/** A page of plots and tables other than the report of a release. */
export interface PlotPage {
  /** What kind of page it is, a few words. */
  readonly kind: string;
  readonly title: string;
  readonly lead: string;
  /** Stands above everything else, and again at the end. */
  readonly warning?: string | undefined;
  readonly sections: readonly Section[];
}

/** The page as one file that needs nothing else. */
export const plotPage = (page: PlotPage): string =>
  pageText({
    ...page,
    heading: page.title,
    footer: (warning) => html`${warning}Made by surmise. It loads nothing and sends nothing.`,
  });

/** The rules of the style sheet that give colours their values, by light and dark. */
const themes = style
  .split('\n')
  .filter((line) => line.includes(':root{'))
  .join('');

export interface PlotFileOptions {
  /** What the picture shows, a line above it. */
  readonly caption?: string | undefined;
  /** Stands above everything, in bold. */
  readonly warning?: string | undefined;
}

/** A drawn plot as a file of its own, with its colours, a background, and what must be said above it. */
export const plotFile = (plot: Html, { caption, warning }: PlotFileOptions = {}): string => {
  const [tag] = /^<svg[^>]*>/.exec(textOf(plot)) ?? [''];
  const box = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(tag);
  if (box === null) throw new Error('plot: must be drawn with a viewBox');
  const [left, top, width, height] = box.slice(1).map(Number);
  const lines = [
    ...(warning === undefined ? [] : [{ text: warning, weight: 'bold', fill: 'var(--warn)' }]),
    ...(caption === undefined ? [] : [{ text: caption, weight: 'normal', fill: 'var(--ink)' }]),
  ];
  const room = lines.length === 0 ? 0 : 10 + 18 * lines.length;
  const wide = Math.max(width, ...lines.map(({ text }) => 12 + 6.6 * text.length));
  const above = lines.map(
    ({ text, weight, fill }, i) =>
      html`<text x="${left + 6}" y="${top - room + 18 * (i + 1)}" font-size="11" font-weight="${weight}" fill="${fill}">${text}</text>`,
  );
  const open = tag
    .replace(/^<svg/, '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui,sans-serif"')
    .replace(box[0], `viewBox="${left} ${top - room} ${wide} ${height + room}"`)
    .replace(/ width="[^"]*"/, ` width="${wide}"`)
    .replace(/ height="[^"]*"/, ` height="${height + room}"`);
  const ground = `<style>${themes}</style><rect x="${left}" y="${top - room}" width="${wide}" height="${height + room}" fill="var(--paper)"/>`;
  return `${textOf(plot).replace(tag, () => `${open}${ground}${above.map(textOf).join('')}`)}\n`;
};
