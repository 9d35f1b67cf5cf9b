import { type Html, html, textOf, trusted } from './html.js';
import type { Section } from './layout.js';
import { style } from './style.js';

/** A page of plots and tables other than the report of a release. */
export interface PlotPage {
  /** What kind of page it is, a few words. */
  readonly kind: string;
  readonly title: string;
  readonly lead: string;
  /** Stands above everything else, and again at the end. */
  readonly warning?: string;
  readonly sections: readonly Section[];
}

/** Nothing may be loaded, run or sent. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The page as one file that needs nothing else. */
export const plotPage = ({ kind, title, lead, warning, sections }: PlotPage): string => {
  const stamp = warning === undefined ? undefined : html`<p class="warning" role="alert">${warning}</p>`;
  const body = sections.map(
    (section) => html`<section id="${section.id}"><h2>${section.title}</h2>
${section.body}</section>
`,
  );
  return textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header>
<p class="kind">${kind}</p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${stamp}
</header>
<main>
${body}</main>
<footer>${stamp}Made by surmise. It loads nothing and sends nothing.</footer>
</body>
</html>
`);
};

/** The rules of the style sheet that give colours their values, by light and dark. */
const themes = style
  .split('\n')
  .filter((line) => line.includes(':root{'))
  .join('');

/** A drawn plot as a file of its own, with its colours, a background, and a warning above it if there is one. */
export const plotFile = (plot: Html, warning?: string): string => {
  const room = warning === undefined ? 0 : 26;
  const [tag] = /^<svg[^>]*>/.exec(textOf(plot)) ?? [''];
  const box = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(tag);
  if (box === null) return textOf(plot);
  const [left, top, width, height] = box.slice(1).map(Number);
  const open = tag
    .replace(/^<svg/, '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui,sans-serif"')
    .replace(box[0], `viewBox="${left} ${top - room} ${width} ${height + room}"`)
    .replace(/ height="[^"]*"/, ` height="${height + room}"`);
  const ground = `<style>${themes}</style><rect x="${left}" y="${top - room}" width="${width}" height="${height + room}" fill="var(--paper)"/>`;
  const stamp =
    warning === undefined
      ? ''
      : textOf(
          html`<text x="${left + 6}" y="${top - 9}" font-size="11" font-weight="bold" fill="var(--warn)">${warning}</text>`,
        );
  return `${textOf(plot).replace(tag, () => `${open}${ground}${stamp}`)}\n`;
};
