import { type Html, html, textOf, trusted } from './html.js';
import type { Section } from './layout.js';
import { style } from './style.js';

/** Nothing may be loaded, run or sent: a page that somebody tampers with still cannot call home. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export interface Page {
  /** Of the window. */
  readonly title: string;
  /** What kind of page it is, a few words. */
  readonly kind: string;
  readonly heading: Html | string;
  readonly lead: string;
  /** Stands above everything else. */
  readonly warning?: string | undefined;
  /** Between the lead and the sections. */
  readonly opening?: Html | undefined;
  readonly sections: readonly Section[];
  readonly footer: (warning: Html | undefined) => Html;
}

/** A page as one file that needs nothing else. */
export const pageText = ({ title, kind, heading, lead, warning, opening, sections, footer }: Page): string => {
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
<h1>${heading}</h1>
<p class="lead">${lead}</p>
${stamp}
${opening}${opening && html`\n`}</header>
<main>
${body}</main>
<footer>${footer(stamp)}</footer>
</body>
</html>
`);
};
